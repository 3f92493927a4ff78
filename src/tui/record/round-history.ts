import { closeSync, fstatSync, fsyncSync, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptLayout } from '../../contract/own-layout.ts';
import { toFileProblem } from '../../kit/files/file-problem.ts';
import { makeOwnFolder } from './folders.ts';
import { parseRoundLine, type RoundRecord, toIdentity } from './round-line.ts';
import { appendWhole } from './whole-append.ts';

export interface RoundHistory {
  readonly records: readonly RoundRecord[];
  /** Rounds of other programs, each once. */
  readonly imported: readonly RoundRecord[];
  /** Lines that could not be read and were passed over. */
  readonly damagedLines: number;
}

const ownFile = 'runs.jsonl';
/** A file of its own: earlier versions would take its rounds for the typist's. */
const importedFile = 'imported.jsonl';

/** Adds a line for each record and forces them to disk, all or none. Two clients may append to the same file. */
export function appendRoundRecords(folder: string, records: readonly RoundRecord[]): void {
  appendRecords(folder, ownFile, records);
}

/** The same for rounds that have a source. */
export function appendImportedRecords(folder: string, records: readonly RoundRecord[]): void {
  appendRecords(folder, importedFile, records);
}

function appendRecords(folder: string, fileName: string, records: readonly RoundRecord[]): void {
  if (records.length === 0) return;
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
  const [own, imported] = await Promise.all([
    readRecords(folder, ownFile),
    readRecords(folder, importedFile),
  ]);
  return {
    records: own.records,
    // Two imports at the same time may both have written the same rounds.
    imported: [...new Map(imported.records.map((record) => [toIdentity(record), record])).values()],
    damagedLines: own.damagedLines + imported.damagedLines,
  };
}

/** The history with the name of a layout of the typist's own in all its rounds: earlier versions kept its id alone. */
export function nameOwnLayout(history: RoundHistory, own: KeptLayout | null): RoundHistory {
  if (own === null) return history;
  const name = (record: RoundRecord) =>
    record.layout === own.id ? { ...record, layoutName: own.layout.name } : record;
  return { ...history, records: history.records.map(name), imported: history.imported.map(name) };
}

async function readRecords(folder: string, fileName: string) {
  const text = await readFile(join(folder, fileName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new Error(`Your own record (${join(folder, fileName)}) cannot be read: ${toFileProblem(error)}.`);
  });
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const records = lines.map(parseRoundLine).filter((record) => record !== undefined);
  records.sort((a, b) => (a.finished < b.finished ? -1 : a.finished > b.finished ? 1 : 0));
  return { records, damagedLines: lines.length - records.length };
}
