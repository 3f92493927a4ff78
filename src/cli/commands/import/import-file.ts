import { readRegularFile } from '../../../kit/files/regular-file.ts';
import { toVisible } from '../../../kit/visible-text.ts';
import { RefusedError, UsageError } from '../../program/command-errors.ts';
import type { FoundRounds } from './found-rounds.ts';
import { isKeybr, readKeybr } from './keybr-lessons.ts';
import { isMonkeytype, readMonkeytype } from './monkeytype-results.ts';
import { isOwnExport, isOwnTable, readOwnExport } from './own-export.ts';

/** Fifty times what a typist of ten years exports. */
const largestFile = 128 * 1024 * 1024;
const mostRounds = 200_000;

/** Reads a file of another program, or of our own, whatever it is called. Rejects with one sentence where it is neither. */
export async function readImportFile(path: string): Promise<FoundRounds> {
  const name = `"${toVisible(path)}"`;
  const bytes = await readRegularFile(path, largestFile).catch((error: Error) => {
    throw new RefusedError(`${name} cannot be read: ${error.message}.`);
  });
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const found = readAny(text, name);
  const count = found.records.length + found.problems.length;
  if (count > mostRounds)
    throw new RefusedError(`${name} holds ${count} rounds, and at most ${mostRounds} are imported.`);
  return found;
}

function readAny(text: string, name: string): FoundRounds {
  if (isMonkeytype(text)) return readMonkeytype(text);
  if (isOwnExport(text)) return readOwnExport(text);
  if (isOwnTable(text)) {
    throw new UsageError(
      `${name} is a table of typebadge for spreadsheets, without letters and with rounded figures: import the lines of "typebadge stats --export".`,
    );
  }
  const json = parseJson(text);
  if (isKeybr(json)) return readKeybr(json);
  throw new UsageError(
    `${name} is none of the files that can be imported: monkeytype's results (CSV), keybr's typing data (JSON), or the lines of "typebadge stats --export".`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
