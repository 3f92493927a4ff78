import { createKeyedQueue } from '../../../../kit/keyed-queue.ts';
import { type Sessions, type SessionUpdate, StoreUnavailableError } from '../../ports.ts';
import type { Session } from '../../session.ts';
import { toSessionText } from '../../session-events/session-text.ts';
import type { StoreConnection } from '../connection/connection.ts';
import { createCountedLists, type ListEntry } from '../lists/counted-lists.ts';
import { createSessionCopies, toCopy } from './session-copies.ts';
import { newToken, prepareWrite, type SessionCopy } from './session-copy.ts';
import { createSessionPlaces } from './session-places.ts';
import { createSessionRecords, type SessionRecords } from './session-records.ts';
import { startedBytes, storedBytes } from './stored-size.ts';

export interface RedisSessionsOptions {
  readonly prefix: string;
  /** Milliseconds after which an unused session expires. */
  readonly ttl: number;
  /** Most sessions. */
  readonly limit: number;
  /** Most memory of all sessions in the store, in bytes. Default: no limit. */
  readonly memory?: number | undefined;
  /** Most sessions of one player, and of one client; of one block, sixteen times as many. Undefined: no limit. */
  readonly limitPerClient?: number | undefined;
  /** Most memory in the store of the sessions of one client, or of one block, in bytes. Default: no limit. */
  readonly memoryPerClient?: number | undefined;
  /** Most memory of this process for copies of sessions, in bytes. */
  readonly cacheMemory: number;
  /** Milliseconds since 1970. Default: the store's clock, because those of the servers may differ and jump. */
  readonly clock?: (() => number) | undefined;
  /** Share of the time to live after which a use of a session is noted again. Default: an eighth. */
  readonly renewAfter?: number;
  /** See `SessionRecordsOptions`. */
  readonly expiry?: number;
}

/**
 * Most attempts at a change. Each conflict means that another server has changed the same session; a player uses one server at a
 * time, so nobody honest comes near it.
 */
const mostAttempts = 50;

/** Ids are checked because they become part of a key. */
const idPattern = /^[0-9a-f]{32}$/;

type Change<T> = (session: Session) => SessionUpdate<T>;

/** The result of a change, or the newer copy that it has to be applied to, undefined if the session is gone. */
type Attempt<T> = { readonly result: T } | { readonly next: SessionCopy | undefined };

/**
 * Sessions in a shared store. The store is authoritative: a server changes its copy, and the store accepts the change only if
 * the copy was up to date; otherwise the server gets what is new and applies the change again. So no server owns a session, and
 * any server may end at any time.
 */
export function createRedisSessions(store: StoreConnection, options: RedisSessionsOptions): Sessions {
  const { records, places } = openParts(store, options);
  const copies = createSessionCopies(records, options.cacheMemory);
  store.onLost(copies.clear);
  // So that simultaneous requests on this server never compete for a session.
  const turns = createKeyedQueue();
  const find = (id: string) => turns.run(id, () => copies.find(id));
  const attempt = async <T>(copy: SessionCopy, change: Change<T>): Promise<Attempt<T>> => {
    const { session, result } = change(copy.session);
    const { write, after } = prepareWrite(copy, session);
    // First, so that the store never contains more than is counted.
    if (storedBytes(after) > storedBytes(copy)) await places.grow(session, storedBytes(after));
    const outcome = await records.write(session.id, write);
    if (outcome.kind === 'written') {
      places.renew(session, storedBytes(after));
      copies.put({ ...after, generation: outcome.generation });
      return { result };
    }
    if (outcome.kind === 'gone' && !(await records.isSetAside(session.id))) await places.leave(session);
    return { next: await copies.catchUp(copy, outcome) };
  };
  const update = async <T>(id: string, change: Change<T>): Promise<T | undefined> => {
    let copy = await copies.find(id);
    for (let attempts = 0; copy !== undefined && attempts < mostAttempts; attempts += 1) {
      const outcome: Attempt<T> = await attempt(copy, change);
      if ('result' in outcome) return outcome.result;
      copy = outcome.next;
    }
    if (copy === undefined) return undefined;
    throw new StoreUnavailableError('Other servers keep changing this session.');
  };

  const remove = async (session: Session) => {
    copies.drop(session.id);
    const isThere = await records.delete(session.id);
    await places.leave(session);
    return isThere;
  };

  return {
    async create(session) {
      const text = toSessionText(session);
      const sizes = {
        headerBytes: Buffer.byteLength(text.header),
        inputBytes: Buffer.byteLength(text.inputs),
      };
      const admission = await places.take(session, storedBytes({ session, ...sizes }));
      if (admission === 'added') await records.create(session.id, { generation: newToken(), ...text });
      return admission;
    },

    async read(id) {
      if (!idPattern.test(id)) return undefined;
      const copy = await turns.run(id, () => copies.fetch(id));
      if (copy !== undefined) places.renew(copy.session, storedBytes(copy));
      return copy?.session;
    },

    update: async (id, change) => (idPattern.test(id) ? turns.run(id, () => update(id, change)) : undefined),

    async expectRoom(id, text) {
      if (!idPattern.test(id)) return;
      const copy = await find(id);
      if (copy === undefined) return;
      const bytes = startedBytes(copy.session, text);
      if (bytes > storedBytes(copy)) await places.grow(copy.session, bytes);
    },

    async delete(id) {
      if (!idPattern.test(id)) return false;
      const copy = await find(id);
      return copy !== undefined && remove(copy.session);
    },

    async list(player, { limit: most, after }) {
      const found = await places.list(player, after, most + 1);
      if (found === undefined) return undefined;
      const sessions = found.slice(0, most);
      const next = found.length > most ? sessions.at(-1)?.session.id : undefined;
      return next === undefined ? { sessions } : { sessions, next };
    },

    count: places.count,

    async forget(player) {
      const unread: ListEntry[] = [];
      for (const entry of await places.entriesOf(player)) {
        const session = await readForRemoval(records, entry.id);
        if (session !== undefined) await remove(session);
        else unread.push(entry);
      }
      for (const { id } of await places.strayEntries(player)) {
        const session = await readForRemoval(records, id);
        if (session?.player === player) await remove(session);
      }
      for (const { id } of unread) {
        copies.drop(id);
        await records.delete(id);
      }
      await places.leaveUnread(player, unread);
    },

    // Nothing to do: a write is answered only after it has reached the store.
    flush: async () => undefined,
  };
}

/** Undefined if it does not exist or cannot be parsed. Rejects if it was written by a later version. */
async function readForRemoval(records: SessionRecords, id: string): Promise<Session | undefined> {
  const record = await records.peek(id);
  if (record === undefined) return undefined;
  try {
    return (await toCopy(id, record)).session;
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error;
    return undefined;
  }
}

function openParts(store: StoreConnection, options: RedisSessionsOptions) {
  const { prefix, ttl, clock, expiry = ttl, renewAfter = 1 / 8 } = options;
  const records = createSessionRecords(store, { prefix, ttl, clock, expiry });
  // Longer than a session can live after its last noted use.
  const lists = createCountedLists(store, { root: `${prefix}:sessions`, expiry: 2 * expiry, clock });
  const infinite = Number.POSITIVE_INFINITY;
  const places = createSessionPlaces(lists, records, {
    ttl,
    renewAfter,
    now: clock ?? (() => performance.now()),
    all: { sessions: options.limit, bytes: options.memory ?? infinite },
    perClient: {
      sessions: options.limitPerClient ?? infinite,
      bytes: options.memoryPerClient ?? infinite,
    },
  });
  return { records, places };
}
