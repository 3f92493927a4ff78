import type { FinishedRound } from './finished-round.ts';
import { fingerOf, isLeftHand, letterAt, letterCount, toLetter } from './keyboard.ts';
import { backspaceKey, spaceKey } from './progress.ts';

/** Longer seek times are pauses, not searches: they say nothing about a key. In milliseconds. */
const longestSeekTime = 5000;

/** Typists make some hundred kinds of errors; beyond this many, only kinds already known are counted. */
const maxErrorKinds = 5000;

/** What happened to each letter and between letters. Plain JSON; lists of 26 hold one number a letter, a to z. */
export interface KeyTally {
  /** Letters of finished rounds, and those whose first keystroke was right. */
  readonly presented: number[];
  readonly correct: number[];
  /** Counted seek times: their sums in milliseconds and their counts, by letter; and the sum of all their squares. */
  readonly seekMs: number[];
  readonly seekCount: number[];
  seekSquares: number;
  /** Pairs of right letters; those typed by two hands; those of two different letters typed by one finger. */
  pairs: number;
  alternations: number;
  sameFinger: number;
  sameFingerMs: number;
  /** The letter wanted, followed by the character typed -> how often. */
  readonly errors: Record<string, number>;
  errorKinds: number;
}

export function newKeyTally(): KeyTally {
  const zeros = () => new Array<number>(letterCount).fill(0);
  return {
    presented: zeros(),
    correct: zeros(),
    seekMs: zeros(),
    seekCount: zeros(),
    seekSquares: 0,
    pairs: 0,
    alternations: 0,
    sameFinger: 0,
    sameFingerMs: 0,
    errors: {},
    errorKinds: 0,
  };
}

export function copyKeyTally(tally: Readonly<KeyTally>): KeyTally {
  const { presented, correct, seekMs, seekCount, errors } = tally;
  return {
    ...tally,
    presented: [...presented],
    correct: [...correct],
    seekMs: [...seekMs],
    seekCount: [...seekCount],
    errors: { ...errors },
  };
}

/**
 * Walks through the keys of a finished round, adds what they tell to the tally, and returns how many there were.
 *
 * A letter is *correct* when the first keystroke at its place was right. A *seek time* counts for the letter wanted when
 * the keystroke was right, not at the beginning of a word, and took more than 0 and less than 5,000 ms. A *pair* is two
 * right letters one directly after the other inside a word, the second with a counted seek time: a wrong key, a
 * backspace or a punctuation mark between them breaks it.
 */
export function addKeys(
  tally: KeyTally,
  { words, keys, seekTimes }: Pick<FinishedRound, 'words' | 'keys' | 'seekTimes'>,
): { readonly totalKeys: number; readonly correctKeys: number } {
  let totalKeys = 0;
  let correctKeys = 0;
  let timerStarted = false;
  let wordIndex = 0;
  /** Position in the word, how far the word was ever filled, and the right letter typed just before (or -1). */
  let at = 0;
  let filled = 0;
  let previous = -1;

  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    const word = words[wordIndex] as string;
    const ms = seekTimes[index] as number;
    const before = previous;
    previous = -1;
    if (key === backspaceKey) {
      if (at > 0) at--;
      continue;
    }
    if (key === spaceKey && at >= word.length) {
      wordIndex++;
      at = 0;
      filled = 0;
      continue;
    }
    // The space of a typist who has not begun is no keystroke.
    if (key === spaceKey && at === 0 && !timerStarted) continue;

    const isCorrect = word[at] === key;
    const wanted = letterAt(word, at);
    totalKeys++;
    if (isCorrect) {
      correctKeys++;
      timerStarted ||= wordIndex === 0 && at === 0;
      previous = wanted;
    }
    if (wanted >= 0) {
      if (at === filled) addFirstKey(tally, wanted, isCorrect);
      if (!isCorrect) addError(tally, wanted, key);
      else if (at > 0 && ms > 0 && ms < longestSeekTime) addSeekTime(tally, before, wanted, ms);
    }
    at++;
    if (at > filled) filled = at;
  }
  return { totalKeys, correctKeys };
}

function addFirstKey(tally: KeyTally, letter: number, isCorrect: boolean): void {
  add(tally.presented, letter, 1);
  if (isCorrect) add(tally.correct, letter, 1);
}

function addError(tally: KeyTally, wanted: number, typed: string): void {
  const kind = toLetter(wanted) + typed;
  const count = tally.errors[kind];
  if (count === undefined) {
    if (tally.errorKinds >= maxErrorKinds) return;
    tally.errorKinds++;
  }
  tally.errors[kind] = (count ?? 0) + 1;
}

function addSeekTime(tally: KeyTally, before: number, letter: number, ms: number): void {
  add(tally.seekMs, letter, ms);
  add(tally.seekCount, letter, 1);
  tally.seekSquares += ms * ms;
  if (before < 0) return;
  tally.pairs++;
  if (isLeftHand(before) !== isLeftHand(letter)) tally.alternations++;
  if (before !== letter && fingerOf(before) === fingerOf(letter)) {
    tally.sameFinger++;
    tally.sameFingerMs += ms;
  }
}

function add(numbers: number[], at: number, amount: number): void {
  numbers[at] = (numbers[at] as number) + amount;
}
