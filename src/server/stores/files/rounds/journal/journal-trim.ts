import { type FileHandle, open } from 'node:fs/promises';
import { readLines } from '../../../../../kit/files/line-reader.ts';
import { openRegularFile } from '../../../../../kit/files/regular-file.ts';
import { writeWholeFile } from '../../../../../kit/files/whole-file.ts';
import { isOfLaterVersion, parseJournalLine } from '../../../journal-line.ts';
import type { Retention } from '../../../round-retention.ts';
import type { JournalLock } from './journal-lock.ts';

/** Share of the bound that is kept: otherwise a journal at its bound would be trimmed after every round. */
const depth = 0.9;

/** Rewrites a journal without rounds that are too old or exceed the bound. */
export function trimJournal(path: string, retention: Retention, lock: JournalLock): Promise<void> {
  return rewriteJournal(
    path,
    lock,
    (line) => isRecent(line, retention.since),
    (lines) => newest(lines, retention),
  );
}

/**
 * Rewrites a journal with the lines that should stay. Another server may append in the meantime: what it wrote to the old file
 * before the replacement is copied afterwards; if it writes to the old file later, it notices the loss and writes again.
 *
 * @param isStaying called with each line and its offset
 * @param choose selects among those that may stay. Default: all
 */
export async function rewriteJournal(
  path: string,
  lock: JournalLock,
  isStaying: (line: Buffer, at: number) => boolean,
  choose: (lines: readonly Buffer[]) => readonly Buffer[] = (lines) => lines,
): Promise<void> {
  const old = await openRegularFile(path);
  try {
    const lines: Buffer[] = [];
    const { offset } = await readLines(old, 0, (line, at) => {
      if (line.length > 0 && isStaying(line, at)) lines.push(Buffer.from(line));
    });
    await writeWholeFile(path, toText(choose(lines)), { confirm: () => lock.confirm(old) });
    await copyRest(old, offset, path);
  } finally {
    await old.close();
  }
}

function isRecent(line: Buffer, since: number): boolean {
  const text = line.toString();
  const round = parseJournalLine(text);
  return round === undefined ? isOfLaterVersion(text) : Date.parse(round.completedAt) >= since;
}

function newest(lines: readonly Buffer[], { rounds, bytes }: Retention): Buffer[] {
  const mostRounds = lines.length > rounds ? Math.floor(rounds * depth) : rounds;
  const length = lines.reduce((sum, line) => sum + line.length + 2, 0);
  let room = length > bytes ? bytes * depth : bytes;
  let first = lines.length;
  while (first > 0 && lines.length - first < mostRounds) {
    room -= (lines[first - 1] as Buffer).length + 2;
    if (room < 0) break;
    first--;
  }
  return lines.slice(first);
}

async function copyRest(old: FileHandle, offset: number, path: string): Promise<void> {
  const lines: Buffer[] = [];
  const { tail } = await readLines(old, offset, (line) => lines.push(Buffer.from(line)));
  if (tail.length > 0) lines.push(tail);
  if (lines.every((line) => line.length === 0)) return;
  const fresh = await open(path, 'a');
  try {
    await fresh.write(toText(lines));
    await fresh.datasync();
  } finally {
    await fresh.close();
  }
}

function toText(lines: readonly Buffer[]): Buffer {
  const newline = Buffer.from('\n');
  return Buffer.concat(lines.flatMap((line) => [newline, line, newline]));
}
