import type { Session } from './session.ts';

/** What a change makes of a session, and what it has to tell. */
export interface Change<T> {
  readonly session: Session;
  readonly result: T;
}

/**
 * Where sessions live. Sessions are plain immutable data: whoever reads one keeps what was read.
 *
 * Every use of a session (`read`, `update`) renews it; one unused for longer than the store's time to live is gone for
 * all methods alike.
 */
export interface SessionStore {
  /** Adds a session. Resolves to false, and adds nothing, when the store is full. */
  create(session: Session): Promise<boolean>;
  read(id: string): Promise<Session | undefined>;
  /**
   * Replaces a session by what `change` makes of it, with no other change in between, and resolves to the result;
   * undefined when there is no such session. When `change` throws, the session stays as it is and the promise rejects.
   */
  update<T>(id: string, change: (session: Session) => Change<T>): Promise<T | undefined>;
  /** Removes a session. Resolves to whether there was one. */
  delete(id: string): Promise<boolean>;
  /** All sessions, oldest first. */
  list(): Promise<Session[]>;
  count(): Promise<number>;
}
