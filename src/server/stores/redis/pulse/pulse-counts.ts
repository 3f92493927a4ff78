import type { PulseCount, PulseEvent, PulseKey } from '../../pulse-tally.ts';
import type { StoreConnection } from '../connection/connection.ts';
import { onSoundKeys } from '../connection/damaged-keys.ts';
import { runScript, type Script } from '../connection/script.ts';

/** Counters that all servers share. Every method rejects while the store is away. */
export interface PulseCounts {
  /** Adds a batch. A batch with the same id is added only once. */
  add(batch: string, counts: readonly PulseCount[]): Promise<void>;
  /** All counts from this day (`YYYY-MM-DD`) on. */
  read(sinceDay: string): Promise<PulseCount[]>;
}

/** How long a batch is remembered: longer than any server retries. */
const rememberedSeconds = 7 * 24 * 60 * 60;

/** Approximate number of counters read at once. */
const partSize = 1_000;

/** Each month is a hash of counters, and a set lists the months. All are in one slot, so that a batch is added as a whole. */
const addScript: Script = {
  name: 'typebadgeAddPulse',
  keys: ['text', 'set'],
  lua: `
-- First the commands that fail on a key of the wrong type: a batch must not be marked as added before that.
redis.call('SCARD', KEYS[2])
for at = 2, #ARGV, 3 do redis.call('HLEN', KEYS[2] .. ':' .. ARGV[at]) end
if not redis.call('SET', KEYS[1], '1', 'NX', 'EX', ARGV[1]) then return 0 end
for at = 2, #ARGV, 3 do
  local month = KEYS[2] .. ':' .. ARGV[at]
  redis.call('SADD', KEYS[2], ARGV[at])
  -- A counter that is not a number starts again.
  local sum = redis.pcall('HINCRBY', month, ARGV[at + 1], ARGV[at + 2])
  if type(sum) ~= 'number' then redis.call('HSET', month, ARGV[at + 1], ARGV[at + 2]) end
end
return 1`,
};

export function createPulseCounts(store: StoreConnection, prefix: string): PulseCounts {
  const root = `{${prefix}:pulse}`;
  const months = `${root}:months`;
  const toMonthKey = (month: string) => ({ key: `${months}:${month}`, kind: 'fields' as const });
  return {
    async add(batch, counts) {
      const args = counts.flatMap(({ day, announcement, event, site, count }) => [
        monthOf(day),
        toField({ day, announcement, event, site }),
        String(count),
      ]);
      const keys = [...new Set(counts.map(({ day }) => monthOf(day)))].map(toMonthKey);
      await onSoundKeys(store, keys, () =>
        runScript(store, addScript, `${root}:batch:${batch}`, months, String(rememberedSeconds), ...args),
      );
    },
    async read(sinceDay) {
      const known = await onSoundKeys(store, [{ key: months, kind: 'set' }], () =>
        store.run((client) => client.smembers(months)),
      );
      const wanted = known.filter((month) => month >= monthOf(sinceDay)).sort();
      const counts: PulseCount[] = [];
      for (const month of wanted)
        for (const count of await readHash(store, `${months}:${month}`)) counts.push(toCount(count));
      return counts.filter(({ day }) => day >= sinceDay);
    },
  };
}

const monthOf = (day: string) => day.slice(0, 7);

/** In parts, because one reply with a whole month would block the store and this server. */
export async function readHash(store: StoreConnection, key: string): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  let cursor = '0';
  do {
    const from = cursor;
    const [next, flat] = await onSoundKeys(store, [{ key, kind: 'fields' }], () =>
      store.run((client) => client.hscan(key, from, 'COUNT', partSize)),
    );
    // HSCAN may return a field twice.
    for (let at = 0; at < flat.length; at += 2) values.set(flat[at] as string, flat[at + 1] as string);
    cursor = next;
  } while (cursor !== '0');
  return values;
}

/** Field of a counter in the hash of its month. */
export function toField({ day, announcement, event, site }: PulseKey): string {
  return JSON.stringify([day, announcement, event, site]);
}

/** The counter of such a field. */
export function toCount([field, count]: readonly [string, string]): PulseCount {
  const [day, announcement, event, site] = JSON.parse(field) as [string, string, PulseEvent, string];
  return { day, announcement, event, site, count: Number(count) };
}
