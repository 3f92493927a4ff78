import type { TextSize } from '../../typing/modes/words.ts';
import type { History } from '../../typing/statistics/history.ts';
import type { JournalRound } from './journal-round.ts';
import type { PlayerId } from './player.ts';
import type { PulseCount, PulseKey } from './pulse-tally.ts';
import type { Session } from './session.ts';
import type { UnsavedRound } from './unsaved-rounds.ts';

/*
 * What the server needs of its stores. The files of a data folder implement it; so can a database. A method returns
 * `Awaitable` where a store in memory answers at once and the caller should not wait a turn for it.
 */

/** A value, or the promise of one. */
export type Awaitable<T> = T | Promise<T>;

/** What a change makes of a session, and the answer it gives. */
export interface SessionUpdate<T> {
  readonly session: Session;
  readonly result: T;
}

/** A session with the time of its last use, in milliseconds since 1970. */
export interface StoredSession {
  readonly session: Session;
  readonly lastUsed: number;
}

/** What a list tells of a session. */
export interface ListedSession {
  readonly session: Pick<Session, 'id' | 'createdAt'>;
  readonly lastUsed: number;
}

/** `client full`: this player, client or block has as many as it may have, or they take as much memory. */
export type SessionAdmission = 'added' | 'store full' | 'client full';

/** Part of a list: at most `limit` entries, those that come after the one with this id. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | undefined;
}

export interface SessionPage {
  readonly sessions: readonly ListedSession[];
  /** The id to go on after; missing at the end of the list. */
  readonly next?: string;
}

export interface RoundPage {
  readonly rounds: readonly JournalRound[];
  /** The id to go on after; missing at the end of the list. */
  readonly next?: string;
}

/**
 * Where sessions live. Sessions are plain immutable data: a reader keeps what it has read.
 *
 * Every use of a session (`create`, `read`, `update`) renews it; one unused for the store's time to live is gone for all
 * methods alike.
 */
export interface Sessions {
  /** Adds a session, or says why there is no room for it: too many, or they take too much memory. */
  create(session: Session): Awaitable<SessionAdmission>;
  read(id: string): Awaitable<Session | undefined>;
  /**
   * Replaces a session by what `change` makes of it, with no other change in between, and gives the result; undefined
   * when there is no such session. When `change` throws, the session stays as it is, and the error goes to the caller.
   *
   * Throws `SessionMemoryError`, and changes nothing, where the session would grow beyond the memory of all sessions, or of
   * those of its client.
   *
   * `change` may run twice: a store with compare-and-set runs it again on a newer session. So it has no effects, and ids,
   * seeds and times are made before it. Only the result of the last run is given.
   */
  update<T>(id: string, change: (session: Session) => SessionUpdate<T>): Awaitable<T | undefined>;
  /**
   * Throws `SessionMemoryError` where the next round of a session, with a text of at least that size, would find no room, so
   * that nobody draws a text in vain. A store may keep that room for the session. Without such a session it does nothing.
   */
  expectRoom(id: string, text: TextSize): Awaitable<void>;
  /** Removes a session. Tells whether there was one. */
  delete(id: string): Awaitable<boolean>;
  /** A player's sessions, oldest first; undefined where `after` is not one of them. Reading them renews none. */
  list(player: PlayerId, page: PageRequest): Awaitable<SessionPage | undefined>;
  count(): Awaitable<number>;
  /** Removes all sessions of a player with everything in them, for good. */
  forget(player: PlayerId): Promise<void>;
  /** Writes now what would be written within a moment. Never rejects: what fails is tried again later. */
  flush(): Promise<void>;
}

/** Where finished rounds live. A round is known by its id: to add one twice adds it once. */
export interface Rounds {
  /** All finished rounds of a player, folded: those kept by any server, and those noted by this one. */
  history(player: PlayerId): Awaitable<History>;
  /**
   * Counts finished rounds that are not kept yet. A store that servers share shows them to all of them, and rejects where
   * it cannot; to note them again is harmless.
   */
  note(player: PlayerId, rounds: readonly JournalRound[], mark?: string): Awaitable<void>;
  /** Keeps rounds for good. Rejects with `RoundsNotKeptError` when that failed; to keep them again is harmless. */
  keep(player: PlayerId, rounds: readonly UnsavedRound[], mark?: string): Promise<void>;
  /**
   * Another one once the player is forgotten. Who asks for it, then makes sure that a session is still there, and gives the
   * mark to `note` or `keep` brings no round of that session back: where the player was forgotten meanwhile, the rounds are
   * dropped as if they had come before.
   */
  mark?(player: PlayerId): Promise<string>;
  /**
   * A player's rounds: first those that are not kept yet, the latest first, then the others, the one kept last first. Undefined
   * where `after` is not one of them. A page of large rounds may hold fewer than asked for.
   */
  list(player: PlayerId, page: PageRequest): Promise<RoundPage | undefined>;
  /** Removes all rounds of a player for good. */
  forget(player: PlayerId): Promise<void>;
}

/** The texts of the content, by the names that their files have in a content folder. */
export const contentNames = ['history.json', 'origins.json', 'editors.json'] as const;
export type ContentName = (typeof contentNames)[number];

