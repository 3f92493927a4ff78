import { setImmediate as nextTurn } from 'node:timers/promises';
import { inSlices } from '../../../../kit/slices.ts';
import { foldSteps, type History, historyBytes, newHistory } from '../../../../typing/statistics/history.ts';
import type { FileRounds } from '../../files/rounds/file-rounds.ts';
import { isOfLaterVersion, parseJournalLine } from '../../journal-line.ts';
import type { JournalRound } from '../../journal-round.ts';
import { languageOf } from '../../languages.ts';
import type { PlayerId } from '../../player.ts';
import { type Rounds, RoundsNotKeptError } from '../../ports.ts';
import { toUnsavedRound, type UnsavedRound } from '../../unsaved-rounds.ts';
import { clockSkew, type ForgottenPlayers } from './forgotten-players.ts';
import type { RoundRoom } from './round-room.ts';
import type { RoundStreams, StreamBounds, StreamPosition } from './round-streams.ts';

export interface RedisRoundsOptions {
  readonly streams: RoundStreams;
  /** This server's own copy on disk, so that saved rounds survive the loss of the store. */
  readonly disk: Pick<FileRounds, 'keep' | 'forget' | 'remove'>;
  readonly forgotten: ForgottenPlayers;
  /** Most memory of the folded histories of all players, in bytes. Default: 32 MiB. */
  readonly memory?: number;
  readonly bounds: (player: PlayerId) => StreamBounds;
  /** Default: no limit. */
  readonly room?: RoundRoom;
  /** Called with the number of damaged rounds whenever some are left out. Default: does nothing. */
  readonly onUnreadable?: ((player: PlayerId, count: number) => void) | undefined;
}

/** The port, and a method that keeps this server's copies consistent with the store. */
export interface RedisRounds extends Rounds {
  /**
   * Removes rounds that the player had finished by then (milliseconds since 1970, by the store's clock) from this server's disk,
   * unless the store has them.
   */
  dropCopies(player: PlayerId, at: number): Promise<void>;
}

const endlessRoom: RoundRoom = {
  take: async () => true,
  has: async () => false,
  leave: async () => undefined,
};
const fullStore = 'all rounds together would take more of the store than --round-quota allows';

interface Fold {
  readonly history: History;
  readonly position: StreamPosition | undefined;
}

/** Rounds read with one command. */
const portion = 500;

