import type { RoundRecord } from '../../../tui/record/round-line.ts';
import { toWpm } from '../../../typing/statistics/speed.ts';
import { fastestBelievable } from '../../../typing/statistics/verdict.ts';
import { toCount, toInstant, toPlainName, toQuantity } from './foreign-values.ts';
import { collectRounds, type FoundRounds, RoundProblem } from './found-rounds.ts';

type Lesson = Readonly<Record<string, unknown>>;

/** Whether a parsed JSON file is keybr's: a list of lessons with histograms. */
export function isKeybr(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.slice(0, 100).some(isLesson);
}

function isLesson(value: unknown): value is Lesson {
  return typeof value === 'object' && value !== null && 'timeStamp' in value && 'histogram' in value;
}

/** The lessons of keybr's "download data" of the profile page (typing-data.json). */
export function readKeybr(lessons: readonly unknown[]): FoundRounds {
  return collectRounds('keybr', lessons, (_, at) => `lesson ${at + 1}`, toRecord);
}

/** Characters, and ms, that no lesson exceeds. */
const mostCharacters = 100_000;
const longestLesson = 24 * 60 * 60 * 1000;

function toRecord(lesson: unknown): RoundRecord {
  if (!isLesson(lesson)) throw new RoundProblem('it has no timeStamp and histogram');
  const length = toCount(lesson.length, 'length', mostCharacters);
  const milliseconds = toQuantity(lesson.time, 'time', longestLesson);
  const errors = toCount(lesson.errors, 'errors', mostCharacters);
  if (length === 0 || milliseconds === 0) throw new RoundProblem('nothing was typed in it');
  const speed = toWpm(length, milliseconds);
  const correct = Math.max(0, length - errors);
  const layout = toPlainName(lesson.layout) ?? 'unknown';
  return {
    version: 3,
    source: 'keybr',
    finished: toInstant(lesson.timeStamp, 'timeStamp'),
    wpm: speed,
    standardWpm: speed,
    accuracy: (correct / length) * 100,
    seconds: milliseconds / 1000,
    correct,
    total: length,
    omitted: 0,
    counts: speed <= fastestBelievable,
    mode: toModeName(lesson.textType ?? lesson.lessonType),
    language: /^[a-z]{2}(?=-)/.exec(layout)?.[0] ?? 'en',
    layout: layoutNames[layout] ?? layout,
    punctuation: false,
    letters: toLetters(lesson.histogram),
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

/** Its lessons of chosen letters are what is called guided here; they have been called differently over the years. */
function toModeName(type: unknown): string {
  const name = toPlainName(type) ?? 'lesson';
  return name === 'generated' || name === 'auto' ? 'guided' : name;
}

const mostLetters = 200;

/** Its counts: `hitCount` is how often a character came, `missCount` how often it went wrong first; the time is a mean. */
function toLetters(histogram: unknown): RoundRecord['letters'] {
  if (!Array.isArray(histogram)) throw new RoundProblem('its histogram is not a list');
  const letters: Record<string, RoundRecord['letters'][string]> = {};
  for (const sample of histogram.slice(0, mostLetters) as readonly unknown[]) {
    const { codePoint, hitCount, missCount, timeToType } = (sample ?? {}) as Lesson;
    const letter = toLetter(codePoint);
    if (letter === undefined) continue;
    const presented = toCount(hitCount, 'hitCount', mostCharacters);
    const correct = Math.max(0, presented - toCount(missCount, 'missCount', mostCharacters));
    const mean = toQuantity(timeToType, 'timeToType', longestLesson);
    letters[letter] = { presented, correct, seekMs: mean * correct, seekCount: mean > 0 ? correct : 0 };
  }
  return letters;
}

function toLetter(codePoint: unknown): string | undefined {
  const isScalar = typeof codePoint === 'number' && codePoint > 32 && codePoint <= 0x10ffff;
  if (!isScalar || !Number.isInteger(codePoint)) return undefined;
  const letter = String.fromCodePoint(codePoint).toLowerCase();
  return /^\p{L}$/u.test(letter) ? letter : undefined;
}
