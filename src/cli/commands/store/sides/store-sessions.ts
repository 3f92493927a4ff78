import type { StoredSession } from '../../../../server/stores/ports.ts';
import type { StoreConnection } from '../../../../server/stores/redis/connection/connection.ts';
import { listNames } from '../../../../server/stores/redis/connection/key-names.ts';
import { createSessionRecords } from '../../../../server/stores/redis/sessions/session-records.ts';
import { parseSessionText } from '../../../../server/stores/session-events/session-text.ts';
import type { Reach } from './round-import.ts';
import type { SoundReader } from './unread-data.ts';

export interface SessionReadingOptions {
  readonly prefix: string;
  /** Milliseconds after which an unused session goes. */
  readonly ttl: number;
  readonly reach: Reach;
  readonly reader: SoundReader;
}

/**
 * Reads the open sessions in a store, without renewing them. They are found by their keys: a list that is damaged lacks some, or
 * all.
 */
export function createSessionReading(
  store: StoreConnection,
  { prefix, ttl, reach, reader }: SessionReadingOptions,
): () => Promise<StoredSession[]> {
  const records = createSessionRecords(store, { prefix, ttl, clock: undefined, expiry: undefined });
  const start = `${prefix}:session:{`;
  const read = async (id: string): Promise<StoredSession | undefined> => {
    const record = await reach(() => records.peek(id));
    if (record === undefined) return undefined;
    return { session: parseSessionText(record, record.lastUsed), lastUsed: record.lastUsed };
  };
  return async () => {
    const found: StoredSession[] = [];
    for (const id of await reach(() => listNames(store, start))) {
      const key = `${start}${id}}`;
      const keys = { what: `session ${id}`, keys: [key, `${key}:inputs`] };
      const stored = await reader.readIfSound(keys, () => read(id));
      if (stored !== undefined) found.push(stored);
    }
    return found;
  };
}
