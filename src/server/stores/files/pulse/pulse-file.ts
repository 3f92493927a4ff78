import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readLines } from '../../../../kit/files/line-reader.ts';
import { openRegularFile } from '../../../../kit/files/regular-file.ts';
import { sweepDraftsOf, writeWholeFile } from '../../../../kit/files/whole-file.ts';
import { createTally, type PulseCount } from '../../pulse-tally.ts';
import { parseLine, toLine, toParts } from './pulse-line.ts';

/*
 * A file whose lines add up. Only the holder of the folder's lock writes. A line counts once its line break is there: in every
 * other case its writer learns that it failed, and writes it again. If a writer left a partial line (full disk, kill -9), the next
 * writer makes it permanently unreadable, so that it can never count in addition to its repetition.
 */

const { O_RDWR, O_APPEND, O_CREAT } = constants;
const newline = 0x0a;
/** Appended to a torn line, even one that only lacks its line break, this makes it invalid JSON. */
const crossOut = '#\n';

/** Appends counts of one day. Calls `onWritten` with each part that is in the file, even if a later part fails. */
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
  /** Lines of later versions, unchanged. */
  readonly later: readonly string[];
}

/** All counts of a file, consistent even while the file is being replaced. Unreadable lines are skipped. */
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
 * Replaces the lines of a file by their sums. Only for the holder of the lock, as `confirm` verifies: lines appended by others
 * in the meantime would be lost.
 */
export async function compactFile(path: string, confirm: () => Promise<void>): Promise<void> {
  await sweepDraftsOf(path);
  const { counts, later } = await readCounts(path);
  const days = [...new Set(counts.map(({ day }) => day))];
  const lines: string[] = [];
  for (const part of days.flatMap((day) => toParts(counts.filter((count) => count.day === day)))) {
    lines.push(toLine(part[0]?.day ?? '', part));
    await nextTurn(); // others are served in between: a day may have tens of thousands of counts
  }
  await confirm();
  await writeWholeFile(path, [...lines, ...later].map((line) => `${line}\n`).join(''));
}
