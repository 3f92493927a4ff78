import type { RoundRecord } from '../../../tui/record/round-line.ts';
import { toWpm } from '../../../typing/statistics/speed.ts';
import { fastestBelievable } from '../../../typing/statistics/verdict.ts';
import { RefusedError } from '../../program/command-errors.ts';
import { toCount, toInstant, toPlainName, toQuantity } from './foreign-values.ts';
import {
  collectRounds,
  type FoundItem,
  type FoundRounds,
  type OnRead,
  RoundProblem,
} from './found-rounds.ts';
import { readJsonElements } from './json-elements.ts';

type Lesson = Readonly<Record<string, unknown>>;

/** Elements that are looked at to recognise a file, and characters of the longest one that is parsed: a lesson takes 12 KiB. */
const enough = 100;
const longestLesson = 1024 * 1024;

/** Whether a text is keybr's: a JSON list of lessons with histograms. */
export function isKeybr(text: string): boolean {
  let count = 0;
  for (const element of readJsonElements(text)) {
    if (isLesson(parseElement(element.text))) return true;
    count += 1;
    if (count === enough) return false;
  }
  return false;
}

/** Undefined if it is not JSON, or too long. */
function parseElement(text: string): unknown {
  if (text.length > longestLesson) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isLesson(value: unknown): value is Lesson {
  return typeof value === 'object' && value !== null && 'timeStamp' in value && 'histogram' in value;
}

/** The lessons of keybr's "download data" of the profile page (typing-data.json). */
export function readKeybr(text: string, onRead?: OnRead): FoundRounds {
  return collectRounds('keybr', toItems(text), toRecord, onRead);
}

function* toItems(text: string): Generator<FoundItem<unknown>> {
  const elements = readJsonElements(text);
  for (let count = 1; ; count += 1) {
    const { done, value } = elements.next();
    if (done === true) {
      if (value) return;
      throw new RefusedError(`the file is broken after lesson ${count - 1}: download it again`);
    }
    yield { value: parseElement(value.text), place: `lesson ${count}`, end: value.end };
  }
}

/** Characters, and ms, that no lesson exceeds. */
const mostCharacters = 100_000;
const longestTime = 24 * 60 * 60 * 1000;

function toRecord(lesson: unknown): RoundRecord {
  if (!isLesson(lesson)) throw new RoundProblem('it has no timeStamp and histogram');
  const length = toCount(lesson.length, 'length', mostCharacters);
  const milliseconds = toQuantity(lesson.time, 'time', longestTime);
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
    const mean = toQuantity(timeToType, 'timeToType', longestTime);
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
