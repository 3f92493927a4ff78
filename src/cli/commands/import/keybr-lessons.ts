import type { RoundRecord } from '../../../tui/progress/round-record.ts';
import { maxBelievable, wpmOf } from '../../../typing/statistics/score-statistics.ts';
import { RefusedError } from '../../program/command-io.ts';
import {
  type FoundRounds,
  foundRounds,
  parseCount,
  parseInstant,
  parseName,
  parseQuantity,
  RoundProblem,
} from './found-rounds.ts';

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
    mode: modeName(lesson.textType ?? lesson.lessonType),
    language: /^[a-z]{2}(?=-)/.exec(layout)?.[0] ?? 'en',
    layout: layoutNames[layout] ?? layout,
    punctuation: false,
    letters: parseHistogram(lesson.histogram),
    errors: {},
    unmeasured: 0,
  };
}

/** As our layouts are called. */
const layoutNames: Readonly<Record<string, string>> = {
  us: 'qwerty',
  'en-us': 'qwerty',
  'en-dvorak': 'dvorak',
  'en-colemak': 'colemak',
};

/** Its lessons of chosen letters are what is called guided here; their name has changed over the years. */
function modeName(type: unknown): string {
  const name = parseName(type) ?? 'lesson';
  return name === 'generated' || name === 'auto' ? 'guided' : name;
}

/** More samples than any alphabet has. */
const maxLetters = 200;

/** Its counts: how often a character came, and how often it went wrong first; the time is a mean. */
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
