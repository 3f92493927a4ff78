import type { SchemaName } from './named-schemas.ts';

/** One GET endpoint of the badge service, as the OpenAPI document describes it. */
export interface BadgeOperation {
  /** From the root of the server; `{brand}` is the value of `--brand`. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Media type of the answer; missing where it has no body. */
  readonly type?: string;
  readonly response?: SchemaName;
  /** Other status codes it may answer with, besides 304, 405 and 429, and what they mean. */
  readonly others?: Readonly<Record<number, string>>;
  /** Required query parameters. */
  readonly query?: Readonly<Record<string, object>>;
  /** Optional query parameters. */
  readonly optionalQuery?: Readonly<Record<string, object>>;
  /** Whether pages of other sites may read it. */
  readonly isEmbeddable?: boolean;
  /** Whether a cache may keep it and revalidate it by its `ETag`. */
  readonly isFile?: boolean;
}

const file = { isFile: true, isEmbeddable: true };
const language = {
  lang: { type: 'string', description: 'A BCP 47 language: its translations, where there are any.' },
};

export const badgeOperations: readonly BadgeOperation[] = [
  {
    path: '/content/announcement.json',
    id: 'readAnnouncement',
    summary: 'Read the current announcement for everyone',
    type: 'application/json',
    response: 'PublicAnnouncement',
    others: { 404: '`NO_ACTIVE_ANNOUNCEMENT`: none is current.' },
    ...file,
  },
  {
    path: '/content/active.json',
    id: 'readActiveAnnouncements',
    summary: 'Read all active announcements, for any audience',
    type: 'application/json',
    response: 'ActiveAnnouncements',
    ...file,
  },
  {
    path: '/content/history.json',
    id: 'readAnnouncements',
    summary: 'Read all public announcements',
    type: 'application/json',
    response: 'PublicHistory',
    ...file,
  },
  {
    path: '/content/shields.json',
    id: 'readShield',
    summary: 'Read the current announcement as Shields’ endpoint badge takes it',
    type: 'application/json',
    response: 'Shield',
    ...file,
  },
  {
    path: '/images/{brand}-announcement.svg',
    id: 'readPicture',
    summary: 'Read the current announcement as a picture, for READMEs and mail',
    description: 'Only the logo while none is current.',
    type: 'image/svg+xml',
    optionalQuery: { theme: { type: 'string', enum: ['light', 'dark'], default: 'light' } },
    ...file,
  },
  {
    path: '/feed.json',
    id: 'readJsonFeed',
    summary: 'Read the announcements as JSON Feed',
    type: 'application/feed+json',
    response: 'JsonFeed',
    optionalQuery: language,
    ...file,
  },
  {
    path: '/feed.atom',
    id: 'readAtomFeed',
    summary: 'Read the announcements as Atom',
    type: 'application/atom+xml',
    optionalQuery: language,
    ...file,
  },
  {
    path: '/js/{brand}-inject.min.js',
    id: 'readScript',
    summary: 'Read the script of the badge',
    type: 'application/javascript',
    ...file,
  },
  {
    path: '/css/{brand}-inject.min.css',
    id: 'readStyle',
    summary: 'Read the stylesheet of the badge',
    type: 'text/css',
    ...file,
  },
  {
    path: '/images/{brand}-logo.svg',
    id: 'readLogo',
    summary: 'Read the logo of the badge',
    type: 'image/svg+xml',
    ...file,
  },
  {
    path: '/pulse',
    id: 'countEvent',
    summary: 'Count an impression, a click or a dismissal',
    description: 'With `DNT: 1` or `Sec-GPC: 1` nothing is counted.',
    query: {
      event: { type: 'string', enum: ['impression', 'click', 'dismiss'] },
      id: { type: 'string', description: 'Id of a public announcement.' },
    },
    others: { 400: '`INVALID_REQUEST`: the event or the id is unknown.' },
    isEmbeddable: true,
  },
  {
    path: '/demo',
    id: 'openDemo',
    summary: 'Try the badge and make a tag',
    type: 'text/html',
    isFile: true,
  },
  {
    path: '/history',
    id: 'openHistory',
    summary: 'See all announcements, 50 a page',
    type: 'text/html',
    optionalQuery: { page: { type: 'integer', minimum: 1, default: 1 } },
    isFile: true,
  },
  {
    path: '/health/ready',
    id: 'readReadiness',
    summary: 'Ask whether this server should get requests',
    description: '`/health` beside it answers `OK` as text while the process answers at all.',
    type: 'application/json',
    response: 'Readiness',
    others: { 503: 'Unready, with the reasons in the same form.' },
  },
];
