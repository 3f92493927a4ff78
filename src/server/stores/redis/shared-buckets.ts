import type { StoreConnection } from './connection.ts';
import { runScript, type Script } from './script.ts';

export interface SharedBucketsOptions {
  /** Tells the limits of one store apart. */
  readonly name: string;
  /** Tokens a second, and tokens of a full bucket. */
  readonly rate: number;
  readonly burst: number;
}

/** What a bucket says of one request. */
export interface Meter {
  readonly allowed: boolean;
  /** Tokens left, a fraction. */
  readonly left: number;
  /** Milliseconds until the request would be allowed; 0 where it is. */
  readonly wait: number;
}

/** Token buckets that many servers share. */
export interface SharedBuckets {
  /** Takes tokens, or none where too few are left. Rejects while the store is away. */
  take(client: string, cost: number): Promise<Meter>;
}

/**
 * The generic cell rate algorithm (ITU-T I.371, "virtual scheduling"): a bucket is one number, the time at which it would
 * be full again. The clock is the store's, since those of the servers differ; times are milliseconds with fractions.
 */
const takeScript: Script = {
  name: 'typebadgeTake',
  keys: 1,
  lua: `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local interval, burst, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local full = tonumber(redis.call('GET', KEYS[1]) or '0')
if full < now then full = now end
local next = full + cost * interval
local wait = next - burst * interval - now
if wait > 0.001 then return {0, tostring(burst - (full - now) / interval), tostring(wait)} end
redis.call('SET', KEYS[1], string.format('%.3f', next), 'PX', math.ceil(next - now))
return {1, tostring(burst - (next - now) / interval), '0'}`,
};

export function createSharedBuckets(
  store: StoreConnection,
  prefix: string,
  { name, rate, burst }: SharedBucketsOptions,
): SharedBuckets {
  const interval = String(1000 / rate);
  return {
    async take(client, cost) {
      const key = `${prefix}:limit:${name}:{${client}}`;
      const reply = await runScript(store, takeScript, key, interval, String(burst), String(cost));
      const [allowed, left, wait] = reply as [number, string, string];
      return { allowed: allowed === 1, left: Math.max(0, Number(left)), wait: Number(wait) };
    },
  };
}
