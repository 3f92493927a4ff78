import Papa from 'papaparse';
import { readRegularFile } from '../../../kit/files/regular-file.ts';
import { cut, safeText } from '../../../kit/terminal-text.ts';
import { visibleText } from '../../../kit/visible-text.ts';
import { readLanguages } from '../../../server/stores/languages.ts';
import { parseRoundLine, type StoredRound } from '../../../server/stores/stored-round.ts';
import { parseRoundRecord, type RoundRecord, type Source } from '../../../tui/progress/round-record.ts';
import { englishName } from '../../../typing/letters/language.ts';
import { maxBelievable, wpmOf } from '../../../typing/statistics/score-statistics.ts';
import { RefusedError, UsageError } from '../../program/command-io.ts';

export interface FoundRound {
  readonly record: RoundRecord;
  /** The round itself, which other programs do not export. */
  readonly round?: StoredRound;
}

interface FoundRounds {
  readonly program: 'typebadge' | Source;
  readonly rounds: FoundRound[];
  /** What was skipped, and why: a place such as "row 12", and a part of a sentence. */
  readonly problems: { readonly place: string; readonly reason: string }[];
}

/** Thrown for one invalid round; the others are imported. */
class RoundProblem extends Error {}

/** Of some 45,000 rounds as "stats --export" writes them; all of it is parsed at once. */
const maxFile = 256 * 1024 * 1024;

