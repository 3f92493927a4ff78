import * as v from 'valibot';
import type { Stats } from '../../announcements/reader-statistics.ts';
import {
  type AnnouncementList,
  AnnouncementListSchema,
  type ChangedAnnouncement,
  ChangedAnnouncementSchema,
  type ChangeLog,
  ChangeLogSchema,
  type DeskQuery,
  OriginListSchema,
  type Preview,
  PreviewSchema,
  ReaderStatisticsSchema,
  type UndoneAnswer,
  UndoneSchema,
} from '../../contract/desk-types.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../contract/transport.ts';
import { type AnnouncementJson, announcementJson } from '../display/announcement-text.ts';
import { RefusedError } from '../program/command-io.ts';

/** An answer, the revision for `If-Match` and the server's clock (epoch milliseconds), if it has them. */
export interface Answered<T> {
  readonly value: T;
  readonly revision: string | undefined;
  readonly date: number | undefined;
}

export interface ChangeOptions {
  /** Refused with `CHANGED_MEANWHILE` unless the announcements are at this revision. */
  readonly ifMatch?: string | undefined;
  /** Only finds out what the change would be. */
  readonly dryRun?: boolean | undefined;
}

/** A refusal of the server, with its sentence. */
export class ServerRefusal extends RefusedError {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'ServerRefusal';
  }
}

export type Desk = ReturnType<typeof createDesk>;

/**
 * The editors' API as functions. Whatever cannot be done is a RefusedError in the same words everywhere, and
 * has changed nothing; an answer that is not of this API is one, too. Bodies are those of the API.
 *
 * @param refusalOf what an answer that is an error means to the user
 */
export function createDesk(transport: Transport, refusalOf: (answer: ApiResponse) => Error) {
  const ask = async <T>(request: ApiRequest, schema: v.GenericSchema, what: string): Promise<Answered<T>> => {
    const answer = await transport({ ...request, path: `/api${request.path}` });
    if (answer.status >= 400) throw refusalOf(answer);
    if (!v.is(schema, answer.body)) throw shapeRefusal(`it sent no ${what} that can be read`);
    const date = Date.parse(answer.headers.date ?? '');
    return {
      value: answer.body as T,
      revision: answer.headers.etag,
      date: Number.isNaN(date) ? undefined : date,
    };
  };
  const read = <T>(path: string, query: DeskQuery, schema: v.GenericSchema, what: string) =>
    ask<T>({ method: 'GET', path: path + queryText(query) }, schema, what);

  const list = (query: DeskQuery = {}) =>
    read<AnnouncementList>('/announcements', query, AnnouncementListSchema, 'list of announcements');
  const changes = async (query: DeskQuery = {}) => {
    const answer = read<ChangeLog>('/announcements/changes', query, ChangeLogSchema, 'list of changes');
    return (await answer).value;
  };

  const change = (method: 'POST' | 'PATCH', path: string, body: object, options?: ChangeOptions) =>
    ask<ChangedAnnouncement>(
      changeRequest(method, path, body, options),
      ChangedAnnouncementSchema,
      'announcement as it is now',
    );
  const pathOf = (id: string) => `/${encodeURIComponent(id)}`;

  const origins = async (method: 'GET' | 'POST' | 'DELETE', body?: object) => {
    const request = { method, path: '/origins', ...(body === undefined ? {} : { body }) };
    const { value } = await ask<{ origins: readonly string[] }>(request, OriginListSchema, 'list of sites');
    return value.origins;
  };

  return {
    /** A page of the announcements that a query asks for. */
    list,
    /** All of them, or the first `most`, page by page: the server may send short pages if entries are long. */
    async listAll(query?: DeskQuery, most?: number): Promise<Answered<AnnouncementList>> {
      const partOf = ({ value: { announcements, next } }: Answered<AnnouncementList>) =>
        [announcements, next] as const;
      const { first, entries } = await readPages('announcements', list, partOf, query, most);
      return { ...first, value: { ...first.value, announcements: entries } };
    },
    publish: (body: object, options?: ChangeOptions) => change('POST', '', body, options),
    edit: (id: string, body: object, options?: ChangeOptions) => change('PATCH', pathOf(id), body, options),
    expire: (id: string, body: object, options?: ChangeOptions) =>
      change('POST', `${pathOf(id)}/expire`, body, options),
    withdraw: (id: string, options?: ChangeOptions) => change('POST', `${pathOf(id)}/withdraw`, {}, options),
    /** Takes back the change with that number; undefined: the last one that is not undone. */
    undo(number: number | undefined, options?: ChangeOptions) {
      const body = number === undefined ? {} : { change: number };
      const request = changeRequest('POST', '/undo', body, options);
      return ask<UndoneAnswer>(request, UndoneSchema, 'report of what was undone');
    },
    /** A page of the log, the latest change first. */
    changes,
    async changesAll(query?: DeskQuery, most?: number): Promise<ChangeLog> {
      const partOf = ({ changes: part, next }: ChangeLog) => [part, next] as const;
      const { first, entries } = await readPages('changes', changes, partOf, query, most);
      return { ...first, changes: entries };
    },
    /** How often announcements were shown on the last days in UTC, today included. */
    stats: async (query: DeskQuery) =>
      (await read<Stats>('/announcements/stats', query, ReaderStatisticsSchema, 'statistics')).value,
    /** What a reader of a page sees, and why. */
    preview: async (query: DeskQuery) =>
      (await read<Preview>('/announcements/preview', query, PreviewSchema, 'preview')).value,
    origins: () => origins('GET'),
    addOrigin: (origin: string) => origins('POST', { origin }),
    removeOrigin: (origin: string) => origins('DELETE', { origin }),
  };
}

