import { setImmediate } from 'node:timers/promises';
import { clientsPerBlock } from '../../kit/address.ts';
import { createRecentCache } from '../../kit/recent-cache.ts';
import type { PlayerId } from './player.ts';
import type { Records } from './records/records.ts';
import type { SessionHeader } from './session.ts';
import { sessionRecord } from './session-record.ts';

/*
 * Who has how many sessions. Each owner (the player, the client, its block, and `all`) has a record with a
 * field for each of its sessions, its time of creation, and their number `n`, which a change cannot raise
 * above the limit. Nothing is atomic across records: a session is counted before it is written, and removed
 * before it is uncounted. A crash in between leaves it counted until a sweep counts again: when an owner
 * seems to be full, and when sessions may have expired.
 *
 * The player's field also has the last use, once the session is written, so that a list of sessions reads
 * only this record.
 */

/** `client full`: this player, client or block has reached its limit of sessions. */
export type SessionAdmission = 'added' | 'store full' | 'client full';

export interface SessionOwnersOptions {
  /** Maximum number of sessions of all. */
  readonly limit: number;
  /** Maximum number of sessions of one player, and of one client; of one block, sixteen times as many. */
  readonly limitPerClient: number;
  /** Milliseconds after which an unused session expires. */
  readonly ttl: number;
  readonly clock: () => number;
  /** The time of a use: see `StoresOptions`. Default: `clock`. */
  readonly latest?: () => number;
}

/** A session in a list. Times are milliseconds since 1970. */
export interface UsedSession extends Pick<SessionHeader, 'id' | 'createdAt'> {
  readonly lastUsed: number;
}

/** A session as its player's record knows it; `lastUsed` is undefined while it may not be written yet. */
interface OwnedSession extends Omit<UsedSession, 'lastUsed'> {
  readonly lastUsed: number | undefined;
}

export type Owners = Pick<SessionHeader, 'player' | 'address' | 'block'>;

const playerRecord = (player: PlayerId) => `owner/player.${player}`;
const allRecord = 'owner/all';
const sweptField = 'swept';
const countField = 'n';
/** Milliseconds that a session may be counted before it is written. */
const maxDelay = 60_000;
/** Maximum number of players whose sorted sessions are cached. */
const maxLists = 100;
/** Sessions checked in one turn of the event loop. */
const sweepStep = 50;
/** Milliseconds between two rewritings of a record. Each waits for the disk: who comes meanwhile shares one. */
const rewritePause = 500;

