import { playerPattern } from '../../../server/stores/player.ts';
import type { StoreConnection } from '../../../server/stores/redis/connection/connection.ts';
import type { RoundStreams, StreamPosition } from '../../../server/stores/redis/rounds/round-streams.ts';
import { batchSize, type FoundRound, type RoundBatch, type StoreSide } from './data-side.ts';
import { toFoundRound } from './found-round.ts';
import type { Reach } from './round-import.ts';

export interface StoreRoundsOptions {
  readonly prefix: string;
  readonly streams: RoundStreams;
  readonly reach: Reach;
}

/** The finished rounds in a store, read player by player. */
export function createStoreRounds(
  store: StoreConnection,
  { prefix, streams, reach }: StoreRoundsOptions,
): Pick<StoreSide, 'roundCount' | 'rounds'> {
  const players = () => reach(() => listPlayers(store, prefix));
  const count = (player: string) =>
    reach(() => store.run((client) => client.hlen(`${prefix}:rounds:{${player}}:entries`)));
  const read = async (player: string): Promise<FoundRound[]> => {
    const rounds: FoundRound[] = [];
    let position: StreamPosition | undefined;
    for (;;) {
      const from = position;
      const part = await reach(() => streams.read(player, from, batchSize));
      rounds.push(...part.lines.flatMap((line) => toFoundRound(line) ?? []));
      if (!part.hasMore) return rounds;
      position = part.position;
    }
  };
  return {
    async roundCount() {
      let total = 0;
      for (const player of await players()) total += await count(player);
      return total;
    },
    async *rounds(): AsyncGenerator<RoundBatch> {
      for (const player of await players()) {
        const rounds = await read(player);
        for (let at = 0; at < rounds.length; at += batchSize)
          yield { player, rounds: rounds.slice(at, at + batchSize) };
      }
    },
  };
}

async function listPlayers(store: StoreConnection, prefix: string): Promise<string[]> {
  const players = new Set<string>();
  const start = `${prefix}:rounds:{`;
  await store.run(async (client) => {
    for (const node of 'nodes' in client ? client.nodes('master') : [client]) {
      let cursor = '0';
      do {
        const [next, keys] = await node.scan(cursor, 'MATCH', `${start}*}`, 'COUNT', 500);
        for (const key of keys) players.add(key.slice(start.length, -1));
        cursor = next;
      } while (cursor !== '0');
    }
  });
  return [...players].filter((player) => playerPattern.test(player)).sort();
}
