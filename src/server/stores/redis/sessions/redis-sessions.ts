import { randomBytes } from 'node:crypto';
import { replayInputs } from '../../../../typing/round.ts';
import { parseInputText } from '../../../../typing/round-input.ts';
import type { Change, Sessions, StoredSession } from '../../ports.ts';
import type { Session } from '../../session.ts';
import type { StoreConnection } from '../connection/connection.ts';
import { type CachedSession, createSessionCache } from './session-cache.ts';
import { createSessionLists, everybody, ownLists, playerList } from './session-lists.ts';
import {
  createSessionRecords,
  type SessionRecord,
  type SessionWrite,
  type WriteOutcome,
} from './session-records.ts';
import {
  inputsOf,
  LaterVersionError,
  parseSessionText,
  toHeaderText,
  toSessionText,
} from './session-text.ts';

export interface RedisSessionsOptions {
  readonly prefix: string;
  /** Milliseconds after which an unused session is gone. */
  readonly ttl: number;
  /** Sessions at once. */
  readonly limit: number;
  /** Sessions at once of one player, and of one client; of one block, sixteen times as many. Undefined: no bound. */
  readonly limitPerClient?: number | undefined;
  /** Bytes of memory for copies of sessions. */
  readonly cacheMemory: number;
  /** Milliseconds since 1970. Default: the store's clock for time to live, this machine's for the rest. */
  readonly clock?: (() => number) | undefined;
  /** Part of its life after which a session that is used is noted as living. Default: an eighth. */
  readonly renewAfter?: number;
  /** See `SessionRecordsOptions`. */
  readonly expiry?: number;
}

/** An id is part of a key, so it is checked before it becomes one. */
const idPattern = /^[0-9a-f]{32}$/;

/**
 * Sessions in a store that many servers share. The store has the truth; a server changes its copy, and the store takes the
 * change only if the copy was up to date, else the server learns what is new and changes again. So no server owns a
 * session, and any may end at any time.
 */
