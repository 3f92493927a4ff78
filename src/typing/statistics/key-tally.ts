import { type Language, letterOf } from '../letters/language.ts';
import type { KeyReport } from '../rules/step.ts';
import type { Word } from '../rules/word.ts';

/** In milliseconds. Longer seek times are pauses, and say nothing about a key. */
export const maxSeekTime = 5000;

/** How long something took: the sum in milliseconds, and how often. */
export interface Times {
  ms: number;
  count: number;
}

/** Maximum number of words with mistakes that are remembered. */
const maxTroubles = 200;
/** In UTF-16 units. No list has longer words, and only words of a list come again. */
const maxWord = 64;

/** What happened to and between letters. Plain JSON, bounded by the alphabet and `maxTroubles`. */
export interface KeyTally {
  readonly letters: Record<string, LetterTally>;
  /** Two letters -> seek times of the second one. */
  readonly bigrams: Record<string, Times>;
  /** Expected letter followed by typed letter -> number of times. */
  readonly errors: Record<string, number>;
  /** By letter, and by two letters. */
  readonly recent: Record<string, RecentTally>;
  /** Shortest time of a letter after any round, by its recent sums: what was learned stays learned. */
  readonly best: Record<string, number>;
  /** Words that went wrong: 1 for each time, halved each time that they were typed without a mistake. */
  readonly troubles: Record<string, number>;
}

export function newKeyTally(): KeyTally {
  return { letters: {}, bigrams: {}, errors: {}, recent: {}, best: {}, troubles: {} };
}

export function copyKeyTally(tally: Readonly<KeyTally>): KeyTally {
  const { letters, bigrams, errors, recent, best, troubles } = tally;
  return {
    letters: copyEach(letters),
    bigrams: copyEach(bigrams),
    errors: { ...errors },
    recent: copyEach(recent),
    best: { ...best },
    troubles: { ...troubles },
  };
}

export function noteBestTimes({ recent, best }: KeyTally): void {
  for (const letter in recent) {
    const ms = letter.length === 1 ? meanTime(recent[letter] as RecentTally) : null;
    if (ms !== null) best[letter] = Math.min(ms, best[letter] ?? ms);
  }
}

function copyEach<T extends object>(entries: Readonly<Record<string, T>>): Record<string, T> {
  const copies: Record<string, T> = {};
  for (const name in entries) copies[name] = { ...(entries[name] as T) };
  return copies;
}

/**
 * Returns a function that adds the reports of one round, in order, to a tally.
 *
 * A letter is *correct* if the first keystroke at its position was right; a capital counts as its letter. A
 * *seek time* counts for the expected letter if the keystroke was right, not at the beginning of a word, and
 * took more than 0 and less than 5,000 ms. A *bigram* is two right letters in direct succession inside a
 * word, the second with a counted seek time; any other key between them breaks it. An *error* is a wrong
 * letter typed; the right letter in the wrong case is not one.
 */
export function createKeyCounter(
  tally: KeyTally,
  language: Language,
  round = 0,
): (report: KeyReport) => void {
  let previous: string | undefined;
  let hasSlipped = false;
  return (report) => {
    const before = previous;
    previous = undefined;
    if (report.kind === 'advance') {
      addUnreached(tally, language, report.word, report.unreached, round);
      noteWord(tally, report.word, hasSlipped || report.omitted > 0);
      hasSlipped = false;
    }
    if (report.kind !== 'character') return;
    hasSlipped ||= !report.isRight;
    const { word, at, ms, isRight, isFirst } = report;
    const wanted = letterOf(language, word[at]);
    if (wanted === undefined) return;
    if (isFirst) addPresented(tally, wanted, isRight, round);
    if (!isRight) {
      addError(tally, wanted, letterOf(language, report.key));
      return;
    }
    previous = wanted;
    if (at > 0 && ms > 0 && ms < maxSeekTime) addSeekTime(tally, before, wanted, ms, round);
  };
}

