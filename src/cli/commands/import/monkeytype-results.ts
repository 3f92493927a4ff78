import type { RoundRecord } from '../../../tui/record/round-line.ts';
import { fastestBelievable } from '../../../typing/statistics/verdict.ts';
import { UsageError } from '../../program/command-errors.ts';
import { readCsvRows } from './csv-rows.ts';
import { toCount, toInstant, toPlainName, toQuantity } from './foreign-values.ts';
import {
  collectRounds,
  type FoundItem,
  type FoundRounds,
  type OnRead,
  RoundProblem,
} from './found-rounds.ts';
import { firstLine } from './text-lines.ts';

type Row = Readonly<Record<string, string>>;

/** Columns that every export has had. */
const neededColumns = ['wpm', 'acc', 'charStats', 'mode', 'mode2', 'testDuration', 'timestamp'] as const;

/** Characters of a header: monkeytype's has 240. */
const longestHeader = 10_000;

/** Whether the first line of a text names columns of monkeytype: enough of them to say which of the needed ones are missing. */
export function isMonkeytype(text: string): boolean {
  const header = firstLine(text);
  if (header.length > longestHeader) return false;
  const columns = header.split(/[,;]/).map((name) => name.trim().replaceAll('"', ''));
  const hasAll = (...names: string[]) => names.every((name) => columns.includes(name));
  return hasAll('wpm', 'acc') || hasAll('charStats', 'timestamp', 'mode2');
}

/**
 * The rounds of monkeytype's "export CSV" of the account page. Its wpm counts the spaces between right words, as ours does;
 * letters are not in the file.
 */
export function readMonkeytype(text: string, onRead?: OnRead): FoundRounds {
  const header = firstLine(text);
  const rows = readCsvRows(text, header.includes(',') ? ',' : ';');
  const columns = rows.next().value?.fields.map((name) => name.trim()) ?? [];
  const missing = neededColumns.filter((name) => !columns.includes(name));
  if (missing.length > 0) {
    throw new UsageError(
      `this looks like monkeytype's results, but has no column ${missing.join(', ')}; needed are ${neededColumns.join(', ')}`,
    );
  }
  return collectRounds('monkeytype', toItems(rows), (fields) => toRecord(toRow(columns, fields)), onRead);
}

function* toItems(rows: ReturnType<typeof readCsvRows>): Generator<FoundItem<readonly string[]>> {
  for (const { line, fields, end } of rows) yield { value: fields, place: `line ${line}`, end };
}

function toRow(columns: readonly string[], fields: readonly string[]): Row {
  if (fields.length !== columns.length) {
    throw new RoundProblem(`it has ${fields.length} fields, and the header names ${columns.length}`);
  }
  return Object.fromEntries(columns.map((name, at) => [name, fields[at] ?? '']));
}

function toRecord(row: Row): RoundRecord {
  const speed = toQuantity(row.wpm, 'wpm', fastestPossible);
  const [correct, incorrect, extra, missed] = toCharacters(row.charStats);
  return {
    version: 3,
    source: 'monkeytype',
    finished: toInstant(row.timestamp, 'timestamp'),
    wpm: speed,
    standardWpm: speed,
    ...(row.rawWpm ? { rawWpm: toQuantity(row.rawWpm, 'rawWpm', fastestPossible) } : {}),
    ...(row.consistency ? { consistency: toQuantity(row.consistency, 'consistency', 100) } : {}),
    accuracy: toQuantity(row.acc, 'acc', 100),
    seconds: toQuantity(row.testDuration, 'testDuration', 24 * 60 * 60),
    correct,
    total: correct + incorrect + extra,
    omitted: missed,
    counts: row.bailedOut !== 'true' && speed <= fastestBelievable,
    mode: toModeName(row.mode, row.mode2),
    language: toLanguage(row.language),
    layout: 'unknown',
    punctuation: row.punctuation === 'true',
    letters: {},
    errors: {},
    unmeasured: 0,
  };
}

/** Beyond what any machine types in a test; what nobody types is kept and does not count. */
const fastestPossible = 10_000;
const mostCharacters = 1_000_000;

/** Right, wrong, extra and missed characters. */
function toCharacters(text = ''): [number, number, number, number] {
  const parts = text.split(';');
  const at = (index: number) => toCount(parts[index], 'charStats', mostCharacters);
  return [at(0), at(1), at(2), at(3)];
}

function toModeName(mode = '', length = ''): string {
  if ((mode === 'time' || mode === 'words') && /^\d{1,5}$/.test(length)) return `${mode}-${Number(length)}`;
  const name = toPlainName(mode);
  if (name === undefined) throw new RoundProblem('mode is not a word such as "time" or "words"');
  return name;
}

/** "german_1k" is `de-1k`: another list of words, so figures of its own. */
function toLanguage(name = ''): string {
  const plain = toPlainName(name);
  if (plain === undefined) return 'unknown';
  const [, base = plain, list] = /^(.*?)_(\d+k)$/.exec(plain) ?? [];
  const code = languageCodes[base] ?? base;
  return list === undefined ? code : `${code}-${list}`;
}

const languageCodes: Readonly<Record<string, string>> = {
  english: 'en',
  german: 'de',
  french: 'fr',
  spanish: 'es',
  italian: 'it',
  portuguese: 'pt',
  dutch: 'nl',
  swedish: 'sv',
  danish: 'da',
  norwegian_bokmal: 'nb',
  finnish: 'fi',
  polish: 'pl',
  czech: 'cs',
  slovak: 'sk',
  slovenian: 'sl',
  croatian: 'hr',
  hungarian: 'hu',
  romanian: 'ro',
  bulgarian: 'bg',
  greek: 'el',
  russian: 'ru',
  ukrainian: 'uk',
  turkish: 'tr',
  estonian: 'et',
  latvian: 'lv',
  lithuanian: 'lt',
  catalan: 'ca',
};
