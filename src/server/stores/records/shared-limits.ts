import { createHmac } from 'node:crypto';
import type { LimitPolicy, Meter } from '../../settings/limits.ts';
import type { Script, StoreConnection } from './store-connection.ts';

/** Buckets that servers share, so that a client has one limit for all of them. */
export type SharedLimits = ReturnType<typeof createSharedLimits>;

/**
 * The generic cell rate algorithm (ITU-T I.371, "virtual scheduling"): a bucket is one number, the time at
 * which it would be full again. The clock is that of the store, because those of the servers differ; times
 * are milliseconds with fractions. Either all buckets give their tokens or none. KEYS: two buckets, which may
 * be the same one. ARGV: cost, number of buckets, then interval and burst of each.
 */
const takeScript: Script = {
  name: 'typebadgeTake',
  keys: 2,
  lua: `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local cost, count = tonumber(ARGV[1]), tonumber(ARGV[2])
local ends, left, wait = {}, 0, 0
for at = 1, count do
  local interval, burst = tonumber(ARGV[1 + 2 * at]), tonumber(ARGV[2 + 2 * at])
  local full = tonumber(redis.call('GET', KEYS[at]) or '0') or 0
  -- A bucket that is emptier than empty was written before the store's clock was set back.
  if full < now or full > now + burst * interval then full = now end
  ends[at] = full + cost * interval
  wait = math.max(wait, ends[at] - burst * interval - now)
  if at == 1 then left = burst - (full - now) / interval end
end
if wait > 0.001 then return {0, tostring(left), tostring(wait)} end
for at = 1, count do
  redis.call('SET', KEYS[at], string.format('%.3f', ends[at]), 'PX', math.max(1, math.ceil(ends[at] - now)))
end
return {1, tostring(left - cost), '0'}`,
};

/** @param secret key for hashing the names of buckets, which contain client addresses */
export function createSharedLimits(store: StoreConnection, prefix: string, secret: string) {
  const hash = (name: string) => createHmac('sha256', secret).update(name).digest('base64url').slice(0, 22);
  return {
    /** Takes tokens from all buckets or none; the widest comes last. Rejects if the store is away. */
    async take(buckets: readonly LimitPolicy[], cost: number): Promise<Meter> {
      const names = buckets.map(({ name }) => hash(name));
      // The buckets of a block share a slot, so that one script can take from both.
      const keys = names.map((name) => `${prefix}:limit:{${names.at(-1)}}:${name}`);
      const [first = '', second = first] = keys;
      const policies = buckets.flatMap(({ rate, burst }) => [String(1000 / rate), String(burst)]);
      const args = [first, second, String(cost), String(names.length), ...policies];
      const [allowed, left, wait] = (await store.runScript(takeScript, args)) as [number, string, string];
      return { allowed: allowed === 1, left: Math.max(0, Number(left)), wait: Number(wait) };
    },
  };
}
