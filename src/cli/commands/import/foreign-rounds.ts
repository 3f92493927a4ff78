import Papa from 'papaparse';
import { cut, safeText } from '../../../kit/terminal-text.ts';
import { readLanguages } from '../../../server/stores/languages.ts';
import type { StoredRound } from '../../../server/stores/stored-round.ts';
import type { RoundRecord } from '../../../tui/progress/round-record.ts';
import { englishName } from '../../../typing/letters/language.ts';
import { maxBelievable, wpmOf } from '../../../typing/statistics/score-statistics.ts';
import { RefusedError } from '../../program/command-io.ts';

export interface FoundRound {
  readonly record: RoundRecord;
  /** The round itself, which other programs do not export. */
  readonly round?: StoredRound;
}

/** What a file to import holds. */
export interface FoundRounds {
  /** The name of the program that it comes from. */
  readonly program: string;
  /** In the order of the file. */
  readonly rounds: readonly FoundRound[];
  /** What was skipped, and why: a place such as "line 12", and a part of a sentence. */
  readonly problems: readonly { readonly place: string; readonly reason: string }[];
}

/** Thrown for one invalid round; the others are imported. */
export class RoundProblem extends Error {}

/** Parses each item, and collects the problems of invalid ones. */
export function foundRounds<Item>(
  program: string,
  items: readonly { readonly item: Item; readonly place: string }[],
  parse: (item: Item) => FoundRound,
): FoundRounds {
  const rounds: FoundRound[] = [];
  const problems: { place: string; reason: string }[] = [];
  for (const { item, place } of items) {
    try {
      rounds.push(parse(item));
    } catch (error) {
      if (!(error instanceof RoundProblem)) throw error;
      problems.push({ place, reason: error.message });
    }
  }
  return { program, rounds, problems };
}

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

/** More than any machine types in a test. What is merely too much for people is imported, but not counted. */
const maxSpeed = 10_000;
const maxTyped = 1_000_000;

function parseRow(row: Readonly<Record<string, string>>): RoundRecord {
  const speed = parseQuantity(row.wpm, 'wpm', maxSpeed);
  const stats = row.charStats?.split(';') ?? [];
  const characters = (at: number) => parseCount(stats[at], 'charStats', maxTyped);
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
    mode: monkeytypeMode(row.mode, row.mode2),
    language: languageName(row.language),
    layout: 'unknown',
    punctuation: row.punctuation === 'true',
    letters: {},
    errors: {},
    unmeasured: 0,
  };
}

function monkeytypeMode(mode = '', length = ''): string {
  if ((mode === 'time' || mode === 'words') && /^\d{1,5}$/.test(length)) return `${mode}-${Number(length)}`;
  const name = parseName(mode);
  if (name === undefined) throw new RoundProblem('mode is not a word such as "time" or "words"');
  return name;
}

/** "german_1k" is `de-1k`: another list of words, so another kind of round. */
function languageName(name = ''): string {
  const given = parseName(name);
  if (given === undefined) return 'unknown';
  const [, base = given, list] = /^(.*?)_(\d+k)$/.exec(given) ?? [];
  const plain = (id: string) =>
    englishName(id).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '_');
  const code = [...readLanguages().keys()].find((id) => plain(id) === base) ?? base;
  return list === undefined ? code : `${code}-${list}`;
}

type Lesson = Readonly<Record<string, unknown>>;

