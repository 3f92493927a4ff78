import { createKeyedQueue } from '../../kit/keyed-queue.ts';
import { createRecentCache } from '../../kit/recent-cache.ts';
import type { PageRequest, PlayerId } from './player.ts';
import { type Records, StoreUnavailableError } from './records/records.ts';
import { mayBeOf, type Session, sessionPattern } from './session.ts';
import {
  createSessionOwners,
  type Owners,
  type SessionAdmission,
  type SessionOwnersOptions,
  type UsedSession,
} from './session-owners.ts';
import {
  type RecordedSession,
  readSession,
  sessionChange,
  sessionRecord,
  sessionTexts,
} from './session-record.ts';

/** A session after a change, and the result of the change. */
export interface SessionUpdate<T> {
  readonly session: Session;
  readonly result: T;
}

export interface SessionPage {
  /** The last use of another server's sessions may be a minute behind. */
  readonly sessions: readonly UsedSession[];
  /** The `after` of the next page; missing at the end of the list. */
  readonly next?: string;
}

/**
 * Open sessions. They are plain immutable data: what a caller has read does not change. A change that was
 * acknowledged is in the store.
 *
 * Every use of a session (`create`, `read`, `update`) renews it; after its time to live without use, it no
 * longer exists.
 */
export type Sessions = ReturnType<typeof createSessions>;

/** This process's copy of a session. */
interface Copy extends RecordedSession {
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly lastUsed: number;
  /** The last use that is in the record. */
  readonly renewed: number;
}

/** Maximum number of sessions that are cached. */
const maxCopies = 1_000;
/** UTF-16 units of texts and inputs in a session whose size in the cache is 1. */
const usualSession = 4_096;

type Change<T> = (session: Session) => SessionUpdate<T> | undefined;

/**
 * An update changes this process's copy, and is committed if the record has not changed since; otherwise the
 * record is read again and the change repeated.
 */
