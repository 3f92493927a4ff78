import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../../kit/files/regular-file.ts';
import { makePrivateFolder } from '../record/folders.ts';
import { parseRoundRecord, type RoundRecord } from './round-record.ts';

/** Rounds of other programs; the typist's own are in the store. */
const fileName = 'imported.jsonl';

/** Each once, oldest first; no file means none yet. Rejects with a sentence if it cannot be read. */
export async function readImportedRounds(folder: string) {
  const path = join(folder, fileName);
  const bytes = await readRegularFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new Error(`Your imported rounds (${path}) cannot be read: ${error.message}.`);
  });
  const lines = String(bytes)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const records = lines.map(parseRoundRecord).filter((record) => record !== undefined);
  const distinct = new Map(records.map((record) => [identityOf(record), record]));
  return {
    records: [...distinct.values()].sort((a, b) => (a.finished < b.finished ? -1 : 1)),
    /** Lines that could not be read and were skipped. */
    damagedLines: lines.length - records.length,
  };
}

/** Adds lines and forces them to disk. A line cut off by a crash does not spoil the next one. */
export function appendImportedRounds(folder: string, records: readonly RoundRecord[]): void {
  if (records.length === 0) return;
  makePrivateFolder(folder);
  const file = openSync(join(folder, fileName), 'a', 0o600);
  try {
    // Not writeSync: on a full disk, it writes a part and returns.
    writeFileSync(file, `${records.map((record) => `\n${JSON.stringify(record)}`).join('')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Distinguishes a round from every other, even if little of it is known. */
export function identityOf({ source, finished, mode, seconds, total }: RoundRecord): string {
  return [source ?? '', finished, mode, seconds, total].join(' ');
}
