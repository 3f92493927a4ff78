import Papa from 'papaparse';
import { readLanguages } from '../../../server/stores/languages.ts';
import type { RoundRecord } from '../../../tui/progress/round-record.ts';
import { englishName } from '../../../typing/letters/language.ts';
import { maxBelievable } from '../../../typing/statistics/score-statistics.ts';
import {
  type FoundRounds,
  foundRounds,
  parseCount,
  parseInstant,
  parseName,
  parseQuantity,
  RoundProblem,
} from './found-rounds.ts';

type Row = Readonly<Record<string, string>>;

/** Columns that every export has had. */
const neededColumns = ['wpm', 'acc', 'charStats', 'mode', 'mode2', 'testDuration', 'timestamp'];

/** Characters of a header: monkeytype's has 240. */
const maxHeader = 10_000;

/** Whether the first line has monkeytype's columns. */
export function isMonkeytype(text: string): boolean {
  const columns = headerOf(text).split(/[,;]/);
  return neededColumns.every((needed) => columns.some((name) => name.trim().replaceAll('"', '') === needed));
}

function headerOf(text: string): string {
  return text.slice(0, maxHeader).split(/[\r\n]/, 1)[0] ?? '';
}

/**
 * The rounds of monkeytype's "export CSV" of the account page. Its wpm counts the spaces between right words,
 * as ours does; letters are not in the file.
 */
export function readMonkeytype(text: string): FoundRounds {
  const delimiter = headerOf(text).includes(',') ? ',' : ';';
  const { data } = Papa.parse<string[]>(text, { delimiter, skipEmptyLines: true });
  const [header = [], ...rows] = data;
  const columns = header.map((name) => name.trim());
  const items = rows.map((item, at) => ({ item, place: `row ${at + 2}` }));
  return foundRounds('monkeytype', items, (fields) => {
    if (fields.length !== columns.length)
      throw new RoundProblem(`it has ${fields.length} fields, and the header names ${columns.length}`);
    return { record: parseRow(Object.fromEntries(columns.map((name, at) => [name, fields[at] ?? '']))) };
  });
}

/** Beyond what any machine types in a test; what nobody types is kept and does not count. */
const maxSpeed = 10_000;
const maxCharacters = 1_000_000;

function parseRow(row: Row): RoundRecord {
  const speed = parseQuantity(row.wpm, 'wpm', maxSpeed);
  const stats = row.charStats?.split(';') ?? [];
  const characters = (at: number) => parseCount(stats[at], 'charStats', maxCharacters);
  const [correct, incorrect, extra, missed] = [characters(0), characters(1), characters(2), characters(3)];
  return {
    version: 3,
    source: 'monkeytype',
    finished: parseInstant(row.timestamp, 'timestamp'),
    wpm: speed,
    standardWpm: speed,
    ...(row.rawWpm ? { rawWpm: parseQuantity(row.rawWpm, 'rawWpm', maxSpeed) } : {}),
    ...(row.consistency ? { consistency: parseQuantity(row.consistency, 'consistency', 100) } : {}),
    accuracy: parseQuantity(row.acc, 'acc', 100),
    seconds: parseQuantity(row.testDuration, 'testDuration', 24 * 60 * 60),
    correct,
    total: correct + incorrect + extra,
    omitted: missed,
    counts: row.bailedOut !== 'true' && speed <= maxBelievable,
    mode: modeName(row.mode, row.mode2),
    language: languageName(row.language),
    layout: 'unknown',
    punctuation: row.punctuation === 'true',
    letters: {},
    errors: {},
    unmeasured: 0,
  };
}

function modeName(mode = '', length = ''): string {
  if ((mode === 'time' || mode === 'words') && /^\d{1,5}$/.test(length)) return `${mode}-${Number(length)}`;
  const name = parseName(mode);
  if (name === undefined) throw new RoundProblem('mode is not a word such as "time" or "words"');
  return name;
}

/** "german_1k" is `de-1k`: another list of words, so figures of its own. */
function languageName(name = ''): string {
  const given = parseName(name);
  if (given === undefined) return 'unknown';
  const [, base = given, list] = /^(.*?)_(\d+k)$/.exec(given) ?? [];
  const plain = (id: string) =>
    englishName(id).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '_');
  const code = [...readLanguages().keys()].find((id) => plain(id) === base) ?? base;
  return list === undefined ? code : `${code}-${list}`;
}