export interface ContentText {
  /** Another one whenever the text is another; only to be compared with others of the same name. */
  readonly version: string;
  readonly text: string;
}

/** What a change makes of a text, and the answer it gives. Undefined, or the text as it was, changes nothing. */
export interface ContentChange<T> {
  readonly text: string | undefined;
  readonly result: T;
}

/**
 * Where announcements, the allow-list and the editors live, as whole texts that many read and few people change. What a
 * text says is up to its readers; `content/content-store.ts` reads and changes announcements and allow-list.
 */
export interface Content {
  readonly kind: 'folder' | 'store';
  /** What people know it by: the path of the folder, or the address of the store with its prefix, without a password. */
  readonly name: string;
  /** What people know one of its texts by, for messages. */
  nameOf(name: ContentName): string;
  /** Undefined where there is no such text. */
  read(name: ContentName): Promise<ContentText | undefined>;
  /**
   * Replaces a text by the one that `change` makes of it, with no other change in between, and gives the result of its
   * last run. `change` may run several times, so it has no effects; other writers may
   * have to wait for it. Rejects with a sentence that also says whether something was changed.
   */
  update<T>(name: ContentName, change: (text: string | undefined) => Awaitable<ContentChange<T>>): Promise<T>;
  /** The versions of several texts, undefined where there is none: cheap enough to ask several times a second. */
  versions(names: readonly ContentName[]): Promise<readonly (string | undefined)[]>;
}

/** The last good copy of each text on this server's own disk, for a start while a store that servers share is away or empty. */
export interface ContentCopy {
  /** The folder that it is in; `--content` can name it. */
  readonly name: string;
  read(name: ContentName): Promise<string | undefined>;
  /** Never rejects: a disk that is full is no reason not to serve. */
  write(name: ContentName, text: string): Promise<void>;
  /** Keeps all texts in another folder, of which only the last few stay, and resolves to that. Rejects where it cannot. */
  setAside(): Promise<string>;
}

/** What came of saving counts. */
export type PulseSaving = 'nothing to save' | 'saved' | 'not saved';

/** How often announcements were shown, clicked and dismissed, on which site and day. */
export interface Pulse {
  /** Counts in memory, at once and whatever becomes of the disk or the store. */
  count(key: PulseKey): void;
  /** Keeps what was counted since, each count once. Never rejects: what cannot be kept stays in memory for the next time. */
  save(): Promise<PulseSaving>;
  /** All that is kept from this day (`YYYY-MM-DD`) on, by any server, summed per day, announcement, event and site. */
  read(sinceDay: string): Promise<PulseCount[]>;
}

/** Tokens that a client's requests cost. */
export interface Bucket {
  /** Tells buckets apart; it may hold the address of a client. */
  readonly name: string;
  /** Tokens gained a second, and tokens of a full bucket. */
  readonly rate: number;
  readonly burst: number;
}

/** What the buckets say of one request. */
export interface BucketReading {
  readonly allowed: boolean;
  /** Tokens left in the first bucket, a fraction. */
  readonly left: number;
  /** Milliseconds until the request would be allowed; 0 where it is. */
  readonly wait: number;
}

/** Buckets that servers share, so that all of them together give a client one limit. */
export interface SharedLimits {
  /** Takes tokens of one or two buckets, of all or of none; the widest comes last. Rejects while the store is away. */
  take(buckets: readonly Bucket[], cost: number): Promise<BucketReading>;
  /** Takes tokens for what was done already; the buckets may owe some afterwards. Rejects while the store is away. */
  spend(buckets: readonly Bucket[], cost: number): Promise<void>;
}

/** Where the webhooks keep what they have seen and what is on its way: one text, which several servers may share. */
export interface Outbox {
  read(): Promise<string | undefined>;
  /** As `Content.update`. */
  update<T>(change: (text: string | undefined) => ContentChange<T>): Promise<T>;
  /** Keeps a text that nobody can read under another name; resolves to that. */
  setAside(text: string): Promise<string>;
}

/** Everything that the server keeps. */
export interface Stores {
  readonly sessions: Sessions;
  readonly rounds: Rounds;
  readonly content: Content;
  /** Only where the content is not on this server's own disk. */
  readonly contentCopy?: ContentCopy;
  /** To be saved every few seconds; closing saves it, too. */
  readonly pulse: Pulse;
  /** Only where servers share a store; else a server counts in its own memory, which costs no turn. */
  readonly limits?: SharedLimits;
  readonly outbox: Outbox;
  /** Secret that the addresses of clients are hashed with; empty where no stranger can reach the server. */
  readonly addressKey: string;
  /** Why a store that servers share cannot be used now, in a sentence; undefined while it answers, and where there is none. */
  problem?(): string | undefined;
  /** Keeps what is left, and lets go. */
  close(): Promise<void>;
}

/** All sessions together, or those of one client, take all the memory they may. */
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

/** The store cannot answer now: away, starting, full, read-only or without rights. Nothing is known of the command's fate. */
export class StoreUnavailableError extends Error {
  constructor(
    /** One sentence for the log and for `/health/ready`; holds no password and no key. */
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StoreUnavailableError';
  }
}