function addUnreached(
  tally: KeyTally,
  language: Language,
  word: Word,
  unreached: number,
  round: number,
): void {
  for (let at = word.length - unreached; at < word.length; at++) {
    const letter = letterOf(language, word[at]);
    if (letter !== undefined) addPresented(tally, letter, false, round);
  }
}

function addPresented(
  { letters, recent }: KeyTally,
  letter: string,
  isCorrect: boolean,
  round: number,
): void {
  const tally = tallyOf(letters, letter);
  const lately = recentOf(recent, letter, round);
  tally.presented++;
  lately.presented++;
  if (!isCorrect) return;
  tally.correct++;
  lately.correct++;
}

function addError({ errors }: KeyTally, wanted: string, typed: string | undefined): void {
  if (typed === undefined || typed === wanted) return;
  const kind = wanted + typed;
  errors[kind] = (errors[kind] ?? 0) + 1;
}

function addSeekTime(
  { letters, bigrams, recent }: KeyTally,
  before: string | undefined,
  letter: string,
  ms: number,
  round: number,
): void {
  const tally = tallyOf(letters, letter);
  tally.seekMs += ms;
  tally.seekCount++;
  tally.seekSquares += ms * ms;
  addTime(recentOf(recent, letter, round), ms);
  if (before === undefined) return;
  const pair = before + letter;
  bigrams[pair] ??= { ms: 0, count: 0 };
  addTime(bigrams[pair], ms);
  addTime(recentOf(recent, pair, round), ms);
}

function addTime(times: Times, ms: number): void {
  times.ms += ms;
  times.count++;
}

/** What happened to one letter. Plain JSON. */
const emptyLetterTally = {
  /** How often it had to be typed, and how often the first keystroke was right. */
  presented: 0,
  correct: 0,
  /** Counted seek times: their sum in milliseconds, their count, and the sum of their squares. */
  seekMs: 0,
  seekCount: 0,
  seekSquares: 0,
};
type LetterTally = typeof emptyLetterTally;

function tallyOf(letters: Record<string, LetterTally>, letter: string): LetterTally {
  letters[letter] ??= { ...emptyLetterTally };
  return letters[letter];
}

function recentOf(recent: Record<string, RecentTally>, name: string, round: number): RecentTally {
  const before = recent[name];
  if (before?.at === round) return before;
  const now = before ? asOf(before, round) : { presented: 0, correct: 0, ms: 0, count: 0, at: round };
  recent[name] = now;
  return now;
}

/** Forgets the word with the least trouble if there are too many. */
function noteWord({ troubles }: KeyTally, word: Word, hasSlipped: boolean): void {
  if (typeof word !== 'string' || word.length > maxWord) return;
  const trouble = Object.hasOwn(troubles, word) ? (troubles[word] as number) : 0;
  if (hasSlipped) {
    troubles[word] = trouble + 1;
    // Only a new word can be one too many.
    if (trouble === 0) dropLeast(troubles);
  } else if (trouble > 0.4) troubles[word] = trouble / 2;
  else delete troubles[word];
}

function dropLeast(troubles: Record<string, number>): void {
  const entries = Object.entries(troubles);
  if (entries.length <= maxTroubles) return;
  const [least] = entries.reduce((a, b) => (b[1] < a[1] ? b : a));
  delete troubles[least];
}

/** Rounds after which keystrokes weigh half as much in the choice of words. */
const halfLife = 20;

/** What happened to one letter or pair recently: sums in which rounds lose weight as they age. Plain JSON. */
export interface RecentTally extends Times {
  presented: number;
  correct: number;
  /** The chapter's round count when these sums were last updated. */
  at: number;
}

/** The tally with the weights that it has in a later round. */
export function asOf(tally: Readonly<RecentTally>, round: number): RecentTally {
  const share = 2 ** ((tally.at - round) / halfLife);
  return {
    presented: tally.presented * share,
    correct: tally.correct * share,
    ms: tally.ms * share,
    count: tally.count * share,
    at: round,
  };
}

const minMeasurements = 10;

/** Mean time in ms; null until there are enough measurements. */
export function meanTime({ ms, count }: Times): number | null {
  return count >= minMeasurements ? ms / count : null;
}
