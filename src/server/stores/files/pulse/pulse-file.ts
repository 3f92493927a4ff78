import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { readLines } from '../../../../kit/line-reader.ts';
import { openRegularFile } from '../../../../kit/regular-file.ts';
import { sweepDraftsOf, writeWholeFile } from '../../../../kit/whole-file.ts';
import { createTally, type PulseCount } from '../../pulse-tally.ts';
import { parseLine, toLine, toParts } from './pulse-line.ts';

/*
 * A file of lines that all sum up. Only the holder of the folder's lock writes. A line counts once its line break is there:
 * in every other case its writer learns that it failed, and writes it again. What a writer left behind in the middle of a
 * line, on a full disk or killed, is made unreadable for good by the next one, so it can never count beside its repetition.
 */

const { O_RDWR, O_APPEND, O_CREAT } = constants;
const newline = 0x0a;
/** Behind whatever was torn, even just before its line break, this makes no JSON. */
const crossOut = '#\n';

/** Appends counts of one day. `onWritten` is called with what is in the file, part by part, also where the next part fails. */
export async function appendCounts(
  path: string,
  counts: readonly PulseCount[],
  onWritten: (part: readonly PulseCount[]) => void,
): Promise<void> {
  const file = await openRegularFile(path, O_RDWR | O_APPEND | O_CREAT);
  try {
    if (await isTorn(file)) await file.appendFile(crossOut);
    for (const part of toParts(counts)) {
      await file.appendFile(`${toLine(part[0]?.day ?? '', part)}\n`);
      onWritten(part);
    }
  } finally {
    await file.close();
  }
}

async function isTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== newline;
}

export interface PulseLines {
  readonly counts: readonly PulseCount[];
  /** Lines of later versions, as they are. */
  readonly later: readonly string[];
}

/** Everything that counts in a file, whole as it was at one moment, also while it is replaced. Unreadable lines are left out. */
export async function readCounts(path: string): Promise<PulseLines> {
  const file = await openRegularFile(path);
  try {
    const sums = createTally();
    const later: string[] = [];
    await readLines(file, 0, (bytes) => {
      const text = bytes.toString();
      const line = parseLine(text);
      if (line === 'later') later.push(text);
      else for (const count of line ?? []) sums.add(count, count.count);
    });
    return { counts: sums.all(), later };
  } finally {
    await file.close();
  }
}

/**
 * Replaces the lines of a file by their sums. Only for the holder of the lock, who `confirm`s that: what others append
 * meanwhile would be lost.
 */
export async function compactFile(path: string, confirm: () => Promise<void>): Promise<void> {
  await sweepDraftsOf(path);
  const { counts, later } = await readCounts(path);
  const days = [...new Set(counts.map(({ day }) => day))];
  const lines = days.flatMap((day) =>
    toParts(counts.filter((count) => count.day === day)).map((part) => toLine(day, part)),
  );
  await confirm();
  await writeWholeFile(path, [...lines, ...later].map((line) => `${line}\n`).join(''));
}
