import { playerPattern } from '../../../../server/stores/player.ts';
import type { StoreConnection } from '../../../../server/stores/redis/connection/connection.ts';
import { listNames } from '../../../../server/stores/redis/connection/key-names.ts';
import type { RoundStreams, StreamPosition } from '../../../../server/stores/redis/rounds/round-streams.ts';
import { batchSize, type FoundRound, type RoundBatch, type StoreSide } from './data-side.ts';
import { toFoundRound } from './found-round.ts';
import type { Reach } from './round-import.ts';
import type { SoundReader } from './unread-data.ts';

export interface StoreRoundsOptions {
  readonly prefix: string;
  readonly streams: RoundStreams;
  readonly reach: Reach;
  readonly reader: SoundReader;
}

/** The finished rounds in a store, read player by player. */
export function createStoreRounds(
  store: StoreConnection,
  { prefix, streams, reach, reader }: StoreRoundsOptions,
): Pick<StoreSide, 'roundCount' | 'rounds'> {
  const start = `${prefix}:rounds:{`;
  const players = async () =>
    (await reach(() => listNames(store, start))).filter((player) => playerPattern.test(player));
  // Only for the progress bar: nothing is lost with a count that is damaged.
  const count = (player: string) =>
    reach(() => store.run((client) => client.hlen(`${start}${player}}:entries`).catch(ignoreDamage)));
  const read = async (player: string): Promise<FoundRound[]> => {
    const keys = { what: `rounds of ${player}`, keys: [`${start}${player}}`] };
    const rounds: FoundRound[] = [];
    const lost = await reader.readIfSound(keys, () => readInto(rounds, player));
    if (lost) await reader.report(keys, lost === 1 ? '1 is damaged' : `${lost} are damaged`);
    return rounds;
  };
  /** Resolves to the number of rounds that cannot be read. */
  const readInto = async (rounds: FoundRound[], player: string): Promise<number> => {
    let lost = 0;
    let position: StreamPosition | undefined;
    for (;;) {
      const from = position;
      const part = await reach(() => streams.read(player, from, batchSize));
      const sound = part.lines.flatMap((line) => toFoundRound(line) ?? []);
      rounds.push(...sound);
      lost += part.skipped + part.lines.length - sound.length;
      if (!part.hasMore) return lost;
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

function ignoreDamage(error: Error): number {
  if (error.name === 'ReplyError') return 0;
  throw error;
}
