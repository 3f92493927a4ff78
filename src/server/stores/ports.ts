import type { TextSize } from '../../typing/modes/words.ts';
import type { History } from '../../typing/statistics/history.ts';
import type { JournalRound } from './journal-round.ts';
import type { PlayerId } from './player.ts';
import type { PulseCount, PulseKey } from './pulse-tally.ts';
import type { Session } from './session.ts';
import type { UnsavedRound } from './unsaved-rounds.ts';

/*
 * What the server needs from its stores. The files of a data folder and Redis implement it. A method returns `Awaitable` if a
 * store in memory can answer synchronously and the caller should not wait a turn for it.
 */

/** A value or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** A session after a change, and the result of the change. */
export interface SessionUpdate<T> {
  readonly session: Session;
  readonly result: T;
}

/** A session with the time of its last use, in milliseconds since 1970. */
export interface StoredSession {
  readonly session: Session;
  readonly lastUsed: number;
}

/** An entry of a list of sessions. */
export interface ListedSession {
  readonly session: Pick<Session, 'id' | 'createdAt'>;
  readonly lastUsed: number;
}

/** `client full`: this player, client or block has reached its limit of sessions or of their memory. */
export type SessionAdmission = 'added' | 'store full' | 'client full';

/** A page of a list: at most `limit` entries after the one with the id `after`. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | undefined;
}

export interface SessionPage {
  readonly sessions: readonly ListedSession[];
  /** The `after` of the next page; missing at the end of the list. */
  readonly next?: string;
}

export interface RoundPage {
  readonly rounds: readonly JournalRound[];
  /** The `after` of the next page; missing at the end of the list. */
  readonly next?: string;
}

/**
 * Keeps open sessions. They are plain immutable data: what a caller has read does not change.
 *
 * Every use of a session (`create`, `read`, `update`) renews it; after the store's time to live without use, it no longer
 * exists for any method.
 */
export interface Sessions {
  /** Adds a session, or says why there is no room for it: too many, or they take too much memory. */
  create(session: Session): Awaitable<SessionAdmission>;
  read(id: string): Awaitable<Session | undefined>;
  /**
   * Applies `change` to a session atomically, and returns its result; undefined if there is no such session. If `change`
   * throws, the session stays as it is, and the caller gets the error.
   *
   * Throws `SessionMemoryError`, and changes nothing, if the session would exceed the memory limit of all sessions, or of its
   * client.
   *
   * `change` may run several times, because a store with compare-and-set runs it again on a newer session. So it must have no
   * effects, and ids, seeds and times must be made before. Only the result of the last run is returned.
   */
  update<T>(id: string, change: (session: Session) => SessionUpdate<T>): Awaitable<T | undefined>;
  /**
   * Throws `SessionMemoryError` if there is no room for the next round of a session, with a text of at least that size, so that
   * nobody draws a text in vain. A store may reserve the room. Does nothing if there is no such session.
   */
  expectRoom(id: string, text: TextSize): Awaitable<void>;
  /** Removes a session. Returns whether there was one. */
  delete(id: string): Awaitable<boolean>;
  /** A player's sessions, oldest first, without renewing them; undefined if `after` is not one of them. */
  list(player: PlayerId, page: PageRequest): Awaitable<SessionPage | undefined>;
  count(): Awaitable<number>;
  /** Permanently removes all sessions of a player with everything in them. */
  forget(player: PlayerId): Promise<void>;
  /** Writes pending changes now. Never rejects: a failed write is retried later. */
  flush(): Promise<void>;
}

/** Keeps finished rounds. A round is identified by its id: adding it twice adds it once. */
export interface Rounds {
  /** All finished rounds of a player, folded: those saved by any server, and those noted by this one. */
  history(player: PlayerId): Awaitable<History>;
  /** Bytes of this player's rounds that have to be read before the history is known; 0 if it is in memory. */
  unread(player: PlayerId): Awaitable<number>;
  /**
   * Counts finished rounds that are not saved yet. A shared store shows them to all servers, and rejects if it cannot; noting
   * them again is harmless.
   */
  note(player: PlayerId, rounds: readonly JournalRound[], mark?: string): Awaitable<void>;
  /** Saves rounds permanently. Rejects with `RoundsNotKeptError` if that fails; saving them again is harmless. */
  keep(player: PlayerId, rounds: readonly UnsavedRound[], mark?: string): Promise<void>;
  /**
   * A mark, which changes when the player is forgotten. Take it, then check that the session still exists, and pass it to `note`
   * or `keep`: if the player has been forgotten in the meantime, the rounds are dropped, so that none of them comes back.
   */
  mark?(player: PlayerId): Promise<string>;
  /**
   * A player's rounds: first those not saved yet, then the saved ones, each latest first. Undefined if `after` is not one of
   * them. A page of large rounds may have fewer than `limit`.
   */
  list(player: PlayerId, page: PageRequest): Promise<RoundPage | undefined>;
  /** Permanently removes all rounds of a player. */
  forget(player: PlayerId): Promise<void>;
}

/** The texts of the content, named like their files in a content folder. */
export const contentNames = ['history.json', 'origins.json', 'editors.json'] as const;
export type ContentName = (typeof contentNames)[number];

export interface ContentText {
  /** Differs whenever the text differs; compare only versions of the same name. */
  readonly version: string;
  readonly text: string;
}

