import type { PlayerId } from '../../player.ts';
import type { StoreConnection } from '../connection/connection.ts';
import { onSoundKeys } from '../connection/damaged-keys.ts';
import { runScript, type Script } from '../connection/script.ts';

/** A player whose data was deleted, and when, by the store's clock in milliseconds since 1970. */
export interface ForgottenPlayer {
  readonly player: PlayerId;
  readonly at: number;
}

export interface ForgottenPart {
  readonly players: readonly ForgottenPlayer[];
  /** The store's time, in milliseconds since 1970. */
  readonly now: number;
  /** Whether more follow. */
  readonly hasMore: boolean;
  /** Whether the list is full, so that the oldest entries may be missing. */
  readonly isFull: boolean;
}

/**
 * The list of forgotten players, so that every server removes its copy of their rounds, and no copy is imported again. It only
 * has ids of players, which are hashes. Every method rejects while the store is away.
 */
export interface ForgottenPlayers {
  /**
   * Adds a player, or updates the time. `isKnown`: whether the store had rounds of them, or counted some; others never displace
   * entries, because anyone can forget as many players as they can invent keys.
   */
  note(player: PlayerId, isKnown: boolean): Promise<void>;
  /** Players forgotten since then (milliseconds since 1970), in order of time, at most a thousand. */
  read(since: number): Promise<ForgottenPart>;
  /** When this player was last forgotten, in milliseconds since 1970; undefined: never, or too long ago. */
  timeOf(player: PlayerId): Promise<number | undefined>;
}

export interface ForgottenPlayersOptions {
  readonly prefix: string;
  /** Milliseconds that a player stays in the list. */
  readonly life: number;
  /** Most players in the list. Default: 100,000, which take about 15 MiB of the store. */
  readonly most?: number;
}

/**
 * Largest assumed difference between the clocks of servers and store, in milliseconds: a round finished this long after a
 * deletion by a server's clock may have been finished before it.
 */
export const clockSkew = 5 * 60_000;

const portion = 1_000;

const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** KEYS: players by time of deletion. ARGV: player, whether the store had rounds, life in milliseconds, most players. */
const noteScript: Script = {
  name: 'typebadgeNoteForgotten',
  keys: ['ranking'],
  lua: `${clock}
local key, player, life, most = KEYS[1], ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', now - life))
local isListed = redis.call('ZSCORE', key, player)
if ARGV[2] == '0' and not isListed and redis.call('ZCARD', key) >= most / 2 then return 0 end
redis.call('ZADD', key, string.format('%.0f', now), player)
redis.call('ZREMRANGEBYRANK', key, 0, -most - 1)
redis.call('PEXPIRE', key, string.format('%.0f', life))
return 1`,
};

/** KEYS: as above. ARGV: since, count. */
const readScript: Script = {
  name: 'typebadgeReadForgotten',
  keys: ['ranking'],
  isReadOnly: true,
  lua: `${clock}
local found = redis.call('ZRANGEBYSCORE', KEYS[1], ARGV[1], '+inf', 'WITHSCORES', 'LIMIT', 0, ARGV[2])
return {string.format('%.0f', now), redis.call('ZCARD', KEYS[1]), found}`,
};

export function createForgottenPlayers(
  store: StoreConnection,
  { prefix, life, most = 100_000 }: ForgottenPlayersOptions,
): ForgottenPlayers {
  const key = `${prefix}:forgotten`;
  return {
    async note(player, isKnown) {
      const bounds = [String(Math.ceil(life)), String(most)];
      await runScript(store, noteScript, key, player, isKnown ? '1' : '0', ...bounds);
    },
    async read(since) {
      const args = [String(since), String(portion)];
      const [now, count, found] = (await runScript(store, readScript, key, ...args)) as [
        string,
        number,
        readonly string[],
      ];
      const players = found.flatMap((player, at) =>
        at % 2 === 0 ? [{ player, at: Number(found[at + 1]) }] : [],
      );
      return {
        players,
        now: Number(now),
        hasMore: players.length === portion,
        isFull: count >= most,
      };
    },
    async timeOf(player) {
      const score = await onSoundKeys(store, [{ key, kind: 'ranking' }], () =>
        store.run((client) => client.zscore(key, player)),
      );
      return score === null ? undefined : Number(score);
    },
  };
}
