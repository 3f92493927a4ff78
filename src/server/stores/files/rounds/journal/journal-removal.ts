import { type FileHandle, rm } from 'node:fs/promises';
import { readLines } from '../../../../../kit/files/line-reader.ts';
import { openRegularFile } from '../../../../../kit/files/regular-file.ts';
import type { JournalLock } from './journal-lock.ts';
import { rewriteJournal } from './journal-trim.ts';
import { removeDerived } from './snapshots/derived-files.ts';

export interface RoundRemoval {
  /** Milliseconds since 1970: rounds finished later stay. */
  readonly until: number;
  /** Which of these rounds stay as well. */
  readonly staying: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Rounds looked up together. */
const roundsPerLookup = 500;
/** In milliseconds. Lines are in order of completion, except for rounds that waited in their sessions, at most this long. */
const longestWait = 24 * 60 * 60 * 1000;
/** Bytes read of a journal: longer than any line except those of attackers. */
const beginning = 64 * 1024;

/**
 * Removes rounds from a journal, together with unreadable lines and all derived files; removes the file itself if nothing is left.
 * Another server may append in the meantime, as with `rewriteJournal`.
 */
export async function removeFromJournal(
  path: string,
  removal: RoundRemoval,
  lock: JournalLock,
): Promise<void> {
  const file = await openRegularFile(path).catch(ifMissing);
  if (file === undefined) return;
  try {
    if ((await readFirstTime(file)) > removal.until + longestWait) return;
    const sorted = await sortLines(file, removal);
    if (sorted.going === 0) return;
    const isLast = sorted.staying === 0 && (await file.stat()).size === sorted.end;
    if (isLast) await rm(path, { force: true });
    else await rewriteJournal(path, lock, (line, at) => at >= sorted.end || !sorted.isGoing(line));
    await removeDerived(path);
  } finally {
    await file.close();
  }
}

interface SortedLines {
  /** Number of lines to remove, and to keep. */
  readonly going: number;
  readonly staying: number;
  /** How far the file was read: lines appended later stay. */
  readonly end: number;
  isGoing(line: Buffer): boolean;
}

async function sortLines(file: FileHandle, { until, staying }: RoundRemoval): Promise<SortedLines> {
  const kept = new Set<string>();
  const count = { lines: 0, later: 0 };
  let ids: string[] = [];
  const lookUp = async () => {
    for (const id of await staying(ids)) kept.add(id);
    ids = [];
  };
  const takeLine = (line: Buffer) => {
    if (line.length === 0) return;
    count.lines += 1;
    const { id, finishedAt } = readLine(line);
    if (finishedAt > until) count.later += 1;
    else if (id !== undefined) ids.push(id);
  };
  const { offset, tail } = await readLines(file, 0, takeLine, async () => {
    if (ids.length >= roundsPerLookup) await lookUp();
  });
  takeLine(tail);
  if (ids.length > 0) await lookUp();
  const stay = count.later + kept.size;
  return {
    going: count.lines - stay,
    staying: stay,
    end: offset + tail.length,
    isGoing(line) {
      const { id, finishedAt } = readLine(line);
      return finishedAt <= until && (id === undefined || !kept.has(id));
    },
  };
}

/** Reads a line of any version; an unreadable one has no id, and counts as finished long ago. */
function readLine(line: Buffer): { readonly id: string | undefined; readonly finishedAt: number } {
  try {
    const { id, completed_at } = JSON.parse(line.toString());
    const finishedAt = Date.parse(completed_at);
    if (typeof id === 'string' && Number.isFinite(finishedAt)) return { id, finishedAt };
  } catch {
    // Torn or damaged.
  }
  return { id: undefined, finishedAt: 0 };
}

/** When the first round was finished, in milliseconds since 1970; 0 if unknown. */
async function readFirstTime(file: FileHandle): Promise<number> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(beginning), 0, beginning, 0);
  const line = buffer
    .subarray(0, bytesRead)
    .toString()
    .split('\n')
    .find((each) => each !== '');
  return line === undefined ? 0 : readLine(Buffer.from(line)).finishedAt;
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