function changeRequest(
  method: 'POST' | 'PATCH',
  path: string,
  body: object,
  { ifMatch, dryRun = false }: ChangeOptions = {},
): ApiRequest {
  return {
    method,
    path: `/announcements${path}${dryRun ? '?dryRun=true' : ''}`,
    body,
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
  };
}

/** Entries of one page: the most that a server gives. */
const pageSize = 1_000;
/** Maximum number of pages of a list: more than the longest history has. A hostile page may have 8 MiB. */
const maxPages = 24;

/**
 * A list page by page. The server may be any program: rejects with a RefusedError if its list never ends.
 *
 * @param partOf the entries of a page, and where the next page begins; undefined at the end
 */
async function readPages<Page, Entry>(
  what: string,
  read: (query: DeskQuery) => Promise<Page>,
  partOf: (page: Page) => readonly [entries: readonly Entry[], next: string | undefined],
  query: DeskQuery | undefined,
  most = Number.POSITIVE_INFINITY,
): Promise<{ readonly first: Page; readonly entries: readonly Entry[] }> {
  const limit = Math.min(pageSize, most);
  const first = await read({ ...query, limit });
  const all: Entry[] = [];
  let page = first;
  for (let pages = 1; pages <= maxPages; pages += 1) {
    const [entries, next] = partOf(page);
    if (entries.length > limit) throw shapeRefusal(`a page of its ${what} has more entries than asked for`);
    all.push(...entries);
    if (next === undefined || all.length >= most) return { first, entries: all.slice(0, most) };
    page = await read({ ...query, limit, after: next });
  }
  throw shapeRefusal(`its list of ${what} is longer than any history can be`);
}

function queryText(query: DeskQuery): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

function shapeRefusal(why: string): RefusedError {
  return new RefusedError(`the server does not answer as a typebadge server does: ${why}; check its address`);
}

/** The announcement with that id, or the current one if none is given. */
export async function findAnnouncement(desk: Desk, id: string | undefined): Promise<AnnouncementJson> {
  const wanted = id ?? (await desk.list({ limit: 1 })).value.current;
  if (wanted === null)
    throw new RefusedError('no announcement is shown now; typebadge announce list shows all there are');
  const [found] = (await desk.list({ id: wanted })).value.announcements;
  if (found === undefined) throw noAnnouncement(wanted);
  return announcementJson(found);
}

/** Rejects if there is no announcement with that id. */
export async function requireAnnouncement(desk: Desk, id: string): Promise<void> {
  if ((await desk.list({ id })).value.total === 0) throw noAnnouncement(id);
}

export function noAnnouncement(id: string): RefusedError {
  return new RefusedError(`there is no announcement ${id}; typebadge announce list shows all there are`);
}
