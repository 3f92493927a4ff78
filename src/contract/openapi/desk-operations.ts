import type { DeskQuery } from '../desk-types.ts';
import type { SchemaName } from './named-schemas.ts';

/** One endpoint of the editors' API as the OpenAPI document describes it. */
export interface DeskOperation {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Below `/api`; `{id}` is its one parameter. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly request?: SchemaName;
  readonly status: 200 | 201;
  readonly response: SchemaName;
  /** Names of query parameters, out of those in `DeskQuerySchema`. */
  readonly query?: readonly (keyof DeskQuery)[];
  /** Whether it changes announcements or the allow-list: then it honours `If-Match`, and a POST also `Idempotency-Key`. */
  readonly isChange?: boolean;
  /** Whether the answer has the revision as its `ETag`. */
  readonly isTagged?: boolean;
}

const change = { isChange: true, isTagged: true, query: ['dryRun'] } as const;

export const deskOperations: readonly DeskOperation[] = [
  {
    method: 'get',
    path: '/announcements',
    id: 'listAnnouncements',
    summary: 'List announcements, scheduled and past ones included',
    description: '`ETag` is the revision of all announcements: send it as `If-Match` with a change.',
    query: ['state', 'limit', 'after', 'id', 'search', 'ending', 'order'],
    status: 200,
    response: 'AnnouncementList',
    isTagged: true,
  },
  {
    method: 'post',
    path: '/announcements',
    id: 'publishAnnouncement',
    summary: 'Publish an announcement, now or later',
    request: 'PublishRequest',
    status: 201,
    response: 'ChangedAnnouncement',
    ...change,
  },
  {
    method: 'patch',
    path: '/announcements/{id}',
    id: 'editAnnouncement',
    summary: 'Change words, times or readers of an announcement',
    request: 'EditRequest',
    status: 200,
    response: 'ChangedAnnouncement',
    ...change,
  },
  {
    method: 'post',
    path: '/announcements/{id}/expire',
    id: 'expireAnnouncement',
    summary: 'End an announcement early',
    description: 'It stays in the public history.',
    request: 'ExpireRequest',
    status: 200,
    response: 'ChangedAnnouncement',
    ...change,
  },
  {
    method: 'post',
    path: '/announcements/{id}/withdraw',
    id: 'withdrawAnnouncement',
    summary: 'Take an announcement out of the public history',
    description: 'What it superseded is active again.',
    request: 'WithdrawRequest',
    status: 200,
    response: 'ChangedAnnouncement',
    ...change,
  },
  {
    method: 'post',
    path: '/announcements/undo',
    id: 'undoChange',
    summary: 'Take back the last change, or any other',
    description: 'Without `change`: the last one that is not undone yet and is not an undo.',
    request: 'UndoRequest',
    status: 200,
    response: 'Undone',
    ...change,
  },
  {
    method: 'get',
    path: '/announcements/changes',
    id: 'listChanges',
    summary: 'List who changed what, and when',
    query: ['limit', 'after', 'id'],
    status: 200,
    response: 'ChangeLog',
    isTagged: true,
  },
  {
    method: 'get',
    path: '/announcements/stats',
    id: 'readReaderStatistics',
    summary: 'Read how often announcements were shown, clicked and dismissed',
    query: ['days', 'id'],
    status: 200,
    response: 'ReaderStatistics',
  },
  {
    method: 'get',
    path: '/announcements/preview',
    id: 'previewBadge',
    summary: 'Read what a reader of a page sees, and why',
    query: ['site', 'path', 'lang', 'at'],
    status: 200,
    response: 'Preview',
  },
  {
    method: 'get',
    path: '/origins',
    id: 'listOrigins',
    summary: 'List the sites that may use the badge',
    status: 200,
    description: '`ETag` is the revision of the list: send it as `If-Match` with a change.',
    response: 'OriginList',
    isTagged: true,
  },
  {
    method: 'post',
    path: '/origins',
    id: 'addOrigin',
    summary: 'Let a site use the badge',
    description: 'Entries already on the list stay as they are.',
    request: 'OriginRequest',
    status: 200,
    response: 'OriginList',
    isChange: true,
    isTagged: true,
  },
  {
    method: 'delete',
    path: '/origins',
    id: 'removeOrigin',
    summary: 'Stop a site from using the badge',
    request: 'OriginRequest',
    status: 200,
    response: 'OriginList',
    isChange: true,
    isTagged: true,
  },
];
