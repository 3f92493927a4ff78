import type { PlayerId } from '../../player.ts';
import type { StoreConnection } from '../connection/connection.ts';
import { createCountedLists } from '../lists/counted-lists.ts';

/** Room in the store for the rounds of all players together. Every method rejects while the store is away. */
export interface RoundRoom {
  /** Whether a player's rounds may take so many bytes in all, which count from then on. */
  take(player: PlayerId, bytes: number): Promise<boolean>;
  /** Whether rounds of this player count. */
  has(player: PlayerId): Promise<boolean>;
  /** The player's rounds are gone. */
  leave(player: PlayerId): Promise<void>;
}

export interface RoundRoomOptions {
  readonly prefix: string;
  /** Bytes. */
  readonly quota: number;
  /** Milliseconds after which the store removes the rounds of a player who adds none; infinite: never. */
  readonly life: number;
}

/** One list, which counts with the most that the rounds of each player took since they were last gone. */
const everybody = 'all';

export function createRoundRoom(
  store: StoreConnection,
  { prefix, quota, life }: RoundRoomOptions,
): RoundRoom {
  const lists = createCountedLists(store, { root: `${prefix}:players`, expiry: life });
  const toEntry = (player: PlayerId) => ({ id: player, createdAt: 0 });
  return {
    take: (player, bytes) =>
      lists.note(
        everybody,
        { ...toEntry(player), bytes },
        { entries: Number.POSITIVE_INFINITY, bytes: quota, unused: life },
      ),
    has: (player) => lists.has(everybody, toEntry(player)),
    leave: (player) => lists.remove(everybody, [toEntry(player)]),
  };
}
