import { readRegularFile } from '../../../kit/files/regular-file.ts';
import { toVisible } from '../../../kit/visible-text.ts';
import { RefusedError, UsageError } from '../../program/command-errors.ts';
import type { FoundRounds, OnRead } from './found-rounds.ts';
import { isKeybr, readKeybr } from './keybr-lessons.ts';
import { isMonkeytype, readMonkeytype } from './monkeytype-results.ts';
import { isOwnExport, isOwnTable, readOwnExport } from './own-export.ts';

/** Fifty times what a typist of ten years exports. */
const largestFile = 128 * 1024 * 1024;

/**
 * Reads a file of another program, or of our own, whatever it is called. Rejects with one sentence where it is neither.
 *
 * @param onRead called with how many characters of how many have been read
 */
export async function readImportFile(
  path: string,
  onRead: (done: number, total: number) => void,
): Promise<FoundRounds> {
  const name = `"${toVisible(path)}"`;
  const bytes = await readRegularFile(path, largestFile).catch((error: Error) => {
    throw new RefusedError(`${name} cannot be read: ${error.message}.`);
  });
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const read = toReader(text, name);
  return read(text, (end) => onRead(end, text.length));
}

function toReader(text: string, name: string): (text: string, onRead: OnRead) => FoundRounds {
  if (isMonkeytype(text)) return readMonkeytype;
  if (isOwnExport(text)) return readOwnExport;
  if (isOwnTable(text)) {
    throw new UsageError(
      `${name} is a table of typebadge for spreadsheets, without letters and with rounded figures: import the lines of "typebadge stats --export".`,
    );
  }
  if (isKeybr(text)) return readKeybr;
  throw new UsageError(
    `${name} is none of the files that can be imported: monkeytype's results (CSV), keybr's typing data (JSON), or the lines of "typebadge stats --export".`,
  );
}
