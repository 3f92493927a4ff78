import { join } from 'node:path';
import { createWorkQueue } from '../../../../kit/work-queue.ts';
import type { Log } from '../../../settings/log.ts';
import { localPlayer, type PlayerId } from '../../player.ts';
import { type Rounds, RoundsNotKeptError } from '../../ports.ts';
import { keepAll, type Retention } from '../../round-retention.ts';
import type { UnsavedRound } from '../../unsaved-rounds.ts';
import { createForgettings } from './forgettings.ts';
import { bytesToRead } from './journal/journal-reader.ts';
import type { RoundRemoval } from './journal/journal-removal.ts';
import { warnIn } from './journal-warnings.ts';
import { createOpenPlayers } from './open-players.ts';
import { createPlayerRounds, type PlayerRounds } from './player-rounds.ts';

/** The port, and methods only for the sessions of the same data folder. */
export interface FileRounds extends Rounds {
  mark(player: PlayerId): Promise<string>;
  /** Sets how to find finished rounds that are not in the journal yet: a history that is read again must count them. */
  findUnsavedBy(unsavedOf: (player: PlayerId) => readonly UnsavedRound[]): void;
  /** Removes some of a player's rounds from the disk. */
  remove(player: PlayerId, removal: RoundRemoval): Promise<void>;
  /** Stops reading histories for requests, with a `StoreUnavailableError`. Saving goes on. */
  stopReading(): void;
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

/** A journal with fewer unread bytes is read without waiting for others: about 40 usual rounds, which take a few milliseconds. */
const shortReading = 64 * 1024;

/**
 * The finished rounds of a data folder: `rounds.jsonl` for the local player, and a journal for each other player, which is read
 * when they play. Anyone can become a new player as often as they like, so only the latest stay in memory.
 */
export function createFileRounds(options: FileRoundsOptions): FileRounds {
  const { dataDir, memory = 32 * 1024 * 1024, log, retention = () => keepAll } = options;
  const forgettings = createForgettings();
  let unsavedOf: (player: PlayerId) => readonly UnsavedRound[] = () => [];
  let isStopping = false;
  const players = createOpenPlayers({
    memory,
    open: (player) =>
      createPlayerRounds({
        path: journalPath(dataDir, player),
        unsaved: () => unsavedOf(player),
        isStopping: () => isStopping,
        roundsPerSnapshot: options.roundsPerSnapshot,
        retention: player === localPlayer ? undefined : retention,
        ...warnIn(log),
      }),
  });
  const reading = createWorkQueue();
  /** The local player is always in memory. Opens nothing, because nobody would close it. */
  const unread = (player: PlayerId) => {
    if (player === localPlayer) return 0;
    return players.isInUse(player)
      ? (players.find(player)?.dueBytes() ?? 0)
      : bytesToRead(journalPath(dataDir, player));
  };
  /**
   * Reading a long journal that is not in memory takes long, and strangers can request one after the other. So they are read
   * one at a time, and players whose journal is short or in memory do not wait for them.
   */
  const use = async <T>(player: PlayerId, work: (rounds: PlayerRounds) => Promise<T>): Promise<T> => {
    const isShort = (await unread(player)) < shortReading;
    const found = players.of(player);
    const result = await (isShort ? work(found.rounds) : reading.run(() => work(found.rounds)));
    players.weigh(player, found);
    return result;
  };
  return {
    history: (player) => use(player, (rounds) => rounds.history()),
    // If the history is not in memory, reading it will find these rounds among the unsaved ones.
    note(player, rounds, mark = forgettings.mark()) {
      if (forgettings.isCurrent(player, mark)) players.find(player)?.note(rounds);
    },
    async keep(player, unsaved, mark = forgettings.mark()) {
      await use(player, (rounds) => rounds.keep(unsaved, () => forgettings.isCurrent(player, mark)));
      if (forgettings.isUnknown(player, mark))
        throw new RoundsNotKeptError(new Error('too many players were forgotten meanwhile'));
    },
    mark: async () => forgettings.mark(),
    unread,
    list: (player, page) => use(player, (rounds) => rounds.list(page)),
    async forget(player) {
      forgettings.note(player);
      await players.of(player).rounds.forget();
      players.close(player);
    },
    async remove(player, removal) {
      const wasOpen = players.find(player) !== undefined;
      await players.of(player).rounds.remove(removal);
      if (!wasOpen) players.close(player);
    },
    findUnsavedBy(find) {
      unsavedOf = find;
    },
    stopReading() {
      isStopping = true;
    },
    async settle() {
      await Promise.all(players.all().map((rounds) => rounds.settle()));
    },
  };
}

/** Path of a player's journal in a data folder. */
export function journalPath(dataDir: string, player: PlayerId): string {
  if (player === localPlayer) return join(dataDir, 'rounds.jsonl');
  return join(dataDir, 'players', player.slice(-2), `${player}.jsonl`);
}
