import * as v from 'valibot';
import * as badge from '../badge-types.ts';
import { described } from '../values.ts';
import type { Api, HeaderName, Operation } from './operation.ts';

export const announcementExample = {
  id: '2026-001',
  message: 'Search is back.',
  link: 'https://status.example.org',
  published: '2026-01-15T09:30:00Z',
  expires: '2026-02-14T09:30:00Z',
};

const embeddable: readonly HeaderName[] = ['Vary', 'Access-Control-Allow-Origin'];
/** A file that caches keep and revalidate. */
const file = {
  headers: [...embeddable, 'ETag'],
  others: { 304: { description: 'Unchanged since that tag.' } },
} as const;
const PulseQuerySchema = v.object({
  event: v.picklist(['impression', 'click', 'dismiss']),
  id: described(v.string(), 'Id of a public announcement.'),
});

/** The JSON endpoints of the badge; its pages, files and pictures are no API. */
const operations: readonly Operation[] = [
  {
    ...file,
    route: 'GET /content/announcement.json',
    id: 'readAnnouncement',
    summary: 'Read the current announcement for everyone',
    answer: badge.PublicAnnouncementSchema,
    errors: ['NO_ACTIVE_ANNOUNCEMENT'],
    example: { answer: announcementExample },
  },
  {
    ...file,
    route: 'GET /content/active.json',
    id: 'readActiveAnnouncements',
    summary: 'Read all active announcements, for any audience',
    answer: badge.ActiveAnnouncementsSchema,
    example: { answer: { announcements: [announcementExample] } },
  },
  {
    ...file,
    route: 'GET /content/history.json',
    id: 'readAnnouncements',
    summary: 'Read all public announcements',
    answer: badge.PublicHistorySchema,
    example: {
      answer: {
        announcements: [{ ...announcementExample, active: true }],
        lastUpdated: announcementExample.published,
      },
    },
  },
  {
    route: 'GET /pulse',
    id: 'countEvent',
    summary: 'Count an impression, a click or a dismissal',
    description: 'With `DNT: 1` or `Sec-GPC: 1` nothing is counted.',
    query: PulseQuerySchema,
    requiredQuery: ['event', 'id'],
    status: 204,
    headers: embeddable,
  },
  {
    route: 'GET /health/ready',
    id: 'readReadiness',
    summary: 'Check whether this server is ready for requests',
    description: '`/health` beside it answers `OK` as text while the process answers at all.',
    answer: badge.ReadinessSchema,
    others: {
      503: { description: 'Unready, with the reasons in the same form.', answer: badge.ReadinessSchema },
    },
    example: { answer: { status: 'ready', version: '1.0.0' } },
  },
];

/** The badge service, below the root of the server. */
export const badgeApi: Api = {
  tag: 'badge',
  server: '/',
  security: [],
  operations,
  errors: ['METHOD_NOT_ALLOWED', 'RATE_LIMITED'],
  headers: ['Cache-Control'],
  errorHeaders: [],
};
