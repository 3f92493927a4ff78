import * as v from 'valibot';
import { type DeskOperationName, deskRoutes } from '../desk-routes.ts';
import * as desk from '../desk-types.ts';
import { announcementExample as announcement } from './badge-operations.ts';
import { type Api, apiErrors, type Operation } from './operation.ts';

const stored = announcement;
const active = { ...stored, state: 'active' };
const effect = {
  before: null,
  supersedes: [],
  supersededBy: null,
  current: stored.id,
  currentBefore: null,
  active: [stored.id],
  warnings: [],
};
const changed = { ...active, ...effect, change: 1 };
const undone = { change: 2, undone: 1, by: 'anna', id: stored.id, action: 'publish', undoes: null };
const gone = { ...effect, before: stored, current: null, currentBefore: stored.id, active: [] };
const preview = {
  at: stored.published,
  announcement: {
    id: stored.id,
    message: stored.message,
    link: stored.link,
    rank: 0,
    place: 'shown',
    after: null,
    translated: false,
    reason: 'It is the most important one.',
  },
  reason: 'It is the most important one.',
  siteListed: true,
  next: null,
  others: [],
};
const logged = {
  number: 1,
  at: stored.published,
  by: 'anna',
  action: 'publish',
  id: stored.id,
  before: null,
  after: stored,
  undoes: null,
  undoneBy: null,
};
const tally = { impressions: 200, clicks: 10, dismissals: 40, clickThrough: 0.05 };
const sites = [{ site: 'example.org', ...tally }];
const readers = {
  since: '2026-01-15',
  until: '2026-01-15',
  total: tally,
  days: [{ day: '2026-01-15', ...tally }],
  announcements: [{ id: stored.id, message: stored.message, ...tally, sites }],
  sites,
};

const query = (...names: (keyof desk.DeskQuery)[]) => v.pick(desk.DeskQuerySchema, names as ['id']);

const revision = { headers: ['ETag'] } as const;
const change = {
  ...revision,
  query: query('dryRun'),
  requestHeaders: ['If-Match'],
  errors: ['CHANGE_REFUSED', 'CHANGED_MEANWHILE'],
} as const;
/** A change that may be sent again under the same key. */
const newChange = {
  ...change,
  requestHeaders: ['If-Match', 'Idempotency-Key'],
  errors: [...change.errors, 'IDEMPOTENCY_KEY_REUSED'],
} as const;

const operations: Readonly<Record<DeskOperationName, Omit<Operation, 'route' | 'id'>>> = {
  listAnnouncements: {
    summary: 'List announcements, scheduled and past ones included',
    description: '`ETag` is the revision of all announcements: send it as `If-Match` with a change.',
    query: query('state', 'limit', 'after', 'id', 'order'),
    answer: desk.AnnouncementListSchema,
    ...revision,
    example: { answer: { announcements: [active], total: 1, current: active.id, editor: 'anna' } },
  },
  publishAnnouncement: {
    summary: 'Publish an announcement, now or later',
    request: desk.PublishRequestSchema,
    requiresBody: true,
    status: 201,
    answer: desk.ChangedAnnouncementSchema,
    ...newChange,
    example: { request: { message: stored.message, link: stored.link, expires: '+30d' }, answer: changed },
  },
  editAnnouncement: {
    summary: 'Change words, times or readers of an announcement',
    request: desk.EditRequestSchema,
    answer: desk.ChangedAnnouncementSchema,
    ...change,
    example: { request: { message: stored.message }, answer: changed },
  },
  expireAnnouncement: {
    summary: 'End an announcement early',
    description: 'It stays in the public history.',
    request: desk.ExpireRequestSchema,
    answer: desk.ChangedAnnouncementSchema,
    ...newChange,
    example: { request: {}, answer: changed },
  },
  withdrawAnnouncement: {
    summary: 'Take an announcement out of the public history',
    description: 'What it superseded is active again.',
    request: desk.WithdrawRequestSchema,
    answer: desk.ChangedAnnouncementSchema,
    ...newChange,
    example: { request: {}, answer: changed },
  },
  undoChange: {
    summary: 'Undo the last change, or any other',
    description: 'Without `change`: the last one that is not undone yet and is not an undo.',
    request: desk.UndoRequestSchema,
    answer: desk.UndoneSchema,
    ...newChange,
    example: { request: { change: 1 }, answer: { ...gone, ...undone, announcement: null } },
  },
  listChanges: {
    summary: 'List who changed what, and when',
    query: query('limit', 'after', 'id'),
    answer: desk.ChangeLogSchema,
    ...revision,
    example: { answer: { changes: [logged], total: 1 } },
  },
  readReaderStatistics: {
    summary: 'Read how often announcements were shown, clicked and dismissed',
    query: query('days', 'id'),
    answer: desk.ReaderStatisticsSchema,
    example: { answer: readers },
  },
  previewBadge: {
    summary: 'Read what a reader of a page sees, and why',
    query: query('site', 'path', 'lang', 'at'),
    answer: desk.PreviewSchema,
    example: { answer: preview },
  },
  listOrigins: {
    summary: 'List the sites that may use the badge',
    description: '`ETag` is the revision of the list: send it as `If-Match` with a change.',
    answer: desk.OriginListSchema,
    ...revision,
    example: { answer: { origins: ['https://example.org'] } },
  },
  addOrigin: {
    summary: 'Allow a site to use the badge',
    description: 'Entries already on the list stay as they are.',
    request: desk.OriginRequestSchema,
    answer: desk.OriginListSchema,
    ...change,
    example: { request: { origin: 'https://example.org' }, answer: { origins: ['https://example.org'] } },
  },
  removeOrigin: {
    summary: 'Stop a site from using the badge',
    request: desk.OriginRequestSchema,
    answer: desk.OriginListSchema,
    ...change,
    example: { request: { origin: 'https://example.org' }, answer: { origins: [] } },
  },
};

/** The editors' API, below the address of the document. */
export const deskApi: Api = {
  tag: 'editors',
  security: [{ editorToken: [] }],
  operations: deskRoutes.map(([method, path, id]) => ({
    route: `${method} ${path.replace(':id', '{id}') as '/'}`,
    id,
    ...operations[id],
  })),
  errors: [...apiErrors, 'TLS_REQUIRED'],
  headers: ['API-Version'],
  errorHeaders: [],
};
