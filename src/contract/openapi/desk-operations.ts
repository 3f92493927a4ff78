import * as v from 'valibot';
import { type DeskOperationName, deskRoutes } from '../desk-routes.ts';
import * as desk from '../desk-types.ts';
import { type Api, apiErrors, type Operation } from './operation.ts';

const query = (...names: (keyof desk.DeskQuery)[]) => v.pick(desk.DeskQuerySchema, names as ['id']);

const revision = { headers: ['ETag'] } as const;
const change = {
  ...revision,
  query: query('dryRun'),
  answer: desk.ChangedAnnouncementSchema,
  requestHeaders: ['If-Match'],
  errors: ['CHANGE_REFUSED', 'CHANGED_MEANWHILE'],
} as const;
/** A change that may be sent again under the same key. */
const newChange = {
  ...change,
  requestHeaders: ['If-Match', 'Idempotency-Key'],
  errors: [...change.errors, 'IDEMPOTENCY_KEY_REUSED'],
} as const;

const operations: Readonly<Record<DeskOperationName, Omit<Operation, 'route'>>> = {
  listAnnouncements: {
    summary: 'List announcements, scheduled and past ones included',
    description: '`ETag` is the revision of all announcements: send it as `If-Match` with a change.',
    query: query('state', 'limit', 'after', 'id', 'order'),
    answer: desk.AnnouncementListSchema,
    ...revision,
  },
  publishAnnouncement: {
    summary: 'Publish an announcement, now or later',
    request: desk.PublishRequestSchema,
    requiresBody: true,
    status: 201,
    ...newChange,
  },
  editAnnouncement: {
    summary: 'Change words, times or readers of an announcement',
    request: desk.EditRequestSchema,
    ...change,
  },
  expireAnnouncement: {
    summary: 'End an announcement early',
    description: 'It stays in the public history.',
    request: desk.ExpireRequestSchema,
    ...newChange,
  },
  withdrawAnnouncement: {
    summary: 'Take an announcement out of the public history',
    description: 'What it superseded is active again.',
    request: desk.WithdrawRequestSchema,
    ...newChange,
  },
  undoChange: {
    summary: 'Undo the last change, or any other',
    description: 'Without `change`: the last one that is not undone yet and is not an undo.',
    request: desk.UndoRequestSchema,
    ...newChange,
    answer: desk.UndoneSchema,
  },
  listChanges: {
    summary: 'List who changed what, and when',
    query: query('limit', 'after', 'id'),
    answer: desk.ChangeLogSchema,
    ...revision,
  },
  readReaderStatistics: {
    summary: 'Read how often announcements were shown, clicked and dismissed',
    query: query('days', 'id'),
    answer: desk.ReaderStatisticsSchema,
  },
  previewBadge: {
    summary: 'Read what a reader of a page sees, and why',
    query: query('site', 'path', 'lang', 'at'),
    answer: desk.PreviewSchema,
  },
  listOrigins: {
    summary: 'List the sites that may use the badge',
    description: '`ETag` is the revision of the list: send it as `If-Match` with a change.',
    answer: desk.OriginListSchema,
    ...revision,
  },
  addOrigin: {
    summary: 'Allow a site to use the badge',
    description: 'Entries already on the list stay as they are.',
    request: desk.OriginRequestSchema,
    ...change,
    answer: desk.OriginListSchema,
  },
  removeOrigin: {
    summary: 'Stop a site from using the badge',
    request: desk.OriginRequestSchema,
    ...change,
    answer: desk.OriginListSchema,
  },
};

export const deskApi: Api = {
  tag: 'editors',
  security: [{ editorToken: [] }],
  operations: Object.fromEntries(
    deskRoutes.map(([method, path, id]) => [
      id,
      { route: `${method} ${path.replace(':id', '{id}') as '/'}`, ...operations[id] },
    ]),
  ),
  errors: [...apiErrors, 'TLS_REQUIRED'],
  headers: ['API-Version'],
  errorHeaders: [],
};
