import type { StoreConnection } from '../connection/connection.ts';
import { runScript, type Script } from '../connection/script.ts';

export interface MarkPlacesOptions {
  readonly prefix: string;
  /** Most marks. */
  readonly most: number;
  /** Lifetime of a mark in seconds. */
  readonly life: number;
}

/**
 * Limits the marks that deletions leave, because anyone can delete as many players as they can invent keys. The latest
 * deletions have one: a mark is only useful while rounds of its player are being saved, which takes a moment.
 */
export interface MarkPlaces {
  /** Gives a player the newest place. Resolves to the players whose marks must go instead. Rejects while the store is away. */
  take(player: string): Promise<readonly string[]>;
}

/** KEYS: players by order of deletion, independent of clocks. ARGV: player, most places, life in seconds. */
const takeScript: Script = {
  name: 'typebadgeTakeMarkPlace',
  keys: ['ranking'],
  lua: `
local key, most = KEYS[1], tonumber(ARGV[2])
local last = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')[2] or '0'
redis.call('ZADD', key, string.format('%.0f', tonumber(last) + 1), ARGV[1])
redis.call('EXPIRE', key, ARGV[3])
local excess = redis.call('ZCARD', key) - most
if excess <= 0 then return {} end
local losing = redis.call('ZRANGE', key, 0, excess - 1)
redis.call('ZREMRANGEBYRANK', key, 0, excess - 1)
return losing`,
};

export function createMarkPlaces(
  store: StoreConnection,
  { prefix, most, life }: MarkPlacesOptions,
): MarkPlaces {
  return {
    take: async (player) =>
      (await runScript(
        store,
        takeScript,
        `${prefix}:marked`,
        player,
        String(most),
        String(life),
      )) as string[],
  };
}