export function createSessionOwners(records: Records, options: SessionOwnersOptions) {
  const { limit, limitPerClient, ttl, clock } = options;
  /** No session known to this process expires earlier; those of earlier processes are checked soon. */
  let nextExpiry = clock() + ttl / 100;
  /** Minimum time between two sweeps of an owner: a fraction of the time to live. */
  const sweepPause = ttl / 1000;
  const lists = createRecentCache<{ readonly version: string; readonly sessions: readonly OwnedSession[] }>(
    maxLists,
  );

  /** The records of all owners of a session, each with its limit. */
  const limitsOf = ({ player, address, block }: Owners): (readonly [string, number])[] => [
    [playerRecord(player), limitPerClient],
    ...(address === '' ? [] : [[`owner/address.${address}`, limitPerClient] as const]),
    ...(block === undefined ? [] : [[`owner/block.${block}`, limitPerClient * clientsPerBlock] as const]),
    [allRecord, limit],
  ];

  const takeOne = async (
    record: string,
    { id, createdAt }: Pick<SessionHeader, 'id' | 'createdAt'>,
    max: number,
  ) => {
    const change = {
      put: { [id]: String(createdAt) },
      add: { [countField]: 1 },
      ...(Number.isFinite(max) && { max: { [countField]: max } }),
    };
    const isTaken = async () => 'version' in (await records.commit(record, change));
    return (await isTaken()) || ((await sweep(record)) && isTaken());
  };

  const releaseOne = async (record: string, id: string) => {
    for (;;) {
      const { version, values } = await records.read(record, [id, countField]);
      if (values[0] === undefined) return;
      const isLast = Number(values[1]) <= 1;
      const change = isLast ? removal : { remove: [id], add: { [countField]: -1 } };
      if ('version' in (await records.commit(record, { if: version, ...change }))) return;
    }
  };

  /**
   * Counts the sessions of an owner again. Resolves to whether there are fewer now; does nothing shortly
   * after the last time.
   */
  const sweepNow = async (record: string): Promise<boolean> => {
    for (;;) {
      const now = clock();
      const { version, values } = await records.read(record, [sweptField]);
      if (now - Number(values[0] ?? Number.NEGATIVE_INFINITY) < sweepPause) return false;
      const sessions = sessionsIn(await records.fields(record));
      let oldestUse = now;
      const gone: string[] = [];
      for (const [at, { id, createdAt }] of sessions.entries()) {
        const session = await records.read(sessionRecord(id), ['used']);
        if (session.version !== '') oldestUse = Math.min(oldestUse, Number(session.values[0]));
        else if (now - createdAt >= Math.min(ttl, maxDelay)) {
          gone.push(id);
          await records.remove(sessionRecord(id));
        }
        if (at % sweepStep === sweepStep - 1) await setImmediate();
      }
      const left = sessions.length - gone.length;
      const put = { [sweptField]: String(now), [countField]: String(left) };
      const change = left === 0 ? removal : { put, remove: gone };
      const done = await records.commit(record, { if: version, ...change });
      if ('refused' in done) continue;
      if (record === allRecord) nextExpiry = oldestUse + ttl;
      return gone.length > 0;
    }
  };

  const sweeps = new Map<string, Promise<boolean>>();
  /** All who need it share a sweep: of ten thousand sessions it takes long. */
  const sweep = (record: string): Promise<boolean> => {
    const running = sweeps.get(record) ?? sweepNow(record).finally(() => sweeps.delete(record));
    sweeps.set(record, running);
    return running;
  };

  /** The pauses after the last rewritings, and the rewritings that wait for their ends. */
  const pauses = new Map<string, Promise<unknown>>();
  const rewrites = new Map<string, Promise<void>>();
  const rewrite = async (record: string): Promise<void> => {
    await pauses.get(record);
    rewrites.delete(record);
    const pause = new Promise((resolve) => setTimeout(resolve, rewritePause).unref());
    const ended = pause.then(() => pauses.delete(record));
    pauses.set(record, ended);
    for (;;) {
      const { version } = await records.read(record);
      if (version === '' || 'version' in (await records.commit(record, { if: version, forget: true })))
        return;
    }
  };
  const rewriteShared = async (record: string): Promise<void> => {
    if ((await records.read(record)).version === '') return;
    const due = rewrites.get(record) ?? rewrite(record);
    rewrites.set(record, due);
    await due;
  };

  return {
    /** Counts a session, or says why there is no room for it. */
    async take(session: SessionHeader): Promise<SessionAdmission> {
      nextExpiry = Math.min(nextExpiry, clock() + ttl);
      const taken: string[] = [];
      for (const [record, max] of limitsOf(session)) {
        if (await takeOne(record, session, max)) taken.push(record);
        else {
          for (const each of taken) await releaseOne(each, session.id);
          return record === allRecord ? 'store full' : 'client full';
        }
      }
      return 'added';
    },
    /** Writes down for the list that a session was used at this time. Resolves to whether it is counted. */
    async renew({ id, player }: Pick<SessionHeader, 'id' | 'player'>, used: number): Promise<boolean> {
      const record = playerRecord(player);
      for (;;) {
        const { version, values } = await records.read(record, [id]);
        const [entry] = values;
        if (entry === undefined) return false;
        const change = { if: version, put: { [id]: `${parseInt(entry, 10)} ${used}` } };
        if ('version' in (await records.commit(record, change))) return true;
      }
    },
    /** Stops counting a session. Harmless if it is not counted. */
    async release(session: Owners & Pick<SessionHeader, 'id'>): Promise<void> {
      // The player’s record first: a server that is opening the session looks there, and stops counting it.
      for (const [record] of limitsOf(session)) await releaseOne(record, session.id);
    },
    /** Rewrites the records of these owners, so that no file still shows what was released. */
    async forget(owners: readonly Owners[]): Promise<void> {
      const names = new Set(owners.flatMap((each) => limitsOf(each).map(([record]) => record)));
      await Promise.all([...names].map(rewriteShared));
    },
    /** A player's sessions, oldest first. Some may have expired. */
    async sessionsOf(player: PlayerId): Promise<readonly OwnedSession[]> {
      const known = lists.get(player);
      const { version } = await records.read(playerRecord(player));
      if (known?.version === version) return known.sessions;
      const sessions = sessionsIn(await records.fields(playerRecord(player)));
      sessions.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
      lists.put(player, { version, sessions });
      return sessions;
    },
    async count(): Promise<number> {
      if (clock() >= nextExpiry) await sweep(allRecord);
      const { values } = await records.read(allRecord, [countField]);
      return Number(values[0] ?? 0);
    },
    /** Counts the sessions of all owners again. */
    async clean(): Promise<void> {
      for await (const record of records.ids('owner/')) await sweep(record);
    },
  };
}

/** Removes a record, if nothing has changed in it. */
const removal = { ttl: 0 } as const;

function sessionsIn(fields: ReadonlyMap<string, string>): OwnedSession[] {
  return [...fields]
    .filter(([name]) => name !== sweptField && name !== countField)
    .map(([id, entry]) => {
      const [createdAt, lastUsed] = entry.split(' ');
      return {
        id,
        createdAt: Number(createdAt),
        lastUsed: lastUsed === undefined ? undefined : Number(lastUsed),
      };
    });
}