/** Whether a text begins as keybr's typing-data.json: a JSON list of lessons with histograms. */
export function isKeybr(text: string): boolean {
  return /^\s*\[/.test(text) && text.includes('"timeStamp"') && text.includes('"histogram"');
}

/** The lessons of keybr's "download data" of the profile page. */
export function readKeybr(text: string): FoundRounds {
  const items = parseList(text).map((item, at) => ({ item, place: `lesson ${at + 1}` }));
  return foundRounds('keybr', items, (lesson) => ({ record: parseLesson(lesson) }));
}

function parseList(text: string): readonly unknown[] {
  try {
    return JSON.parse(text) as unknown[]; // it begins with a bracket
  } catch {
    throw new RefusedError('the file is broken, perhaps cut off: download it again');
  }
}

/** Characters, and ms, that no lesson exceeds. */
const maxCharacters = 100_000;
const maxTime = 24 * 60 * 60 * 1000;

function parseLesson(value: unknown): RoundRecord {
  const lesson = (value ?? {}) as Lesson;
  if (lesson.timeStamp === undefined || lesson.histogram === undefined)
    throw new RoundProblem('it has no timeStamp and histogram');
  const length = parseCount(lesson.length, 'length', maxCharacters);
  const milliseconds = parseQuantity(lesson.time, 'time', maxTime);
  const errors = parseCount(lesson.errors, 'errors', maxCharacters);
  if (length === 0 || milliseconds === 0) throw new RoundProblem('nothing was typed in it');
  const speed = wpmOf(length, milliseconds);
  const correct = Math.max(0, length - errors);
  const layout = parseName(lesson.layout) ?? 'unknown';
  return {
    version: 3,
    source: 'keybr',
    finished: parseInstant(lesson.timeStamp, 'timeStamp'),
    wpm: speed,
    standardWpm: speed,
    accuracy: (correct / length) * 100,
    seconds: milliseconds / 1000,
    correct,
    total: length,
    omitted: 0,
    counts: speed <= maxBelievable,
    mode: keybrMode(lesson.textType ?? lesson.lessonType),
    language: /^[a-z]{2}(?=-)/.exec(layout)?.[0] ?? 'en',
    layout: layoutNames[layout] ?? layout,
    punctuation: false,
    letters: parseHistogram(lesson.histogram),
    errors: {},
    unmeasured: 0,
  };
}

/** Our names of keybr's layouts. */
const layoutNames: Readonly<Record<string, string>> = {
  us: 'qwerty',
  'en-us': 'qwerty',
  'en-dvorak': 'dvorak',
  'en-colemak': 'colemak',
};

/** Lessons of chosen letters are guided here; their names have changed over the years. */
function keybrMode(type: unknown): string {
  const name = parseName(type) ?? 'lesson';
  return name === 'generated' || name === 'auto' ? 'guided' : name;
}

/** More samples than any alphabet has. */
const maxLetters = 200;

/** `hitCount`: how often a character came; `missCount`: how often its first key was wrong; mean times. */
function parseHistogram(histogram: unknown): RoundRecord['letters'] {
  if (!Array.isArray(histogram) || histogram.length > maxLetters)
    throw new RoundProblem(`its histogram is not a list of at most ${maxLetters} characters`);
  const letters: Record<string, RoundRecord['letters'][string]> = {};
  for (const sample of histogram as readonly unknown[]) {
    const { codePoint, hitCount, missCount, timeToType } = (sample ?? {}) as Lesson;
    const letter = letterOf(codePoint);
    if (letter === undefined) continue;
    const presented = parseCount(hitCount, 'hitCount', maxCharacters);
    const correct = Math.max(0, presented - parseCount(missCount, 'missCount', maxCharacters));
    const mean = parseQuantity(timeToType, 'timeToType', maxTime);
    letters[letter] = { presented, correct, seekMs: mean * correct, seekCount: mean > 0 ? correct : 0 };
  }
  return letters;
}

function letterOf(codePoint: unknown): string | undefined {
  if (typeof codePoint !== 'number' || !Number.isInteger(codePoint)) return undefined;
  if (codePoint <= 32 || codePoint > 0x10ffff) return undefined;
  const letter = String.fromCodePoint(codePoint).toLowerCase();
  return /^\p{L}$/u.test(letter) ? letter : undefined;
}

// The file may come from anywhere: a value out of bounds is a problem of its round.

/** A finite number between 0 and `max`. */
function parseQuantity(value: unknown, name: string, max: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && number >= 0 && number <= max) return number;
  throw new RoundProblem(`${name} is ${shown(value)} instead of a number from 0 to ${max}`);
}

/** A whole number between 0 and `max`. */
function parseCount(value: unknown, name: string, max: number): number {
  const number = parseQuantity(value, name, max);
  if (Number.isInteger(number)) return number;
  throw new RoundProblem(`${name} is ${shown(value)} instead of a whole number`);
}

/** Rounds may be from 1995, before any typing site, up to a day ahead of this clock. */
const earliest = Date.UTC(1995, 0);
const dayMs = 24 * 60 * 60 * 1000;

/** An instant in ISO 8601 UTC, from Unix ms or a text that names a moment. */
function parseInstant(value: unknown, name: string): string {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d{9,16}$/.test(value));
  const ms = isNumber ? Number(value) : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (ms >= earliest && ms <= Date.now() + dayMs) return new Date(ms).toISOString();
  throw new RoundProblem(`${name} is ${shown(value)} instead of a time between 1995 and now`);
}

/** A name that can stand in tables, files and options; undefined for anything else. */
function parseName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.trim().toLowerCase();
  return /^[a-z][a-z0-9_-]{0,39}$/.test(name) ? name : undefined;
}

const maxShown = 40;

function shown(value: unknown): string {
  if (value === undefined || value === '') return 'missing';
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : typeof value;
  return `"${cut(safeText(text.slice(0, 10 * maxShown)), maxShown)}"`;
}
