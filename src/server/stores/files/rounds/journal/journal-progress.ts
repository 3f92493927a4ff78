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
  /** When the next snapshot is due: later if writing the last one failed. */
  due: SnapshotDue;
}

/** The next snapshot is due with either. */
export interface SnapshotDue {
  /** Rounds read since the last one. */
  readonly rounds: number;
  /** Offset in the journal. */
  readonly offset: number;
}

/** Bytes of a journal between two snapshots: about 80 usual rounds, or the keys of three as long as may be uploaded. */
const bytesPerSnapshot = 128 * 1024;

export const isSnapshotDue = ({ places, due, offset }: JournalProgress): boolean =>
  places.size >= due.rounds || (places.size > 0 && offset >= due.offset);

export interface PlacedRound {
  readonly round: JournalRound;
  readonly at: number;
}

export const newProgress = (roundsPerSnapshot: number): JournalProgress => ({
  inode: 0,
  size: 0,
  offset: 0,
  oldest: Number.POSITIVE_INFINITY,
  history: newHistory(),
  snapshot: undefined,
  places: new Map(),
  due: { rounds: roundsPerSnapshot, offset: bytesPerSnapshot },
});

/** Begins reading a file, after its snapshot if there is one. */
export function begin(progress: JournalProgress, inode: number, snapshot: JournalSnapshot | undefined): void {
  progress.inode = inode;
  if (snapshot === undefined) return;
  const { sum, table } = snapshot;
  progress.snapshot = { sum, table };
  progress.history = snapshot.history;
  progress.offset = snapshot.end;
  progress.due = { ...progress.due, offset: snapshot.end + bytesPerSnapshot };
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

/** Folds everything read so far into a snapshot. If that fails, the rounds stay in memory until the next one is due. */
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
    progress.due = { rounds: roundsPerSnapshot, offset: end + bytesPerSnapshot };
  } catch {
    progress.due = { rounds: places.size + roundsPerSnapshot, offset: end + bytesPerSnapshot };
  }
}
