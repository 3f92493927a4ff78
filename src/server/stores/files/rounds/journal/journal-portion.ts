import type { FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readLines } from '../../../../../kit/files/line-reader.ts';
import { parseJournalLine } from '../../../journal-line.ts';
import type { JournalRound } from '../../../journal-round.ts';
import { StoreUnavailableError } from '../../../ports.ts';
import { addRounds, fold, type JournalProgress, type PlacedRound } from './journal-progress.ts';

/** How long to wait for a torn last line to become complete, in milliseconds: another server may be writing it. */
const tornPatience = 50;
/** While reading a long file, snapshots are made less often: after so many times the usual rounds, or a share of all rounds. */
const heldWhileReading = 400;
const shareWhileReading = 1 / 8;

export interface PortionOptions {
  readonly path: string;
  readonly progress: JournalProgress;
  readonly roundsPerSnapshot: number;
  /** Called with the rounds that are new. */
  readonly onRounds: (rounds: readonly JournalRound[]) => void;
  /** Called with a line that is not a round. */
  readonly onDamage: (line: Buffer) => void;
  /** Whether to stop reading, with a `StoreUnavailableError`. */
  readonly isStopped: () => boolean;
}

/** Lines that were read but not counted yet. */
interface Portion {
  rounds: PlacedRound[];
  /** Offset just after the last of them. */
  reached: number;
}

/**
 * Counts the rest of the file from the progress on, portion by portion, so that the rounds of a long file are never all in
 * memory. `waits`: whether to wait for a torn last line, and count it if it is a round.
 */
export async function countRest(file: FileHandle, options: PortionOptions, waits: boolean): Promise<void> {
  const { progress } = options;
  const portion: Portion = { rounds: [], reached: progress.offset };
  const takeLine = (line: Buffer, at: number) => {
    if (line.length > 0 && !take(portion, line, at)) options.onDamage(line);
    portion.reached = at + line.length + 1;
  };
  const onPart = () => countPart(portion, options);
  let lines = await readLines(file, progress.offset, takeLine, onPart);
  if (waits && lines.tail.length > 0 && !take(portion, lines.tail, lines.offset)) {
    await sleep(tornPatience);
    lines = await readLines(file, lines.offset, takeLine, onPart);
    takeLine(lines.tail, lines.offset);
  }
  await count(portion, options);
  progress.offset = lines.offset;
  progress.size = lines.offset + lines.tail.length;
}

/** Adds a line to the portion. Returns whether it is a round. */
function take(portion: Portion, line: Buffer, at: number): boolean {
  const round = parseJournalLine(line.toString());
  if (round !== undefined) portion.rounds.push({ round, at });
  return round !== undefined;
}

async function count(portion: Portion, { path, progress, onRounds }: PortionOptions): Promise<void> {
  const placed = portion.rounds;
  portion.rounds = [];
  const fresh = await addRounds(path, progress, placed);
  if (fresh.length > 0) onRounds(fresh);
}

async function countPart(portion: Portion, options: PortionOptions): Promise<void> {
  const { path, progress, roundsPerSnapshot, isStopped } = options;
  if (isStopped()) throw new StoreUnavailableError('the server is stopping');
  await count(portion, options);
  progress.offset = portion.reached;
  const mostHeld = Math.max(
    progress.due.rounds,
    heldWhileReading * roundsPerSnapshot,
    progress.history.rounds * shareWhileReading,
  );
  if (progress.places.size >= mostHeld) await fold(path, progress, roundsPerSnapshot);
}
