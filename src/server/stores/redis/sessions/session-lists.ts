import { clientsInBlock } from '../../player.ts';
import type { Session } from '../../session.ts';
import type { StoreConnection } from '../connection/connection.ts';
import { runScript, type Script } from '../connection/script.ts';

/**
 * Which sessions are open, in all and of each owner: for counting and listing. The sessions themselves are elsewhere and
 * expire by themselves, so a list may name some that are gone. Every method rejects while the store is away.
 */
export interface SessionLists {
  /**
   * Adds a session to a list, oldest first by `score`. False, and nothing is added, where it holds `most` already. One
   * that is in it keeps its score where that is higher.
   */
  add(list: string, id: string, score: number, most: number): Promise<boolean>;
  remove(list: string, ids: readonly string[]): Promise<void>;
  ids(list: string): Promise<string[]>;
  /** Moves a session of the list to another score. */
  renew(list: string, id: string, score: number): Promise<void>;
  /** Drops what has this score or a lower one, and counts the rest. */
  countSince(list: string, score: number): Promise<number>;
}

/** ARGV: most, score, id. */
const addScript: Script = {
  name: 'typebadgeListSession',
  keys: 1,
  lua: `
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], 'GT', ARGV[2], ARGV[3])
return 1`,
};

export function createSessionLists(store: StoreConnection, prefix: string): SessionLists {
  const keyOf = (list: string) => `${prefix}:sessions:{${list}}`;
  return {
    add: async (list, id, score, most) =>
      (await runScript(store, addScript, keyOf(list), String(most), String(score), id)) === 1,
    async remove(list, ids) {
      if (ids.length > 0) await store.run((client) => client.zrem(keyOf(list), ...ids));
    },
    ids: (list) => store.run((client) => client.zrange(keyOf(list), '0', '-1')),
    async renew(list, id, score) {
      await store.run((client) => client.zadd(keyOf(list), 'XX', String(score), id));
    },
    async countSince(list, score) {
      await store.run((client) => client.zremrangebyscore(keyOf(list), '-inf', score));
      return store.run((client) => client.zcard(keyOf(list)));
    },
  };
}

/** Name of the list of all sessions. Players and clients have names of another form. */
export const everybody = 'all';

export const playerList = (player: string) => `player:${player}`;

/** The lists that a session is in beside that of everybody, and how many times the limit of a client each may hold. */
export function ownLists({ player, client, block }: Session): {
  readonly list: string;
  readonly share: number;
}[] {
  return [
    { list: playerList(player), share: 1 },
    ...(client === '' ? [] : [{ list: `client:${client}`, share: 1 }]),
    ...(block === undefined ? [] : [{ list: `block:${block}`, share: clientsInBlock }]),
  ];
}
