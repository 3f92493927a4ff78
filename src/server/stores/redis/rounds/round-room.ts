import type { PlayerId } from '../../player.ts';
import type { StoreConnection } from '../connection/connection.ts';
import { createCountedLists } from '../lists/counted-lists.ts';

/** The room in the store for the rounds of all players. Every method rejects while the store is away. */
export interface RoundRoom {
  /** Reserves so many bytes for all rounds of a player. False: there is no room. */
  take(player: PlayerId, bytes: number): Promise<boolean>;
  /** Whether room is reserved for this player. */
  has(player: PlayerId): Promise<boolean>;
  /** Releases the room of a player whose rounds are gone. */
  leave(player: PlayerId): Promise<void>;
}

export interface RoundRoomOptions {
  readonly prefix: string;
  /** In bytes. */
  readonly quota: number;
  /** Milliseconds without new rounds after which the store removes those of a player; infinite: never. */
  readonly life: number;
}

/** One list for all players. Each counts with the most bytes that their rounds took since they were last removed. */
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
