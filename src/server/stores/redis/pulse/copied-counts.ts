import type { PulseCount } from '../../pulse-tally.ts';
import type { StoreConnection } from '../connection/connection.ts';
import { runScript, type Script } from '../connection/script.ts';
import { readHash, toCount, toField } from './pulse-counts.ts';

/**
 * What has been copied of a data folder's counters. The store remembers it by the folder's id, so that repeated copying only adds
 * what is new. Every method rejects while the store is away, and may be called again.
 */
export interface CopiedCounts {
  /** Adds what the store does not yet have of a folder's counters. Resolves to the number of counters that grew. */
  add(folder: string, counts: readonly PulseCount[]): Promise<number>;
  known(folder: string): Promise<PulseCount[]>;
  /** Replaces the known counts of these counters. */
  setKnown(folder: string, counts: readonly PulseCount[]): Promise<void>;
}

/** Counters per script call, during which the store does nothing else. */
const mostAtOnce = 500;

/** KEYS: known counts of the folder, the set of months. ARGV: month, field and count of each counter. */
const addScript: Script = {
  name: 'typebadgeAddCopiedCounts',
  keys: ['counts', 'set'],
  lua: `
local added = 0
for at = 1, #ARGV, 3 do
  local field, count = ARGV[at + 1], tonumber(ARGV[at + 2])
  local more = count - tonumber(redis.call('HGET', KEYS[1], field) or '0')
  if more > 0 then
    redis.call('SADD', KEYS[2], ARGV[at])
    redis.call('HINCRBY', KEYS[2] .. ':' .. ARGV[at], field, string.format('%.0f', more))
    redis.call('HSET', KEYS[1], field, ARGV[at + 2])
    added = added + 1
  end
end
return added`,
};

export function createCopiedCounts(store: StoreConnection, prefix: string): CopiedCounts {
  const root = `{${prefix}:pulse}`;
  const knownOf = (folder: string) => `${root}:folder:${folder}`;
  return {
    async add(folder, counts) {
      let added = 0;
      for (const part of toParts(counts)) {
        const args = part.flatMap((count) => [count.day.slice(0, 7), toField(count), String(count.count)]);
        added += Number(await runScript(store, addScript, knownOf(folder), `${root}:months`, ...args));
      }
      return added;
    },
    known: async (folder) => [...(await readHash(store, knownOf(folder)))].map(toCount),
    async setKnown(folder, counts) {
      for (const part of toParts(counts)) {
        const fields = new Map(part.map((count) => [toField(count), String(count.count)]));
        await store.run((client) => client.hset(knownOf(folder), fields));
      }
    },
  };
}

function toParts(counts: readonly PulseCount[]): PulseCount[][] {
  const parts = Math.ceil(counts.length / mostAtOnce);
  return Array.from({ length: parts }, (_, at) => counts.slice(at * mostAtOnce, (at + 1) * mostAtOnce));
}
