import { localPlayer, type PlayerId } from '../../../../server/stores/player.ts';
import type { StoreConnection } from '../../../../server/stores/redis/connection/connection.ts';
import {
  clockSkew,
  createForgottenPlayers,
} from '../../../../server/stores/redis/rounds/forgotten-players.ts';
import { createRoundRoom } from '../../../../server/stores/redis/rounds/round-room.ts';
import { noBounds, type RoundStreams } from '../../../../server/stores/redis/rounds/round-streams.ts';
import {
  type FoundRound,
  noneLeftOut,
  type RoundBatch,
  type SiftedRounds,
  type StoreSide,
} from './data-side.ts';

export type Reach = <T>(work: () => Promise<T>) => Promise<T>;

export interface RoundImportOptions {
  readonly prefix: string;
  readonly streams: RoundStreams;
  /** Whether the servers of this store are open to strangers, whose rounds are not kept forever. */
  readonly isPublic: () => Promise<boolean>;
  readonly roundQuota: number;
  readonly keepRounds: number;
  readonly now: () => number;
  readonly reach: Reach;
}

/** Adds rounds to a store as its servers do: within the quota, for a time, and none of a player who was forgotten. */
export function createRoundImport(
  store: StoreConnection,
  { prefix, streams, isPublic, roundQuota: quota, keepRounds, now, reach }: RoundImportOptions,
): Pick<StoreSide, 'sift' | 'addRounds' | 'isForgotten'> {
  const forgotten = createForgottenPlayers(store, { prefix, life: keepRounds });
  const forever = Number.POSITIVE_INFINITY;
  const deletionOf = async (player: PlayerId) => {
    const at = await reach(() => forgotten.timeOf(player));
    return at === undefined ? 0 : at + clockSkew;
  };
  const siftFor = async ({ player, rounds }: RoundBatch, isOpen: boolean): Promise<SiftedRounds> => {
    const deletedAt = await deletionOf(player);
    const isBounded = player !== localPlayer && isOpen;
    const oldest = isBounded ? now() - keepRounds : 0;
    const since = rounds.filter(({ finishedAt }) => finishedAt > deletedAt || deletedAt === 0);
    const recent = since.filter(({ finishedAt }) => finishedAt >= oldest);
    const [all, living, staying] = [rounds.length, since.length, recent.length];
    return {
      rounds: recent,
      leftOut: { ...noneLeftOut, forgotten: all - living, expired: living - staying },
    };
  };
  /** Rounds that are there already take no room, and nothing is added where all are. */
  const add = async (player: PlayerId, rounds: readonly FoundRound[], isOpen: boolean) => {
    const known = await reach(() =>
      streams.known(
        player,
        rounds.map(({ id }) => id),
      ),
    );
    const fresh = rounds.filter(({ id }) => !known.has(id));
    if (fresh.length === 0) return { added: 0, withoutRoom: 0 };
    const life = isOpen ? keepRounds : forever;
    const room = createRoundRoom(store, { prefix, quota, life });
    const bytes = (await reach(() => streams.sizeWith(player, fresh))) ?? 0;
    if (!(await reach(() => room.take(player, bytes)))) return { added: 0, withoutRoom: fresh.length };
    // Counted from when the newest was finished: an import is no reason to keep them longer.
    const newest = fresh.reduce((latest, { finishedAt }) => Math.max(latest, finishedAt), 0);
    const left = Math.min(life, Math.max(1, newest + life - now()));
    const bounds = { ...noBounds, life: player === localPlayer ? forever : left };
    await reach(() => streams.add(player, fresh, bounds));
    return { added: fresh.length, withoutRoom: 0 };
  };
  return {
    sift: async (batch) => siftFor(batch, await isPublic()),
    async isForgotten({ session: { player, createdAt } }) {
      return createdAt <= (await deletionOf(player));
    },
    async addRounds(batch) {
      // Asked once: a server that opens the store to strangers meanwhile bounds all rounds of a batch or none.
      const isOpen = await isPublic();
      const { rounds, leftOut } = await siftFor(batch, isOpen);
      const { added, withoutRoom } = await add(batch.player, rounds, isOpen);
      return { added, leftOut: { ...leftOut, withoutRoom } };
    },
  };
}