/** The file is recognised by what is in it. Rejects with one sentence if it has no known format. */
export async function readRoundsFile(path: string): Promise<FoundRounds> {
  const name = `"${visibleText(path)}"`;
  const bytes = await readRegularFile(path, maxFile).catch((error: Error) => {
    throw new RefusedError(`${name} cannot be read: ${error.message}.`);
  });
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const firstLine = text.slice(0, text.search(/[\r\n]|$/));
  if (neededColumns.every((column) => firstLine.includes(column)))
    return readMonkeytype(text, firstLine.includes(',') ? ',' : ';');
  if (ownRound(firstLine) !== undefined) return readOwnExport(text);
  if (/^\s*\[/.test(text) && text.includes('"timeStamp"') && text.includes('"histogram"'))
    return readKeybr(text);
  throw new UsageError(
    `${name} is none of the files that can be imported: monkeytype's results (CSV), keybr's typing data (JSON), or the lines of "typebadge stats --export".`,
  );
}

/** Parses each item, and collects the problems of invalid ones. @param unit such as `row`, counted from `first` */
function foundRounds<Item>(
  program: FoundRounds['program'],
  items: readonly Item[],
  [unit, first]: readonly [unit: string, first: number],
  parse: (item: Item) => FoundRound | undefined,
): FoundRounds {
  const found: FoundRounds = { program, rounds: [], problems: [] };
  for (const [at, item] of items.entries()) {
    try {
      const round = parse(item);
      if (round !== undefined) found.rounds.push(round);
    } catch (error) {
      if (!(error instanceof RoundProblem)) throw error;
      found.problems.push({ place: `${unit} ${first + at}`, reason: error.message });
    }
  }
  return found;
}

function readOwnExport(text: string): FoundRounds {
  return foundRounds('typebadge', text.split(/\r?\n/), ['line', 1], (line) => {
    if (line.trim() === '') return undefined;
    const found = ownRound(line);
    if (found === undefined) throw new RoundProblem('it is not a round of typebadge');
    return found;
  });
}

/** A line has a round of this program whole, or the figures of one of another program. */
function ownRound(line: string): FoundRound | undefined {
  const record = parseRoundRecord(line);
  if (record === undefined || record.source !== undefined) return record && { record };
  const { round } = JSON.parse(line) as { readonly round?: unknown };
  const parsed = parseRoundLine(JSON.stringify(round ?? null));
  return parsed && { record, round: parsed };
}

/** What the rounds of other programs have in common. */
const foreignRound = {
  ...{ version: 3 as const, omitted: 0, punctuation: false, layout: 'unknown', unmeasured: 0 },
  ...{ letters: {}, errors: {} },
} as const;

/** Columns that every export of monkeytype has had. */
const neededColumns = ['wpm', 'acc', 'charStats', 'mode', 'mode2', 'testDuration', 'timestamp'];

/**
 * The rounds of monkeytype's "export CSV" of the account page. Its wpm counts the spaces between right words,
 * as ours does; letters are not in the file.
 */
function readMonkeytype(text: string, delimiter: string): FoundRounds {
  const { data } = Papa.parse<string[]>(text, { delimiter, skipEmptyLines: true });
  const [header = [], ...rows] = data;
  return foundRounds('monkeytype', rows, ['row', 2], (fields) => {
    if (fields.length !== header.length)
      throw new RoundProblem(`it has ${fields.length} fields, and the header names ${header.length}`);
    const row = Object.fromEntries(header.map((name, at) => [name.trim(), fields[at]]));
    return { record: monkeytypeRound(row) };
  });
}

/** More than any machine types in a test. What is merely too much for people is imported, but not counted. */
const maxSpeed = 10_000;
const maxTyped = 1_000_000;
const maxSeconds = 24 * 60 * 60;

function monkeytypeRound(row: Fields): RoundRecord {
  const speed = quantity(row, 'wpm', maxSpeed);
  const stats = String(row.charStats).split(';');
  const [correct = 0, incorrect = 0, extra = 0, omitted = 0] = [0, 1, 2, 3].map((at) =>
    count({ charStats: stats[at] }, 'charStats', maxTyped),
  );
  return {
    ...foreignRound,
    source: 'monkeytype',
    finished: instant(row, 'timestamp'),
    wpm: speed,
    standardWpm: speed,
    ...(row.rawWpm ? { rawWpm: quantity(row, 'rawWpm', maxSpeed) } : {}),
    ...(row.consistency ? { consistency: quantity(row, 'consistency', 100) } : {}),
    accuracy: quantity(row, 'acc', 100),
    seconds: quantity(row, 'testDuration', maxSeconds),
    correct,
    total: correct + incorrect + extra,
    omitted,
    counts: row.bailedOut !== 'true' && speed <= maxBelievable,
    mode: monkeytypeMode(row),
    language: languageOf(nameIn(row.language)),
    punctuation: row.punctuation === 'true',
  };
}

function monkeytypeMode({ mode, mode2: length }: Fields): string {
  if ((mode === 'time' || mode === 'words') && /^\d{1,5}$/.test(String(length)))
    return `${mode}-${Number(length)}`;
  const name = nameIn(mode);
  if (name === undefined) throw new RoundProblem('mode is not a word such as "time" or "words"');
  return name;
}

/** "german_1k" is `de-1k`: another list of words, so another kind of round. */
function languageOf(name: string | undefined): string {
  if (name === undefined) return 'unknown';
  const [, base = name, list] = /^(.*?)_(\d+k)$/.exec(name) ?? [];
  const plain = (id: string) =>
    englishName(id).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '_');
  const code = [...readLanguages().keys()].find((id) => plain(id) === base) ?? base;
  return list === undefined ? code : `${code}-${list}`;
}

/** The lessons of keybr's "download data" of the profile page. */
function readKeybr(text: string): FoundRounds {
  let lessons: readonly unknown[];
  try {
    lessons = JSON.parse(text); // it begins with a bracket
  } catch {
    throw new RefusedError('the file is broken, perhaps cut off: download it again');
  }
  return foundRounds('keybr', lessons, ['lesson', 1], (lesson) => ({ record: keybrRound(Object(lesson)) }));
}

/** Characters that no lesson exceeds. */
const maxCharacters = 100_000;

/** Our names of keybr's layouts. */
const layoutNames: Readonly<Record<string, string>> = {
  us: 'qwerty',
  'en-us': 'qwerty',
  'en-dvorak': 'dvorak',
  'en-colemak': 'colemak',
  'en-colemak-dh': 'colemak-dh',
  'en-workman': 'workman',
  'de-de': 'qwertz',
  'de-neo-2': 'neo',
  'fr-fr': 'azerty',
  'fr-bepo': 'bepo',
};

