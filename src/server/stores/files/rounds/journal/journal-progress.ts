import { inSlices } from '../../../../../kit/slices.ts';
import { foldSteps, type History, newHistory } from '../../../../../typing/statistics/history.ts';
import type { JournalRound } from '../../../journal-round.ts';
import { languageOf } from '../../../languages.ts';
import {
  findFolded,
  type JournalSnapshot,
  type SnapshotPlace,
  writeSnapshot,
} from './snapshots/journal-snapshot.ts';

/** How far a journal has been read, and what was in it. */
export interface JournalProgress {
  /** The file when it was last read. */
  inode: number;
  size: number;
  /** Just after the last complete line. */
  offset: number;
  oldest: number;
  history: History;
  snapshot: SnapshotPlace | undefined;
  /** Offsets of the rounds read since the snapshot, by id. */
  places: Map<string, number>;
  /** Rounds since the snapshot after which the next one is due: more if writing the last one failed. */
  due: number;
}

export interface PlacedRound {
  readonly round: JournalRound;
  readonly at: number;
}

export const newProgress = (due: number): JournalProgress => ({
  inode: 0,
  size: 0,
  offset: 0,
  oldest: Number.POSITIVE_INFINITY,
  history: newHistory(),
  snapshot: undefined,
  places: new Map(),
  due,
});

/** Begins reading a file, after its snapshot if there is one. */
export function begin(progress: JournalProgress, inode: number, snapshot: JournalSnapshot | undefined): void {
  progress.inode = inode;
  if (snapshot === undefined) return;
  const { sum, table } = snapshot;
  progress.snapshot = { sum, table };
  progress.history = snapshot.history;
  progress.offset = snapshot.end;
  progress.oldest = snapshot.oldest;
}

/** Counts the rounds that are new, and returns them. */
export async function addRounds(
  path: string,
  progress: JournalProgress,
  placed: readonly PlacedRound[],
): Promise<JournalRound[]> {
  const ids = placed.map(({ round }) => round.id);
  const known = await find(path, progress, ids);
  const fresh = placed.filter(({ round: { id }, at }) => {
    if (known.has(id) || progress.places.has(id)) return false;
    progress.places.set(id, at);
    return true;
  });
  const rounds = fresh.map(({ round }) => round);
  if (rounds.length > 0) progress.history = await inSlices(foldSteps(progress.history, rounds, languageOf));
  for (const { completedAt } of rounds) progress.oldest = Math.min(progress.oldest, Date.parse(completedAt));
  return rounds;
}

/** The offsets of those rounds that have been read. */
export async function find(
  path: string,
  { snapshot, places }: JournalProgress,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const held = ids.filter((id) => places.has(id));
  const others = ids.filter((id) => !places.has(id));
  const folded =
    snapshot === undefined || others.length === 0 ? [] : await findFolded(path, snapshot, others);
  return new Map([...folded, ...held.map((id): [string, number] => [id, places.get(id) as number])]);
}

/** Folds everything read so far into a snapshot. If that fails, the rounds stay in memory until as many more have been read. */
export async function fold(
  path: string,
  progress: JournalProgress,
  roundsPerSnapshot: number,
): Promise<void> {
  const { inode, offset: end, oldest, history, places, snapshot: before } = progress;
  try {
    const snapshot = await writeSnapshot(path, { inode, end, oldest, history, places, before });
    if (snapshot === undefined) return;
    progress.snapshot = snapshot;
    progress.places = new Map();
    progress.due = roundsPerSnapshot;
  } catch {
    progress.due = places.size + roundsPerSnapshot;
  }
}
