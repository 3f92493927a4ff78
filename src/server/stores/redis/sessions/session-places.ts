import type { ListedSession, SessionAdmission } from '../../ports.ts';
import { SessionMemoryError } from '../../ports.ts';
import type { Session } from '../../session.ts';
import { type CountedLists, endlessRoom, type ListEntry } from '../lists/counted-lists.ts';
import { createRenewals } from './renewals.ts';
import type { SessionRecords } from './session-records.ts';
import {
  everybody,
  type ListShare,
  playerList,
  type Share,
  type SharesOptions,
  sharesOf,
} from './session-shares.ts';

export interface SessionPlacesOptions extends SharesOptions {
  /** Milliseconds after which an unused session expires. */
  readonly ttl: number;
  /** Share of the time to live after which a use of a session is noted again. */
  readonly renewAfter: number;
  /** Clock in milliseconds, for the time between two uses. */
  readonly now: () => number;
}

/** The places of sessions in the lists of all sessions, of their players and of their clients. */
export interface SessionPlaces {
  /** Takes a place in each list, or in none. */
  take(session: Session, bytes: number): Promise<SessionAdmission>;
  /** Reserves so many bytes. Rejects with a `SessionMemoryError` if there is no room. */
  grow(session: Session, bytes: number): Promise<void>;
  /**
   * Notes a use in the background, not more often than `renewAfter` says. A session that a list has lost, such as after a jump
   * of the store's clock, gets its place there again with so many bytes.
   */
  renew(session: Session, bytes: number): void;
  leave(session: Session): Promise<void>;
  /** At most `count` sessions of a player that have not expired, oldest first; undefined if `after` is not one of them. */
  list(player: string, after: string | undefined, count: number): Promise<ListedSession[] | undefined>;
  /** A player's sessions, some of which may have expired or be damaged. */
  entriesOf(player: string): Promise<ListEntry[]>;
  /** If the player's list was damaged, all sessions, because the list may lack some of the player's. */
  strayEntries(player: string): Promise<ListEntry[]>;
  /** Gives up the places of sessions that could not be read, and removes what was set aside of the player's list. */
  leaveUnread(player: string, entries: readonly ListEntry[]): Promise<void>;
  count(): Promise<number>;
}

/** Sessions read together. */
const portion = 200;

export function createSessionPlaces(
  lists: CountedLists,
  records: Pick<SessionRecords, 'lastUse' | 'isSetAside'>,
  options: SessionPlacesOptions,
): SessionPlaces {
  const { ttl, renewAfter, now } = options;
  const renewals = createRenewals(ttl * renewAfter);
  /** A session not noted for this long has expired: any use would have been noted. */
  const longest = ttl * (1 + renewAfter);
  const toRoom = ({ sessions, bytes }: Share) => ({ entries: sessions, bytes, unused: longest });
  const toUse = ({ id, createdAt }: Session, bytes: number) => ({ id, createdAt, bytes });

  /**
   * Reads when these were last used. Those that no longer exist lose their places, except damaged ones: the list is needed to
   * delete them with their player.
   */
  const lookAt = async (list: string, entries: readonly ListEntry[]): Promise<ListedSession[]> => {
    const uses = await Promise.all(entries.map(({ id }) => records.lastUse(id)));
    const gone = entries.filter((_, at) => uses[at] === undefined);
    const isDamaged = await Promise.all(gone.map(({ id }) => records.isSetAside(id)));
    await lists.remove(
      list,
      gone.filter((_, at) => !isDamaged[at]),
    );
    return entries.flatMap(({ id, createdAt }, at) => {
      const lastUsed = uses[at];
      return lastUsed === undefined ? [] : [{ session: { id, createdAt }, lastUsed }];
    });
  };
  /** Takes a place in a list; if the list is full, checks whether some of its sessions no longer exist. */
  const takeOne = async (session: Session, share: ListShare, bytes: number) => {
    const note = () => lists.note(share.list, toUse(session, share.hasBytes ? bytes : 0), toRoom(share));
    if (await note()) return true;
    const doubtful = share.of === 'client' ? await lists.unusedFor(share.list, ttl) : [];
    if (doubtful.length === 0) return false;
    const living = await lookAt(share.list, doubtful);
    // So that the next refusal need not check them again.
    const uses = living.map(({ session: each, lastUsed: usedAt }) => ({ ...each, usedAt, bytes: 0 }));
    await Promise.all(uses.map((use) => lists.renew(share.list, use)));
    return living.length < doubtful.length && note();
  };
  const leaveAll = async (session: Session, shares: readonly ListShare[]) => {
    await Promise.all(shares.map(({ list }) => lists.remove(list, [session])));
  };
  const renewAll = async (session: Session, bytes: number) => {
    const shares = sharesOf(session, options);
    const isListed = await Promise.all(shares.map(({ list }) => lists.renew(list, toUse(session, 0))));
    const lost = shares.filter((_, at) => !isListed[at]);
    if (lost.length === 0) return;
    const note = ({ list, hasBytes }: ListShare) =>
      lists.note(list, toUse(session, hasBytes ? bytes : 0), endlessRoom);
    await Promise.all(lost.map(note));
    // Checked afterwards: a session is always deleted before its places are released, here or on another server.
    if ((await records.lastUse(session.id)) === undefined) await leaveAll(session, lost);
  };

  return {
    async take(session, bytes) {
      const shares = sharesOf(session, options);
      for (const [at, share] of shares.entries()) {
        if (await takeOne(session, share, bytes)) continue;
        await leaveAll(session, shares.slice(0, at));
        return `${share.of} full`;
      }
      return 'added';
    },
    async grow(session, bytes) {
      for (const share of sharesOf(session, options)) {
        if (!share.hasBytes) continue;
        const room = toRoom({ ...share, sessions: Number.POSITIVE_INFINITY });
        if (!(await lists.note(share.list, toUse(session, bytes), room)))
          throw new SessionMemoryError(share.of);
      }
    },
    renew(session, bytes) {
      if (!renewals.isDue(session.id, now())) return;
      // If it fails, the next use notes it.
      renewAll(session, bytes).catch(() => renewals.forget(session.id));
    },
    leave: (session) => leaveAll(session, sharesOf(session, options)),
    async list(player, after, count) {
      const entries = await lists.entries(playerList(player));
      const start = after === undefined ? 0 : entries.findIndex(({ id }) => id === after) + 1;
      if (after !== undefined && (start === 0 || (await records.lastUse(after)) === undefined))
        return undefined;
      const living: ListedSession[] = [];
      for (let at = start; at < entries.length && living.length < count; ) {
        const part = entries.slice(at, at + Math.min(count - living.length, portion));
        living.push(...(await lookAt(playerList(player), part)));
        at += part.length;
      }
      return living;
    },
    entriesOf: (player) => lists.entries(playerList(player)),
    strayEntries: async (player) =>
      (await lists.wasDamaged(playerList(player))) ? lists.entries(everybody) : [],
    async leaveUnread(player, entries) {
      await Promise.all([playerList(player), everybody].map((list) => lists.remove(list, entries)));
      await lists.dropDamaged(playerList(player));
    },
    count: () => lists.countUsed(everybody, longest),
  };
}
