import { closeSync, fstatSync, fsyncSync, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { toWpm } from '../../typing/statistics/speed.ts';
import { makeOwnFolder } from './folders.ts';
import { appendWhole } from './whole-append.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const quantity = v.pipe(v.number(), v.minValue(0));

const LetterSumsSchema = v.object({ presented: count, correct: count, seekMs: quantity, seekCount: count });

const RoundLineSchema = v.object({
  /** 3 since speed counts spaces, 2 since rounds may not count; without one it is 1. Newer lines are left alone. */
  version: v.optional(v.picklist([1, 2, 3]), 1),
  /** When the round was finished, ISO 8601 UTC. */
  finished: v.pipe(v.string(), v.check(isInstant)),
  /** Right keystrokes / 5 per minute, without spaces. */
  wpm: quantity,
  /** Spaces counted; see `toStandardWpm`. */
  standardWpm: v.optional(quantity),
  /** Every character typed; 0 to 100; percent of the characters. Versions 1 and 2 did not keep them. */
  rawWpm: v.optional(quantity),
  consistency: v.optional(v.nullable(quantity)),
  correctedErrorRate: v.optional(quantity),
  uncorrectedErrorRate: v.optional(quantity),
  /** Percent. */
  accuracy: v.pipe(quantity, v.maxValue(100)),
  seconds: quantity,
  correct: count,
  total: count,
  /** Characters of words that were left out. */
  omitted: v.optional(count, 0),
  /** Whether the round says something about the typist: a pasted one does not. */
  counts: v.optional(v.boolean(), true),
  /** Such as `words-30`; rounds of earlier versions were all of that kind. */
  mode: v.optional(v.string(), 'words-30'),
  language: v.optional(v.string(), 'en'),
  layout: v.optional(v.string(), 'qwerty'),
  punctuation: v.boolean(),
  /** Per letter: times presented, right at the first keystroke, sum (ms) and number of measured seek times. */
  letters: v.record(v.string(), LetterSumsSchema),
  /** Wanted and typed letter, such as "e>r", and how often. */
  errors: v.record(v.string(), count),
  /** Keys whose interval could not be measured. */
  unmeasured: count,
});

const RoundRecordSchema = v.pipe(
  RoundLineSchema,
  v.transform((line) => ({ ...line, standardWpm: line.standardWpm ?? toEarlierStandardWpm(line) })),
);

/**
 * The standard speed of a round of versions 1 and 2, which had thirty words and so 29 spaces. Exact but for mistakes that
 * were left in: those are missing, so the speed is never overstated.
 */
function toEarlierStandardWpm({ correct, seconds }: { correct: number; seconds: number }): number {
  return correct === 0 ? 0 : toWpm(correct + spacesOfThirtyWords - 1, seconds * 1000);
}

const spacesOfThirtyWords = 29;

/** A 31st of February has the form of a date, and no calendar knows it. */
function isInstant(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && text.endsWith('Z') && new Date(ms).toISOString().startsWith(text.slice(0, 19));
}

/** One finished round, as the client keeps it: one line of `runs.jsonl`. */
export type RoundRecord = v.InferOutput<typeof RoundRecordSchema>;

export interface RoundHistory {
  readonly records: readonly RoundRecord[];
  /** Lines that could not be read and were passed over. */
  readonly damagedLines: number;
}

const fileName = 'runs.jsonl';

/** Adds a line for each record and forces them to disk, all or none. Two clients may append to the same file. */
export function appendRoundRecords(folder: string, records: readonly RoundRecord[]): void {
  makeOwnFolder(folder);
  const file = openSync(join(folder, fileName), 'a+', 0o600);
  try {
    const start = endsInsideLine(file) ? '\n' : ''; // a line cut by a crash must not spoil this one
    appendWhole(file, start + records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function endsInsideLine(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}

/** All finished rounds, oldest first. No file means none yet. */
export async function readRoundHistory(folder: string): Promise<RoundHistory> {
  const text = await readFile(join(folder, fileName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const records: RoundRecord[] = [];
  let damagedLines = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const record = parseRecord(line);
    if (record === undefined) damagedLines += 1;
    else records.push(record);
  }
  records.sort((a, b) => a.finished.localeCompare(b.finished));
  return { records, damagedLines };
}

function parseRecord(line: string): RoundRecord | undefined {
  try {
    const parsed = v.safeParse(RoundRecordSchema, JSON.parse(line));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