export function createRedisSessions(store: StoreConnection, options: RedisSessionsOptions): Sessions {
  const {
    prefix,
    ttl,
    limit,
    limitPerClient = Number.MAX_SAFE_INTEGER,
    cacheMemory,
    clock,
    renewAfter = 1 / 8,
  } = options;
  const now = clock ?? Date.now;
  const records = createSessionRecords(store, { prefix, ttl, clock, expiry: options.expiry });
  const lists = createSessionLists(store, prefix);
  const cache = createSessionCache(cacheMemory);
  const renewals = createRenewals(ttl * renewAfter);
  store.onLost(() => cache.clear());

  const oldest = () => now() - ttl * (1 + renewAfter);

  const keep = (record: SessionRecord): CachedSession => {
    const session = parseSessionText(record, record.lastUsed);
    const cached = { session, generation: record.generation, inputBytes: Buffer.byteLength(record.inputs) };
    cache.set(session.id, cached);
    return cached;
  };
  const fetch = async (id: string) => {
    const record = await records.read(id);
    return record && keep(record);
  };
  const renew = (id: string) => {
    // One that fails is made up for by the next use.
    if (renewals.isDue(id, now())) lists.renew(everybody, id, now()).catch(() => renewals.forget(id));
  };

  /** Adds to an owner's list, dropping what is gone where it seems full. */
  const join = async (list: string, { id, createdAt }: Session, most: number) => {
    if (await lists.add(list, id, createdAt, most)) return true;
    const ids = await lists.ids(list);
    const living = await Promise.all(ids.map((each) => records.peek(each)));
    await lists.remove(
      list,
      ids.filter((_, at) => living[at] === undefined),
    );
    return lists.add(list, id, createdAt, most);
  };

  const listOf = async (list: string, toListed = toStored): Promise<StoredSession[]> => {
    const ids = await lists.ids(list);
    const found = await Promise.all(ids.map((id) => records.peek(id)));
    const gone = ids.filter((_, at) => found[at] === undefined);
    await lists.remove(list, gone);
    return found
      .flatMap((record) => record ?? [])
      .flatMap((record) => toListed(record))
      .sort((a, b) => a.session.createdAt - b.session.createdAt);
  };

  const leave = (names: readonly string[], id: string) =>
    Promise.all(names.map((list) => lists.remove(list, [id])));
  const remove = async (session: Session) => {
    cache.delete(session.id);
    const isThere = await records.delete(session.id);
    await leave([everybody, ...ownLists(session).map(({ list }) => list)], session.id);
    return isThere;
  };

  return {
    async create(session) {
      const { id } = session;
      const joined: string[] = [];
      for (const { list, share } of ownLists(session)) {
        if (!(await join(list, session, limitPerClient * share))) {
          await leave(joined, id);
          return 'client full';
        }
        joined.push(list);
      }
      await lists.countSince(everybody, oldest());
      if (!(await lists.add(everybody, id, now(), limit))) {
        await leave(joined, id);
        return 'store full';
      }
      await records.create(id, { generation: newToken(), ...toSessionText(session) });
      return 'added';
    },

    async read(id) {
      if (!idPattern.test(id)) return undefined;
      const session = (await fetch(id))?.session;
      if (session !== undefined) renew(id);
      return session;
    },

    async update<T>(id: string, change: (session: Session) => Change<T>): Promise<T | undefined> {
      if (!idPattern.test(id)) return undefined;
      let cached = cache.get(id) ?? (await fetch(id));
      while (cached !== undefined) {
        const { session, result } = change(cached.session);
        const write = toWrite(cached, session);
        const outcome = await records.write(id, write);
        if (outcome.kind === 'written') {
          renew(id);
          cache.set(id, toCached(cached, session, write, outcome.generation));
          return result;
        }
        cached = catchUp(id, cached, outcome) ?? (outcome.kind === 'gone' ? undefined : await fetch(id));
      }
      return undefined;
    },

    async delete(id) {
      if (!idPattern.test(id)) return false;
      const cached = cache.get(id) ?? (await fetch(id));
      return cached !== undefined && remove(cached.session);
    },

    async list(player, { limit: most, after }) {
      const own = await listOf(playerList(player), toReadable);
      const start = after === undefined ? 0 : own.findIndex(({ session }) => session.id === after) + 1;
      if (after !== undefined && start === 0) return undefined;
      const sessions = own.slice(start, start + most);
      const next = start + most < own.length ? sessions.at(-1)?.session.id : undefined;
      return next === undefined ? { sessions } : { sessions, next };
    },

    count: () => lists.countSince(everybody, oldest()),

    async forget(player) {
      const own = await listOf(playerList(player));
      await Promise.all(own.map(({ session }) => remove(session)));
    },

    // Every write has reached the store before it was answered.
    flush: async () => undefined,
  };

  /** The copy with what the store told; undefined where it is better read anew. */
  function catchUp(
    id: string,
    { session, ...known }: CachedSession,
    outcome: WriteOutcome,
  ): CachedSession | undefined {
    cache.delete(id);
    if (outcome.kind === 'changed') return keep(outcome.record);
    if (outcome.kind !== 'behind' || session.round === null) return undefined;
    const { round, isWhole } = replayInputs(session.round, parseInputText(outcome.tail) ?? []);
    if (!isWhole) return undefined;
    const cached = {
      ...known,
      session: { ...session, round },
      inputBytes: known.inputBytes + Buffer.byteLength(outcome.tail),
    };
    cache.set(id, cached);
    return cached;
  }
}

/** What the store must be told to have the session as it is now. */
function toWrite(
  { session: before, generation, inputBytes: from }: CachedSession,
  session: Session,
): SessionWrite {
  const token = newToken();
  const isSameHeader =
    session === before ||
    (session.round?.id === before.round?.id &&
      session.round?.timing === before.round?.timing &&
      session.roundCount === before.roundCount &&
      session.unsaved === before.unsaved);
  if (isSameHeader) return { generation, from, token, text: inputsOf(session, before.round?.inputs.length) };
  return { generation, from, token, text: inputsOf(session), header: toHeaderText(session) };
}

function toCached(
  { inputBytes }: CachedSession,
  session: Session,
  { text, header }: SessionWrite,
  generation: string,
): CachedSession {
  const bytes = Buffer.byteLength(text);
  return { session, generation, inputBytes: header === undefined ? inputBytes + bytes : bytes };
}

function toStored(record: SessionRecord): StoredSession[] {
  return [{ session: parseSessionText(record, record.lastUsed), lastUsed: record.lastUsed }];
}

/** Nothing, where only a server of a later version can read it: a list may not fail for one of many. */
function toReadable(record: SessionRecord): StoredSession[] {
  try {
    return toStored(record);
  } catch (error) {
    if (error instanceof LaterVersionError) return [];
    throw error;
  }
}

function newToken(): string {
  return randomBytes(12).toString('base64url');
}

/** When each session was last noted as living, by this server. */
function createRenewals(interval: number) {
  const noted = new Map<string, number>();
  return {
    isDue(id: string, time: number): boolean {
      const last = noted.get(id);
      if (last !== undefined && time - last < interval) return false;
      noted.delete(id);
      noted.set(id, time);
      // Those forgotten are noted once more than they need to be.
      if (noted.size > 20_000) noted.delete(noted.keys().next().value as string);
      return true;
    },
    forget: (id: string) => void noted.delete(id),
  };
}