export function createSessions(records: Records, options: SessionOwnersOptions) {
  const { ttl, clock, latest = clock } = options;
  const owners = createSessionOwners(records, options);
  const copies = createRecentCache<Copy>(maxCopies, {
    sizeOf: ({ session, text }) =>
      Math.max(1, (text.length + (session.round?.inputs.length ?? 0)) / usualSession),
  });
  const queue = createKeyedQueue();
  /**
   * A use within this time of the last one written is not written, in milliseconds: a thousandth of the time
   * to live.
   */
  const renewalPause = ttl / 1000;

  const keep = (copy: Copy): Copy => {
    copies.put(copy.session.id, copy);
    return copy;
  };

  /** The session as it is in the store now. */
  const load = async (id: string): Promise<Copy | undefined> => {
    if (!sessionPattern.test(id)) return undefined;
    const copy = copies.get(id);
    const { version, values } = await records.read(
      sessionRecord(id),
      ['used', ...sessionTexts],
      copy?.version,
    );
    if (copy?.version === version) return copy;
    if (version === '') {
      copies.delete(id);
      return undefined;
    }
    const [used, ...texts] = values;
    const { session, text } = await readSession(texts, copy);
    const renewed = Number(used);
    return keep({ session, text, version, renewed, lastUsed: Math.max(renewed, copy?.lastUsed ?? 0) });
  };

  /** Also if the last use was written by a server whose clock is ahead. */
  const isDue = ({ renewed }: Copy) => Math.abs(latest() - renewed) >= renewalPause;

  /** Records that a session was used now. A store that cannot write may still be read. */
  const renew = async (copy: Copy): Promise<void> => {
    const now = latest();
    if (!isDue(copy)) {
      keep({ ...copy, lastUsed: now });
      return;
    }
    const change = { if: copy.version, put: { used: String(now) }, ttl };
    try {
      const done = await records.commit(sessionRecord(copy.session.id), change);
      if (!('version' in done)) return;
      keep({ ...copy, version: done.version, lastUsed: now, renewed: now });
      await owners.renew(copy.session, now);
    } catch {
      // The next use tries again.
    }
  };

  /** Writes the session after a change of a copy; undefined if the record has changed since. */
  const write = async (copy: Copy, session: Session): Promise<Copy | undefined> => {
    const { text, change } = sessionChange(copy, session, copy.version);
    try {
      const done = await records.commit(sessionRecord(session.id), change);
      if ('refused' in done) return undefined;
      return keep({ session, text, version: done.version, lastUsed: latest(), renewed: copy.renewed });
    } catch (error) {
      // It may have happened or not.
      copies.delete(session.id);
      throw error;
    }
  };

  const update = async <T>(id: string, change: Change<T>): Promise<T | undefined> => {
    // The copy is nearly always current. What it refuses, or would leave as it is, may be outdated.
    const cached = copies.get(id);
    if (cached !== undefined && !isDue(cached)) {
      const tried = attempt(change, cached.session);
      if (tried && tried.session !== cached.session && (await write(cached, tried.session)))
        return tried.result;
    }
    for (;;) {
      const copy = await load(id);
      if (copy === undefined) return undefined;
      const updated = change(copy.session);
      if (updated === undefined) return undefined;
      const written = updated.session === copy.session ? copy : await write(copy, updated.session);
      if (written === undefined) continue;
      await renew(written);
      return updated.result;
    }
  };

  /** Resolves to the session that was removed. */
  const remove = async (id: string): Promise<Session | undefined> => {
    const copy = await load(id);
    if (copy === undefined) return undefined;
    copies.delete(id);
    await records.remove(sessionRecord(id));
    await owners.release(copy.session);
    return copy.session;
  };

  return {
    /** Adds a session, or says why there is no room for it. */
    async create(session: Session): Promise<SessionAdmission> {
      const admission = await owners.take(session);
      if (admission !== 'added') return admission;
      const used = latest();
      try {
        const { text, change } = sessionChange(undefined, session, '');
        const put = { ...change.put, used: String(used) };
        const done = await records.commit(sessionRecord(session.id), { ...change, put, ttl });
        if (!(await owners.renew(session, used))) {
          // The player was forgotten meanwhile, by a server that did not find it yet.
          await records.remove(sessionRecord(session.id));
          await owners.release(session);
        } else if ('version' in done)
          keep({ session, text, version: done.version, lastUsed: used, renewed: used });
      } catch (error) {
        await owners.release(session).catch(() => undefined);
        throw error;
      }
      return 'added';
    },
    isCached: (id: string): boolean => copies.get(id) !== undefined,
    /** `isWanted`: any other session counts as missing and is not renewed. */
    async read(
      id: string,
      isWanted: (session: Session) => boolean = () => true,
    ): Promise<Session | undefined> {
      const copy = await load(id);
      if (copy === undefined || !isWanted(copy.session)) return undefined;
      await renew(copy);
      return copy.session;
    },
    /**
     * Applies `change` to a session atomically, and returns its result; undefined if there is no such
     * session, or if `change` returns undefined, which does not even renew it. If `change` throws, the
     * session stays as it is, and the caller gets the error.
     *
     * `change` may run several times, on a newer session each time. So it must have no effects, and ids,
     * seeds and times must be made before. Only the result of the last run is returned.
     */
    update: async <T>(id: string, change: Change<T>): Promise<T | undefined> =>
      queue.run(id, () => update(id, change)),
    /** Removes a session. Resolves to whether there was one. */
    delete: async (id: string) => (await queue.run(id, () => remove(id))) !== undefined,
    /** A player's sessions, oldest first, without renewing them; undefined if `after` is not one of them. */
    async list(player: PlayerId, { limit, after }: PageRequest): Promise<SessionPage | undefined> {
      const opened = await owners.sessionsOf(player);
      const start = opened.findIndex(({ id }) => id === after) + 1;
      if (after !== undefined && start === 0) return undefined;
      const since = clock() - ttl;
      const sessions: UsedSession[] = [];
      for (const session of opened.slice(start)) {
        if (sessions.length > limit) break;
        // Perhaps not written yet.
        if (session.lastUsed === undefined) continue;
        const lastUsed = Math.max(session.lastUsed, copies.get(session.id)?.lastUsed ?? 0);
        if (lastUsed > since) sessions.push({ ...session, lastUsed });
      }
      if (sessions.length <= limit) return { sessions };
      const page = sessions.slice(0, limit);
      return { sessions: page, next: (page.at(-1) as UsedSession).id };
    },
    count: owners.count,
    /** Whether a round with this id is running or complete in an open session of a player. */
    async isTyping(player: PlayerId, round: string): Promise<boolean> {
      for (const { id } of await owners.sessionsOf(player)) {
        if (!mayBeOf(id, round)) continue;
        const copy = await load(id).catch(missingIfUnreadable);
        if (copy?.session.round?.id === round) return true;
      }
      return false;
    },
    /** Permanently removes all sessions of a player with everything in them. */
    async deleteAll(player: PlayerId): Promise<void> {
      // Without a key, player and client are the same; other owners are found by `clean`.
      const known = { player, address: player, block: undefined };
      const released: Owners[] = [];
      for (const { id } of await owners.sessionsOf(player)) {
        const session = await queue.run(id, () => remove(id)).catch(missingIfUnreadable);
        if (session === undefined) {
          // It has expired or cannot be read, or its removal was cut short.
          await records.remove(sessionRecord(id));
          await owners.release({ id, ...known });
          // It may have been written since. A server that writes it later sees that it is no longer counted.
          await records.remove(sessionRecord(id));
        }
        released.push(session ?? known);
      }
      // Once for all of them: each rewrites the list of all sessions.
      await owners.forget(released);
    },
    /** Removes expired sessions from the lists of their owners. */
    clean: owners.clean,
  };
}

/** Counts a session that cannot be read as missing. An outage of the store is another matter. */
function missingIfUnreadable(error: unknown): undefined {
  if (error instanceof StoreUnavailableError) throw error;
}

/** Undefined if the change throws: perhaps only because the session is not current. */
function attempt<T>(change: Change<T>, session: Session): SessionUpdate<T> | undefined {
  try {
    return change(session);
  } catch {
    return undefined;
  }
}