/** Finished rounds in a shared store. Each server folds what has been added since it last read. */
export function createRedisRounds({
  streams,
  disk,
  forgotten,
  memory = 32 * 1024 * 1024,
  bounds,
  room = endlessRoom,
  onUnreadable = () => undefined,
}: RedisRoundsOptions): RedisRounds {
  const folds = createFolds(memory);
  /** Calls made while a history is being read share the result. */
  const readings = new Map<PlayerId, Promise<History>>();

  const parse = (player: PlayerId, lines: readonly string[]) => {
    const rounds = parseLines(lines);
    if (rounds.length === lines.length) return rounds;
    const damaged = lines.filter((line) => parseJournalLine(line) === undefined && !isOfLaterVersion(line));
    if (damaged.length > 0) onUnreadable(player, damaged.length);
    return rounds;
  };
  const read = async (player: PlayerId) => {
    let { history, position }: Fold = folds.get(player) ?? { history: newHistory(), position: undefined };
    for (;;) {
      const part = await streams.read(player, position, portion);
      if (!part.continues) history = newHistory();
      if (part.skipped > 0) onUnreadable(player, part.skipped);
      for (const lines of inParts(part.lines)) {
        history = await inSlices(foldSteps(history, parse(player, lines), languageOf));
        await nextTurn();
      }
      position = part.position;
      if (!part.hasMore) break;
    }
    folds.set(player, { history, position });
    return history;
  };
  const hasRoom = async (player: PlayerId, rounds: readonly UnsavedRound[]) => {
    const bytes = await streams.sizeWith(player, rounds);
    return bytes === undefined || room.take(player, Math.min(bytes, bounds(player).bytes));
  };
  /** False if the player was forgotten in the meantime. */
  const add = async (player: PlayerId, rounds: readonly UnsavedRound[], mark: string | undefined) => {
    const isAdded = await streams.add(player, rounds, bounds(player), mark);
    // Rounds added since then are counted again with the next one.
    if (!isAdded) await room.leave(player);
    return isAdded;
  };
  /** Whether servers may have copies of this player's rounds: there are some in the store, or they have reserved room. */
  const mayHaveCopies = async (player: PlayerId) =>
    (await streams.hasAny(player)) || (await room.has(player));
  /** Counts removals. Rounds removed while they are being saved are saved again: they may not have reached the store in time. */
  let drops = 0;
  const drop = (player: PlayerId, until: number) => {
    drops += 1;
    return disk.remove(player, { until, staying: (ids) => streams.known(player, ids) });
  };
  return {
    history(player) {
      const reading = readings.get(player) ?? read(player).finally(() => readings.delete(player));
      readings.set(player, reading);
      return reading;
    },
    unread: (player) => (folds.get(player) === undefined ? streams.size(player) : 0),
    async note(player, rounds, mark) {
      const unsaved = rounds.map(toUnsavedRound);
      // Without room they stay in their sessions, and count once they are saved.
      if (await hasRoom(player, unsaved)) await add(player, unsaved, mark);
    },
    async keep(player, rounds, readMark) {
      const mark = readMark ?? (await streams.mark(player));
      if (!(await hasRoom(player, rounds))) throw new RoundsNotKeptError(new Error(fullStore));
      const dropsBefore = drops;
      await disk.keep(player, rounds);
      if (!(await add(player, rounds, mark))) await drop(player, Number.POSITIVE_INFINITY);
      else if (drops > dropsBefore) await disk.keep(player, rounds);
    },
    mark: streams.mark,
    async list(player, { limit, after }) {
      const page = await streams.readBack(player, after, limit);
      if (page === undefined) return undefined;
      const rounds: JournalRound[] = [];
      for (const lines of inParts(page.rounds.map(({ line }) => line))) {
        rounds.push(...parse(player, lines));
        await nextTurn();
      }
      const next = page.hasMore ? page.rounds.at(-1)?.id : undefined;
      return next === undefined ? { rounds } : { rounds, next };
    },
    async forget(player) {
      folds.delete(player);
      // First: if the rest is interrupted, servers only check copies that they may keep, and the deletion can be repeated.
      await forgotten.note(player, await mayHaveCopies(player));
      await Promise.all([streams.delete(player), disk.forget(player)]);
      await room.leave(player);
    },
    dropCopies: (player, at) => drop(player, at + clockSkew),
  };
}

function parseLines(lines: readonly string[]): JournalRound[] {
  return lines.flatMap((line) => parseJournalLine(line) ?? []);
}

/** Characters of lines parsed and folded in one go, which takes a few milliseconds. */
const longestPart = 128 * 1024;

/** Splits the lines into parts, between which other requests are handled. A longer line is a part of its own. */
function inParts(lines: readonly string[]): string[][] {
  const parts: string[][] = [];
  let room = 0;
  for (const line of lines) {
    room -= line.length;
    if (room >= 0) parts.at(-1)?.push(line);
    else {
      parts.push([line]);
      room = longestPart - line.length;
    }
  }
  return parts;
}

/** Memory of a fold without rounds, with the statistics computed from it: anyone can be a new player as often as they like. */
const emptyFoldBytes = 16_000;

/** A cache of histories by player; the least recently used are dropped first. */
function createFolds(memory: number) {
  const folds = new Map<PlayerId, Fold>();
  let bytes = 0;
  const sizeOf = ({ history }: Fold) => emptyFoldBytes + historyBytes(history);
  const remove = (player: PlayerId) => {
    const fold = folds.get(player);
    if (fold !== undefined) bytes -= sizeOf(fold);
    folds.delete(player);
  };
  return {
    get: (player: PlayerId) => folds.get(player),
    delete: remove,
    set(player: PlayerId, fold: Fold) {
      remove(player);
      folds.set(player, fold);
      bytes += sizeOf(fold);
      for (const oldest of folds.keys()) {
        if (bytes <= memory) break;
        remove(oldest);
      }
    },
  };
}
