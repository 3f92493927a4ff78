import type { Session } from './session.ts';

/** A value, or the promise of one: a store in memory answers at once, and whoever asks it need not wait a turn. */
export type Awaitable<T> = T | Promise<T>;

/** What a change makes of a session, and what it has to tell. */
export interface Change<T> {
  readonly session: Session;
  readonly result: T;
}

/** A session with the time of its last use, in milliseconds since 1970. */
export interface StoredSession {
  readonly session: Session;
  readonly lastUsed: number;
}

/**
 * Where sessions live. Sessions are plain immutable data: whoever reads one keeps what was read.
 *
 * Every use of a session (`create`, `read`, `update`) renews it; one unused for the store's time to live is gone for all
 * methods alike.
 */
export interface SessionStore {
  /** Adds a session. False, and nothing is added, when the store is full. */
  create(session: Session): Awaitable<boolean>;
  read(id: string): Awaitable<Session | undefined>;
  /**
   * Replaces a session by what `change` makes of it, with no other change in between, and gives the result; undefined
   * when there is no such session. When `change` throws, the session stays as it is, and the error goes to the caller.
   */
  update<T>(id: string, change: (session: Session) => Change<T>): Awaitable<T | undefined>;
  /** Removes a session. Tells whether there was one. */
  delete(id: string): Awaitable<boolean>;
  /** All sessions, oldest first. */
  list(): Awaitable<StoredSession[]>;
  count(): Awaitable<number>;
}
