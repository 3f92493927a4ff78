import type { StoredSession } from '../../ports.ts';
import { toSessionText } from '../../session-events/session-text.ts';
import type { StoreConnection } from '../connection/connection.ts';
import { createCountedLists, endlessRoom } from '../lists/counted-lists.ts';
import { newToken } from './session-copy.ts';
import { createSessionRecords } from './session-records.ts';
import { noShares, sharesOf } from './session-shares.ts';
import { storedBytes } from './stored-size.ts';

/** Imports sessions from elsewhere unchanged: copying does not count as a use. */
export interface StoredSessions {
  /**
   * Adds a session with the time of its last use, regardless of limits, unless one with its id exists, which may have been used
   * since. Returns whether it did; adding one again is harmless. Rejects while the store is away.
   */
  add(stored: StoredSession): Promise<boolean>;
}

export interface StoredSessionsOptions {
  readonly prefix: string;
  /** Milliseconds after which an unused session expires. */
  readonly ttl: number;
}

export function createStoredSessions(
  store: StoreConnection,
  { prefix, ttl }: StoredSessionsOptions,
): StoredSessions {
  const records = createSessionRecords(store, { prefix, ttl });
  const lists = createCountedLists(store, { root: `${prefix}:sessions`, expiry: 2 * ttl });
  return {
    async add({ session, lastUsed: usedAt }) {
      const { id, createdAt } = session;
      const text = toSessionText(session);
      const sizes = {
        headerBytes: Buffer.byteLength(text.header),
        inputBytes: Buffer.byteLength(text.inputs),
      };
      const bytes = storedBytes({ session, ...sizes });
      // Listed first: an interruption then leaves a surplus entry, which expires, and not a session that is in no list.
      for (const share of sharesOf(session, noShares)) {
        const use = { id, createdAt, usedAt, bytes: share.hasBytes ? bytes : 0 };
        await lists.note(share.list, use, endlessRoom);
      }
      return records.add(id, { generation: newToken(), ...text, lastUsed: usedAt });
    },
  };
}
