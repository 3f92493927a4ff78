import * as v from 'valibot';
import type { HistoryFile } from '../../announcements/announcement.ts';
import type { FieldProblem } from '../../announcements/plain-values.ts';
import {
  type AnnouncementList,
  AnnouncementListSchema,
  type ChangedAnnouncement,
  ChangedAnnouncementSchema,
  type ChangeLog,
  ChangeLogSchema,
  type DeskAnnouncement,
  type DeskQuery,
  OriginListSchema,
  type Preview,
  PreviewSchema,
  ReaderStatisticsSchema,
  type UndoneAnswer,
  UndoneSchema,
} from '../../contract/desk-types.ts';
import type { ApiRequest, Transport } from '../../contract/transport.ts';
import { RefusedError } from '../program/command-io.ts';
import { optionSentence } from './change-options.ts';

export interface ChangeOptions {
  /** Refused if anything was changed since this revision of the announcements. */
  readonly ifMatch?: string | undefined;
  /** Only finds out what the change would be. */
  readonly dryRun?: boolean | undefined;
}

type Query = { readonly [N in keyof DeskQuery]: DeskQuery[N] | undefined };

export type Desk = ReturnType<typeof createDesk>;

/**
 * The editors' API as functions. Whatever cannot be done rejects with a RefusedError, and has changed
 * nothing; so does an answer that is not of this API. Bodies are those of the API.
 */
export function createDesk(transport: Transport) {
  const answerTo = async ({ path, ...request }: ApiRequest, schema: v.GenericSchema) => {
    const { status, body, headers } = await transport({ ...request, path: `/api${path}` });
    if (status >= 400) {
      const { error, problems } = body as { error: string; problems?: readonly FieldProblem[] };
      throw new RefusedError(problems?.map(optionSentence).join('; ') ?? error);
    }
    if (v.is(schema, body)) return { body, revision: headers.etag };
    throw notOurs('it sent an answer that cannot be read');
  };
  const ask = async <T>(request: ApiRequest, schema: v.GenericSchema) =>
    (await answerTo(request, schema)).body as T;
  const get = (path: string, query: Query = {}): ApiRequest => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) parameters.set(name, String(value));
    return { method: 'GET', path: `${path}?${parameters}` };
  };
  const change = (
    method: 'POST' | 'PATCH',
    path: string,
    body: object,
    { ifMatch, dryRun = false }: ChangeOptions = {},
  ): ApiRequest => ({
    method,
    path: `/announcements${path}${dryRun ? '?dryRun=true' : ''}`,
    body,
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
  });
  const changeOf = (id: string, ...[method, path, body, options]: Parameters<typeof change>) =>
    ask<ChangedAnnouncement>(
      change(method, `/${encodeURIComponent(id)}${path}`, body, options),
      ChangedAnnouncementSchema,
    );
  const origins = async (method: 'GET' | 'POST' | 'DELETE', body?: object) =>
    (await ask<{ origins: readonly string[] }>({ method, path: '/origins', body }, OriginListSchema)).origins;

  /** A page of the announcements that match a query, and their revision for `ifMatch`. */
  const list = async (query?: Query) => {
    const { body, revision } = await answerTo(get('/announcements', query), AnnouncementListSchema);
    return { ...(body as AnnouncementList), revision };
  };
  const changes = (query: Query) => ask<ChangeLog>(get('/announcements/changes', query), ChangeLogSchema);

  return {
    list,
    /** All of them, or the first `max`. */
    async listAll(query?: Query, max?: number): Promise<AnnouncementList> {
      const { first, entries } = await readPages(list, (page) => page.announcements, query, max);
      return { ...first, announcements: entries };
    },
    publish: (body: object, options?: ChangeOptions) =>
      ask<ChangedAnnouncement>(change('POST', '', body, options), ChangedAnnouncementSchema),
    edit: (id: string, body: object, options?: ChangeOptions) => changeOf(id, 'PATCH', '', body, options),
    expire: (id: string, body: object, options?: ChangeOptions) =>
      changeOf(id, 'POST', '/expire', body, options),
    withdraw: (id: string, options?: ChangeOptions) => changeOf(id, 'POST', '/withdraw', {}, options),
    /** Undoes the change with that number; undefined: the last one that is not undone. */
    undo: (number: number | undefined, options?: ChangeOptions) =>
      ask<UndoneAnswer>(change('POST', '/undo', { change: number }, options), UndoneSchema),
    /** The log, the latest change first: all of it, or the first `max`. */
    async changes(query?: Query, max?: number): Promise<ChangeLog> {
      const { first, entries } = await readPages(changes, (page) => page.changes, query, max);
      return { ...first, changes: entries };
    },
    /** How often announcements were shown on the last days in UTC, today included. */
    stats: (query: Query) =>
      ask<v.InferOutput<typeof ReaderStatisticsSchema>>(
        get('/announcements/stats', query),
        ReaderStatisticsSchema,
      ),
    /** What a reader of a page sees, and why. */
    preview: (query: Query) => ask<Preview>(get('/announcements/preview', query), PreviewSchema),
    origins: () => origins('GET'),
    addOrigin: (origin: string) => origins('POST', { origin }),
    removeOrigin: (origin: string) => origins('DELETE', { origin }),
  };
}

/** Entries of one page: the maximum of the server. */
const pageSize = 1_000;
/** Maximum number of pages of a list: more than the longest history has. A hostile page may have 8 MiB. */
const maxPages = 24;

/** A list page by page; pages of long entries are short. The server may be any program: its list must end. */
async function readPages<Page extends { readonly next?: string | undefined }, Entry>(
  read: (query: Query) => Promise<Page>,
  entriesOf: (page: Page) => readonly Entry[],
  query: Query | undefined,
  max = Number.POSITIVE_INFINITY,
): Promise<{ readonly first: Page; readonly entries: readonly Entry[] }> {
  const limit = Math.min(pageSize, max);
  const first = await read({ ...query, limit });
  const entries: Entry[] = [];
  let page = first;
  for (let pages = 1; pages <= maxPages; pages += 1) {
    entries.push(...entriesOf(page));
    if (page.next === undefined || entries.length >= max) return { first, entries: entries.slice(0, max) };
    page = await read({ ...query, limit, after: page.next });
  }
  throw notOurs('its list is longer than any history can be');
}

function notOurs(why: string): RefusedError {
  return new RefusedError(`the server does not answer as a typebadge server does: ${why}; check its address`);
}

/** The announcement with that id, or the current one if none is given. */
export async function findAnnouncement(desk: Desk, id: string | undefined): Promise<DeskAnnouncement> {
  const wanted = id ?? (await desk.list({ limit: 1 })).current;
  if (wanted === null)
    throw new RefusedError('no announcement is shown now; typebadge announce list shows all there are');
  const [found] = (await desk.list({ id: wanted })).announcements;
  if (found === undefined) throw noAnnouncement(wanted);
  return found;
}

export function noAnnouncement(id: string): RefusedError {
  return new RefusedError(`there is no announcement ${id}; typebadge announce list shows all there are`);
}

/** All announcements and changes of a desk, in the order in which they were written. */
export async function readHistory(desk: Desk): Promise<HistoryFile> {
  const { announcements } = await desk.listAll();
  const { changes } = await desk.changes();
  return {
    version: 1,
    announcements: announcements.map(({ state: _, ...entry }) => entry).reverse(),
    changes: changes
      .map(({ number: _, undoneBy: __, undoes, ...change }) => ({
        ...change,
        ...(undoes === null ? {} : { undoes }),
      }))
      .reverse(),
  };
}
