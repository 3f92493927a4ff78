import { join } from 'node:path';
import type { Log } from '../../../settings/log.ts';
import { localPlayer, type PlayerId } from '../../player.ts';
import { type Rounds, RoundsNotKeptError } from '../../ports.ts';
import { keepAll, type Retention } from '../../round-retention.ts';
import type { UnsavedRound } from '../../unsaved-rounds.ts';
import { createForgettings } from './forgettings.ts';
import type { RoundRemoval } from './journal/journal-removal.ts';
import { createPlayerRounds, type PlayerRounds } from './player-rounds.ts';

/** The port, and methods only for the sessions of the same data folder. */
export interface FileRounds extends Rounds {
  mark(player: PlayerId): Promise<string>;
  /** Sets how to find finished rounds that are not in the journal yet: a history that is read again must count them. */
  findUnsavedBy(unsavedOf: (player: PlayerId) => readonly UnsavedRound[]): void;
  /** Removes some of a player's rounds from the disk. */
  remove(player: PlayerId, removal: RoundRemoval): Promise<void>;
  /** Waits for writes in the background. */
  settle(): Promise<void>;
}

export interface FileRoundsOptions {
  readonly dataDir: string;
  /** Most memory of the histories of all players except the local one, in bytes. Default: 32 MiB. */
  readonly memory?: number;
  /** What is kept of each player except the local one. Default: everything. */
  readonly retention?: (() => Retention) | undefined;
  /** Rounds of a player between two snapshots. Default: see `JournalReaderOptions`. */
  readonly roundsPerSnapshot?: number;
  readonly log: Log;
}

interface OpenRounds {
  readonly rounds: PlayerRounds;
  /** Approximate memory in bytes. */
  weight: number;
}

/**
 * The finished rounds of a data folder: `rounds.jsonl` for the local player, and a journal for each other player, which is read
 * when they play. Anyone can become a new player as often as they like, so only the latest stay in memory.
 */
export function createFileRounds(options: FileRoundsOptions): FileRounds {
  const { dataDir, memory = 32 * 1024 * 1024, log, retention = () => keepAll } = options;
  const open = new Map<PlayerId, OpenRounds>();
  const forgettings = createForgettings();
  let weight = 0;
  let unsavedOf: (player: PlayerId) => readonly UnsavedRound[] = () => [];

  const openRounds = (player: PlayerId): OpenRounds => {
    const rounds = createPlayerRounds({
      path: journalPath(dataDir, player),
      unsaved: () => unsavedOf(player),
      roundsPerSnapshot: options.roundsPerSnapshot,
      retention: player === localPlayer ? undefined : retention,
      onDamage: (lines, aside) =>
        log.error(
          `${lines} damaged ${lines === 1 ? 'line' : 'lines'} of the round journal cannot be read and do not count`,
          { kept: aside ?? 'in the journal itself' },
        ),
      onLater: (lines) =>
        log.error(
          `${lines} ${lines === 1 ? 'round was' : 'rounds were'} written by a later version of typebadge: left as they are, not counted`,
        ),
      onProblem: ({ message }) => log.error(`the round journal cannot be read: ${message}`),
    });
    return { rounds, weight: 0 };
  };
  /** Moves the player to the end of the map, so that the least recently used is at its beginning. */
  const of = (player: PlayerId) => {
    const found = open.get(player) ?? openRounds(player);
    open.delete(player);
    open.set(player, found);
    return found;
  };
  const close = (player: PlayerId) => {
    weight -= open.get(player)?.weight ?? 0;
    open.delete(player);
  };
  const weigh = (player: PlayerId, weighed: OpenRounds) => {
    if (open.get(player) !== weighed) return;
    const now = player === localPlayer ? 0 : weighed.rounds.weight();
    weight += now - weighed.weight;
    weighed.weight = now;
    for (const other of open.keys()) {
      if (weight <= memory) return;
      if (other !== localPlayer && other !== player) close(other);
    }
  };
  let reading: Promise<unknown> = Promise.resolve();
  /**
   * Reading a journal that is not in memory takes long, and strangers can request one after the other. So journals are read
   * one at a time, and players whose journal is in memory do not wait for them.
   */
  const use = async <T>(player: PlayerId, work: (rounds: PlayerRounds) => Promise<T>): Promise<T> => {
    const found = of(player);
    const isInMemory = found.weight > 0 || player === localPlayer;
    const done = isInMemory ? work(found.rounds) : reading.then(() => work(found.rounds));
    if (!isInMemory) reading = done.catch(() => undefined);
    const result = await done;
    weigh(player, found);
    return result;
  };
  return {
    history: (player) => use(player, (rounds) => rounds.history()),
    // If the history is not in memory, reading it will find these rounds among the unsaved ones.
    note(player, rounds, mark = forgettings.mark()) {
      if (forgettings.isCurrent(player, mark)) open.get(player)?.rounds.note(rounds);
    },
    async keep(player, unsaved, mark = forgettings.mark()) {
      await use(player, (rounds) => rounds.keep(unsaved, () => forgettings.isCurrent(player, mark)));
      if (forgettings.isUnknown(player, mark))
        throw new RoundsNotKeptError(new Error('too many players were forgotten meanwhile'));
    },
    mark: async () => forgettings.mark(),
    list: (player, page) => use(player, (rounds) => rounds.list(page)),
    async forget(player) {
      forgettings.note(player);
      await of(player).rounds.forget();
      close(player);
    },
    async remove(player, removal) {
      const wasOpen = open.has(player);
      await of(player).rounds.remove(removal);
      if (!wasOpen) close(player);
    },
    findUnsavedBy(find) {
      unsavedOf = find;
    },
    async settle() {
      await Promise.all(Array.from(open.values(), ({ rounds }) => rounds.settle()));
    },
  };
}

/** Path of a player's journal in a data folder. */
export function journalPath(dataDir: string, player: PlayerId): string {
  if (player === localPlayer) return join(dataDir, 'rounds.jsonl');
  return join(dataDir, 'players', player.slice(-2), `${player}.jsonl`);
}
