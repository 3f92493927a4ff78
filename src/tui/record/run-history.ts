import { closeSync, fstatSync, fsyncSync, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { makeFolder } from './folders.ts';
import { appendWhole } from './whole-append.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const quantity = v.pipe(v.number(), v.minValue(0));

const LetterSumsSchema = v.object({ presented: count, correct: count, seekMs: quantity, seekCount: count });

const RunRecordSchema = v.object({
  /** When the round was finished, ISO 8601 UTC. */
  finished: v.pipe(v.string(), v.check(isInstant)),
  wpm: quantity,
  /** Percent. */
  accuracy: v.pipe(quantity, v.maxValue(100)),
  seconds: quantity,
  correct: count,
  total: count,
  punctuation: v.boolean(),
  /** Per letter: times presented, right at the first keystroke, sum (ms) and number of measured seek times. */
  letters: v.record(v.string(), LetterSumsSchema),
  /** Wanted and typed letter, such as "e>r", and how often. */
  errors: v.record(v.string(), count),
  /** Keys whose interval could not be measured. */
  unmeasured: count,
});

/** A 31st of February has the form of a date, and no calendar knows it. */
function isInstant(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && text.endsWith('Z') && new Date(ms).toISOString().startsWith(text.slice(0, 19));
}

/** One finished round, as the client keeps it: one line of `runs.jsonl`. */
export type RunRecord = v.InferOutput<typeof RunRecordSchema>;

export interface RunHistory {
  readonly records: readonly RunRecord[];
  /** Lines that could not be read and were passed over. */
  readonly damagedLines: number;
}

const fileName = 'runs.jsonl';

/** Adds a line for each record and forces them to disk, all or none. Two clients may append to the same file. */
export function appendRunRecords(folder: string, records: readonly RunRecord[]): void {
  makeFolder(folder);
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
export async function readRunHistory(folder: string): Promise<RunHistory> {
  const text = await readFile(join(folder, fileName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const records: RunRecord[] = [];
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

function parseRecord(line: string): RunRecord | undefined {
  try {
    const parsed = v.safeParse(RunRecordSchema, JSON.parse(line));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