function keybrRound(lesson: Fields): RoundRecord {
  if (lesson.timeStamp === undefined || lesson.histogram === undefined)
    throw new RoundProblem('it has no timeStamp and histogram');
  const length = count(lesson, 'length', maxCharacters);
  const milliseconds = quantity(lesson, 'time', maxSeconds * 1000);
  if (length === 0 || milliseconds === 0) throw new RoundProblem('nothing was typed in it');
  const speed = wpmOf(length, milliseconds);
  const correct = Math.max(0, length - count(lesson, 'errors', maxCharacters));
  const layout = nameIn(lesson.layout) ?? 'unknown';
  // Lessons of chosen letters are guided here; their names have changed over the years.
  const mode = nameIn(lesson.textType ?? lesson.lessonType) ?? 'lesson';
  return {
    ...foreignRound,
    source: 'keybr',
    finished: instant(lesson, 'timeStamp'),
    wpm: speed,
    standardWpm: speed,
    accuracy: (correct / length) * 100,
    seconds: milliseconds / 1000,
    correct,
    total: length,
    counts: speed <= maxBelievable,
    mode: mode === 'generated' || mode === 'auto' ? 'guided' : mode,
    language: /^[a-z]{2}(?=-)/.exec(layout)?.[0] ?? 'en',
    layout: layoutNames[layout] ?? layout,
    letters: keybrLetters(lesson.histogram),
  };
}

/** `hitCount`: how often a character came; `missCount`: how often its first key was wrong; mean times. */
function keybrLetters(histogram: unknown): RoundRecord['letters'] {
  // More samples than any alphabet has.
  if (!Array.isArray(histogram) || histogram.length > 200)
    throw new RoundProblem('its histogram is not a list of at most 200 characters');
  const letters: Record<string, RoundRecord['letters'][string]> = {};
  for (const sample of histogram.map(Object) as Fields[]) {
    const codePoint = Number(sample.codePoint);
    const isCharacter = Number.isInteger(codePoint) && codePoint > 32 && codePoint <= 0x10ffff;
    const letter = isCharacter ? String.fromCodePoint(codePoint).toLowerCase() : '';
    if (!/^\p{L}$/u.test(letter)) continue;
    const presented = count(sample, 'hitCount', maxCharacters);
    const correct = Math.max(0, presented - count(sample, 'missCount', maxCharacters));
    const mean = quantity(sample, 'timeToType', maxSeconds * 1000);
    letters[letter] = { presented, correct, seekMs: mean * correct, seekCount: mean > 0 ? correct : 0 };
  }
  return letters;
}

// The file may come from anywhere: a value out of bounds is a problem of its round.
type Fields = Readonly<Record<string, unknown>>;

/** A finite number between 0 and `max`. */
function quantity(fields: Fields, name: string, max: number): number {
  const value = fields[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && number >= 0 && number <= max) return number;
  throw new RoundProblem(`${name} is ${shown(value)} instead of a number from 0 to ${max}`);
}

function count(fields: Fields, name: string, max: number): number {
  const number = quantity(fields, name, max);
  if (Number.isInteger(number)) return number;
  throw new RoundProblem(`${name} is ${shown(number)} instead of a whole number`);
}

/** Rounds may be from 1995, before any typing site, up to a day ahead of this clock. */
const earliest = Date.UTC(1995, 0);

/** An instant in ISO 8601 UTC, from Unix ms or a text that names a moment. */
function instant(fields: Fields, name: string): string {
  const value = fields[name];
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d{9,16}$/.test(value));
  const ms = isNumber ? Number(value) : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (ms >= earliest && ms <= Date.now() + maxSeconds * 1000) return new Date(ms).toISOString();
  throw new RoundProblem(`${name} is ${shown(value)} instead of a time between 1995 and now`);
}

/** A name that can stand in tables, files and options; undefined for anything else. */
function nameIn(value: unknown): string | undefined {
  const name = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return /^[a-z][a-z0-9_-]{0,39}$/.test(name) ? name : undefined;
}

const maxShown = 40;

function shown(value: unknown): string {
  if (value === undefined || value === '') return 'missing';
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : typeof value;
  return `"${cut(safeText(text.slice(0, 10 * maxShown)), maxShown)}"`;
}
