import type { StoreConnection } from '../connection/connection.ts';
import { runScript, type Script } from '../connection/script.ts';

export interface MarkPlacesOptions {
  readonly prefix: string;
  /** Marks at once. */
  readonly most: number;
  /** Seconds that a mark lives. */
  readonly life: number;
}

/**
 * Places for the marks that deletions leave: anybody can delete as many players as they can invent keys. The latest
 * deletions have them, since only a mark whose player has rounds on their way is of use, and those take a moment.
 */
export interface MarkPlaces {
  /** Gives a player the last place. Those who lose theirs for that lose their marks, too. Rejects while the store is away. */
  take(player: string): Promise<readonly string[]>;
}

/** KEYS: players by the order of their deletions, which no jump of a clock changes. ARGV: player, most, life in seconds. */
const takeScript: Script = {
  name: 'typebadgeTakeMarkPlace',
  keys: 1,
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