/** A text after a change, and the result of the change. Undefined, or the same text, means that nothing changes. */
export interface ContentChange<T> {
  readonly text: string | undefined;
  readonly result: T;
}

/**
 * Keeps announcements, the allow-list and the editors as whole texts, which are read often and changed rarely. It does not parse
 * them: `content/content-store.ts` does that for announcements and allow-list.
 */
export interface Content {
  readonly kind: 'folder' | 'store';
  /** Name for people: the path of the folder, or the address of the store with its prefix, without a password. */
  readonly name: string;
  /** Name of one of its texts, for messages. */
  nameOf(name: ContentName): string;
  /** Undefined if there is no such text. */
  read(name: ContentName): Promise<ContentText | undefined>;
  /**
   * Applies `change` to a text atomically, and returns the result of its last run. `change` may run several times, so it must
   * have no effects; other writers may have to wait for it. Rejects with a sentence that also says whether something was
   * changed.
   */
  update<T>(name: ContentName, change: (text: string | undefined) => Awaitable<ContentChange<T>>): Promise<T>;
  /** The versions of several texts, undefined if there is none: cheap enough to call several times a second. */
  versions(names: readonly ContentName[]): Promise<readonly (string | undefined)[]>;
}

/** The last good copy of each text on this server's own disk, for a start while a shared store is away or empty. */
export interface ContentCopy {
  /** Its folder, which `--content` accepts. */
  readonly name: string;
  read(name: ContentName): Promise<string | undefined>;
  /** Never rejects: a full disk must not stop the server. */
  write(name: ContentName, text: string): Promise<void>;
  /** Moves all texts to another folder, and resolves to it. Only the last few such folders are kept. Rejects if it fails. */
  setAside(): Promise<string>;
}

/** The outcome of saving counts. */
export type PulseSaving = 'nothing to save' | 'saved' | 'not saved';

/** How often announcements were shown, clicked and dismissed, on which site and day. */
export interface Pulse {
  /** Counts in memory, synchronously, even while disk or store do not work. */
  count(key: PulseKey): void;
  /** Saves new counts, each once. Never rejects: what cannot be saved stays in memory until the next call. */
  save(): Promise<PulseSaving>;
  /** All saved counts of all servers from this day (`YYYY-MM-DD`) on, summed per day, announcement, event and site. */
  read(sinceDay: string): Promise<PulseCount[]>;
}

/** A token bucket, which the requests of a client take from. */
export interface Bucket {
  /** Identifies the bucket; may contain the address of a client. */
  readonly name: string;
  /** Tokens gained per second, and tokens of a full bucket. */
  readonly rate: number;
  readonly burst: number;
}

/** The answer of the buckets to one request. */
export interface BucketReading {
  readonly allowed: boolean;
  /** Tokens left in the first bucket, with a fraction. */
  readonly left: number;
  /** Milliseconds until the request would be allowed; 0 if it is. */
  readonly wait: number;
}

/** Buckets that servers share, so that a client has one limit for all of them. */
export interface SharedLimits {
  /** Takes tokens from one or two buckets, from all or none; the widest comes last. Rejects while the store is away. */
  take(buckets: readonly Bucket[], cost: number): Promise<BucketReading>;
  /** Takes tokens for work already done; the buckets may go into debt. Rejects while the store is away. */
  spend(buckets: readonly Bucket[], cost: number): Promise<void>;
}

/** Keeps what webhooks have seen and which deliveries are pending: one text, which several servers may share. */
export interface Outbox {
  read(): Promise<string | undefined>;
  /** See `Content.update`. */
  update<T>(change: (text: string | undefined) => Awaitable<ContentChange<T>>): Promise<T>;
  /** Saves an unreadable text under another name, and resolves to that name. */
  setAside(text: string): Promise<string>;
}

/** All stores of a server. */
export interface Stores {
  readonly sessions: Sessions;
  readonly rounds: Rounds;
  readonly content: Content;
  /** Only if the content is not on this server's own disk. */
  readonly contentCopy?: ContentCopy;
  /** The caller saves it every few seconds (see `startSaving`); closing saves it too. */
  readonly pulse: Pulse;
  /** Only for shared stores; otherwise the server counts in its own memory, synchronously. */
  readonly limits?: SharedLimits;
  readonly outbox: Outbox;
  /** Secret with which client addresses are hashed; empty if no stranger can reach the server. */
  readonly addressKey: string;
  /** Why a shared store cannot be used now, in a sentence; undefined while it answers. Missing in stores that are not shared. */
  problem?(): string | undefined;
  /** Saves everything unsaved, and releases all resources. */
  close(): Promise<void>;
}

/** All sessions together, or those of one client, have reached their memory limit. */
export class SessionMemoryError extends Error {
  readonly of: 'store' | 'client';

  constructor(of: 'store' | 'client') {
    super(`open sessions of the ${of} take all the memory they may`);
    this.name = 'SessionMemoryError';
    this.of = of;
  }
}

export class RoundsNotKeptError extends Error {
  constructor(cause: Error) {
    super(`finished rounds could not be saved: ${cause.message}`, { cause });
    this.name = 'RoundsNotKeptError';
  }
}

/** The store cannot answer now: it is away, starting, full, read-only or denies access. The command may or may not have run. */
export class StoreUnavailableError extends Error {
  constructor(
    /** One sentence for the log and for `/health/ready`, without passwords and keys. */
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StoreUnavailableError';
  }
}
