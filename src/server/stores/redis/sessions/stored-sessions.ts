import { randomBytes } from 'node:crypto';
import type { StoredSession } from '../../ports.ts';
import type { StoreConnection } from '../connection/connection.ts';
import { createSessionLists, everybody, ownLists } from './session-lists.ts';
import { createSessionRecords } from './session-records.ts';
import { toSessionText } from './session-text.ts';

/** Sessions that come from elsewhere as they are: to be copied is not to be used. */
export interface StoredSessions {
  /**
   * Adds a session with the time of its last use, whatever the limits, unless one with its id is living: that one may
   * have been typed on meanwhile. Tells whether it did; to add one again is harmless. Rejects while the store is away.
   */
  add(stored: StoredSession): Promise<boolean>;
}

export interface StoredSessionsOptions {
  readonly prefix: string;
  /** Milliseconds after which an unused session is gone. */
  readonly ttl: number;
}

export function createStoredSessions(
  store: StoreConnection,
  { prefix, ttl }: StoredSessionsOptions,
): StoredSessions {
  const records = createSessionRecords(store, { prefix, ttl });
  const lists = createSessionLists(store, prefix);
  return {
    async add({ session, lastUsed }) {
      const { id, createdAt } = session;
      // Listed first: cut short here, it is an entry too many, which goes by itself; the other way, a session that no list has.
      for (const { list } of ownLists(session)) await lists.add(list, id, createdAt, Number.MAX_SAFE_INTEGER);
      await lists.add(everybody, id, lastUsed, Number.MAX_SAFE_INTEGER);
      const generation = randomBytes(12).toString('base64url');
      return records.add(id, { generation, ...toSessionText(session), lastUsed });
    },
  };
}
