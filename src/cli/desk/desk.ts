import * as v from 'valibot';
import type { HistoryFile } from '../../announcements/announcement.ts';
import type { FieldProblem } from '../../announcements/plain-values.ts';
import { parseInstant } from '../../announcements/times/instant.ts';
import { localText } from '../../announcements/times/zone.ts';
import { type DeskOperationName, deskRoutes } from '../../contract/desk-routes.ts';
import {
  AnnouncementListSchema,
  type Answer,
  ChangedAnnouncementSchema,
  ChangeLogSchema,
  type DeskAnnouncement,
  type DeskQuery,
  OriginListSchema,
  PreviewSchema,
  ReaderStatisticsSchema,
  UndoneSchema,
} from '../../contract/desk-types.ts';
import type { ApiResponse } from '../../contract/transport.ts';
import { RefusedError } from '../program/command-io.ts';
import { optionSentence } from './change-options.ts';

interface DeskCall {
  /** Of the announcement in the path. */
  readonly id?: string;
  readonly query?: Query | undefined;
  readonly body?: object;
  /** Refused if anything was changed since this revision of the announcements. */
  readonly ifMatch?: string | undefined;
}
type Query = { readonly [N in keyof DeskQuery]: DeskQuery[N] | undefined };

/** The editors' API, elsewhere or in this process. */
export type DeskPort = (operation: DeskOperationName, call: DeskCall) => Promise<ApiResponse>;

interface ChangeOptions extends Pick<DeskCall, 'ifMatch'> {
  /** Only finds out what the change would be. */
  readonly dryRun?: boolean;
  /** For the times in a refusal; undefined: as the API writes them. */
  readonly localZone?: string | undefined;
}

const answers = {
  listAnnouncements: AnnouncementListSchema,
  publishAnnouncement: ChangedAnnouncementSchema,
  editAnnouncement: ChangedAnnouncementSchema,
  expireAnnouncement: ChangedAnnouncementSchema,
  withdrawAnnouncement: ChangedAnnouncementSchema,
  undoChange: UndoneSchema,
  listChanges: ChangeLogSchema,
  readReaderStatistics: ReaderStatisticsSchema,
  previewBadge: PreviewSchema,
  listOrigins: OriginListSchema,
  addOrigin: OriginListSchema,
  removeOrigin: OriginListSchema,
} as const satisfies Readonly<Record<DeskOperationName, v.GenericSchema>>;

export function queryText(query: Query = {}): string {
  const set = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    Object.fromEntries(set.map(([name, value]) => [name, String(value)])),
  ).toString();
}

export type Desk = ReturnType<typeof createDesk>;

/**
 * The editors' API as functions. Whatever cannot be done rejects with a RefusedError, and has changed
 * nothing; so does an answer that is not of this API. Bodies are those of the API.
 */
export function createDesk(port: DeskPort) {
  const request = async <N extends DeskOperationName>(operation: N, call: DeskCall, localZone?: string) => {
    const { status, body, headers } = await port(operation, call);
    if (status >= 400) {
      const { error, problems } = body as { error: string; problems?: readonly FieldProblem[] };
      throw new RefusedError(localTimes(problems?.map(optionSentence).join('; ') ?? error, localZone));
    }
    if (!v.is(answers[operation], body)) {
      const { message } = notOurs('it sent an answer that cannot be read');
      const isReading = deskRoutes.some(([method, , name]) => name === operation && method === 'GET');
      throw new RefusedError(isReading ? message : `${message}. ${unknownOutcome}`);
    }
    return { answer: body as Answer<(typeof answers)[N]>, revision: headers.etag };
  };
  const ask = async <N extends DeskOperationName>(
    operation: N,
    { dryRun, query, localZone, ...call }: DeskCall & ChangeOptions = {},
  ) => (await request(operation, { ...call, query: dryRun ? { dryRun: 'true' } : query }, localZone)).answer;
  /** A page of the announcements that match a query, and their revision for `ifMatch`. */
  const list = async (query?: Query) => {
    const { answer, revision } = await request('listAnnouncements', { query });
    return { ...answer, revision };
  };

  return {
    list,
    listAll: (query?: Query, max?: number) => readPages(list, 'announcements', query, max),
    publish: (body: object, options?: ChangeOptions) => ask('publishAnnouncement', { ...options, body }),
    edit: (id: string, body: object, options?: ChangeOptions) =>
      ask('editAnnouncement', { ...options, id, body }),
    expire: (id: string, body: object, options?: ChangeOptions) =>
      ask('expireAnnouncement', { ...options, id, body }),
    withdraw: (id: string, options?: ChangeOptions) => ask('withdrawAnnouncement', { ...options, id }),
    /** Undoes the change with that number; undefined: the last one that is not undone. */
    undo: (change: number | undefined, options?: ChangeOptions) =>
      ask('undoChange', { ...options, body: { change } }),
    /** The log, the latest change first: all of it, or the first `max`. */
    changes: (given?: Query, max?: number) =>
      readPages((query) => ask('listChanges', { query }), 'changes', given, max),
    stats: (query: Query) => ask('readReaderStatistics', { query }),
    preview: (query: Query) => ask('previewBadge', { query }),
    origins: async () => (await ask('listOrigins')).origins,
    addOrigin: async (origin: string) => (await ask('addOrigin', { body: { origin } })).origins,
    removeOrigin: async (origin: string) => (await ask('removeOrigin', { body: { origin } })).origins,
  };
}

function localTimes(sentence: string, zone: string | undefined): string {
  if (zone === undefined) return sentence;
  return sentence.replace(/\d{4}-[\d-]+T[\d:]+Z/g, (text) => {
    const instant = parseInstant(text);
    return instant === undefined ? text : localText(instant, zone);
  });
}

export const unknownOutcome = 'It is not known whether the change was made: check before you try again';

/** Entries of one page: the maximum of the server. */
const pageSize = 1_000;
/** Maximum number of pages of a list: more than the longest history has. A hostile page may have 8 MiB. */
const maxPages = 24;

/** A list page by page; pages of long entries are short. The server may be any program: its list must end. */
async function readPages<
  Key extends string,
  Page extends { readonly next?: string | undefined } & { readonly [K in Key]: readonly unknown[] },
>(read: (query: Query) => Promise<Page>, key: Key, query?: Query, max = Number.POSITIVE_INFINITY) {
  const limit = Math.min(pageSize, max);
  const first = await read({ ...query, limit });
  const entries: unknown[] = [];
  for (let [page, pages] = [first, 1]; pages <= maxPages; pages += 1) {
    entries.push(...page[key]);
    if (page.next === undefined || entries.length >= max)
      return { ...first, [key]: entries.slice(0, max) } as Page;
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
