import * as v from 'valibot';
import * as badge from '../badge-types.ts';
import { described } from '../values.ts';
import type { Api, HeaderName, Operations } from './operation.ts';

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
const operations: Operations = {
  readAnnouncement: {
    ...file,
    route: 'GET /content/announcement.json',
    summary: 'Read the current announcement for everyone',
    answer: badge.PublicAnnouncementSchema,
    errors: ['NO_ACTIVE_ANNOUNCEMENT'],
  },
  readActiveAnnouncements: {
    ...file,
    route: 'GET /content/active.json',
    summary: 'Read all active announcements, for any audience',
    answer: badge.ActiveAnnouncementsSchema,
  },
  readAnnouncements: {
    ...file,
    route: 'GET /content/history.json',
    summary: 'Read all public announcements',
    answer: badge.PublicHistorySchema,
  },
  countEvent: {
    route: 'GET /pulse',
    summary: 'Count an impression, a click or a dismissal',
    description: 'With `DNT: 1` or `Sec-GPC: 1` nothing is counted.',
    query: PulseQuerySchema,
    status: 204,
    headers: embeddable,
  },
  readReadiness: {
    route: 'GET /health/ready',
    summary: 'Check whether this server is ready for requests',
    description: '`/health` beside it answers `OK` as text while the process answers at all.',
    answer: badge.ReadinessSchema,
    others: {
      503: { description: 'Unready, with the reasons in the same form.', answer: badge.ReadinessSchema },
    },
  },
};

export const badgeApi: Api = {
  tag: 'badge',
  server: '/',
  security: [],
  operations,
  errors: ['METHOD_NOT_ALLOWED', 'RATE_LIMITED'],
  headers: ['Cache-Control'],
  errorHeaders: [],
};
