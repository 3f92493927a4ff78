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

/** A line that may stay, by its place in the file. */
interface PlacedLine {
  readonly at: number;
  /** In bytes, without the line break. */
  readonly length: number;
}

/**
 * Rewrites a journal with the lines that should stay, without having them in memory: many journals may be rewritten at once. Another
 * server may append in the meantime: what it wrote to the old file before the replacement is copied afterwards. It counts its lines as kept
 * only once the lock is released and the file that it wrote to is still in place; otherwise it writes them again.
 *
 * @param isStaying called with each line and its offset
 * @param choose selects among those that may stay. Default: all
 */
export async function rewriteJournal(
  path: string,
  lock: JournalLock,
  isStaying: (line: Buffer, at: number) => boolean,
  choose: (lines: readonly PlacedLine[]) => readonly PlacedLine[] = (lines) => lines,
): Promise<void> {
  const old = await openRegularFile(path);
  try {
    const lines: PlacedLine[] = [];
    const { offset } = await readLines(old, 0, (line, at) => {
      if (line.length > 0 && isStaying(line, at)) lines.push({ at, length: line.length });
    });
    await writeWholeFile(path, copyLines(old, choose(lines)), { confirm: () => lock.confirm(old) });
    await copyRest(old, offset, path);
  } finally {
    await old.close();
  }
}

const newline = Buffer.from('\n');
/** Bytes copied at a time. */
const portion = 64 * 1024;

/** What it yields is valid until the next step: a buffer for each portion would wait for the garbage collector, tens of megabytes of them. */
async function* copyLines(file: FileHandle, lines: readonly PlacedLine[]): AsyncGenerator<Buffer> {
  const chunk = Buffer.allocUnsafeSlow(portion);
  for (const { from, to } of toRanges(lines)) {
    yield newline;
    for (let at = from; at < to; ) {
      const { bytesRead } = await file.read(chunk, 0, Math.min(portion, to - at), at);
      if (bytesRead === 0) throw new Error('the journal became shorter while it was rewritten');
      yield chunk.subarray(0, bytesRead);
      at += bytesRead;
    }
    yield newline;
  }
}

/** Lines that follow each other are copied together, with the empty line between two of them. */
function* toRanges(lines: readonly PlacedLine[]): Generator<{ readonly from: number; readonly to: number }> {
  let [from, to] = [0, 0];
  for (const { at, length } of lines) {
    if (to > 0 && at - to <= 2) to = at + length;
    else {
      if (to > 0) yield { from, to };
      [from, to] = [at, at + length];
    }
  }
  if (to > 0) yield { from, to };
}

function isRecent(line: Buffer, since: number): boolean {
  const text = line.toString();
  const round = parseJournalLine(text);
  return round === undefined ? isOfLaterVersion(text) : Date.parse(round.completedAt) >= since;
}

function newest(lines: readonly PlacedLine[], { rounds, bytes }: Retention): PlacedLine[] {
  const mostRounds = lines.length > rounds ? Math.floor(rounds * depth) : rounds;
  const length = lines.reduce((sum, line) => sum + line.length + 2, 0);
  let room = length > bytes ? bytes * depth : bytes;
  let first = lines.length;
  while (first > 0 && lines.length - first < mostRounds) {
    room -= (lines[first - 1] as PlacedLine).length + 2;
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
  return Buffer.concat(lines.flatMap((line) => [newline, line, newline]));
}
