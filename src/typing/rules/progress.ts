import { appendToTape, cutTape, emptyTape, type Tape, tapeText, unitAt } from './tape.ts';
import type { Word } from './word.ts';

/** How far a typist has got in the words of a round. Plain JSON. */
export interface Progress {
  /** Index of the word being typed; the number of words once the last one is done. */
  readonly wordIndex: number;
  /** The characters in the current word, and how many there are; see `readInput`. */
  readonly input: Tape;
  readonly length: number;
  /** How many of those characters are wrong. */
  readonly wrong: number;
  /** For each position typed at in the current word: `r` if the right key came at least once, else `w`. */
  readonly reached: string;
  readonly timerStarted: boolean;
}

export const noProgress: Progress = {
  wordIndex: 0,
  input: emptyTape,
  length: 0,
  wrong: 0,
  reached: '',
  timerStarted: false,
};

/** A copy that `step` may change. */
export function copyProgress(progress: Progress): { -readonly [K in keyof Progress]: Progress[K] } {
  // Written out because that is faster than a spread, and it runs for every key.
  return {
    wordIndex: progress.wordIndex,
    input: progress.input,
    length: progress.length,
    wrong: progress.wrong,
    reached: progress.reached,
    timerStarted: progress.timerStarted,
  };
}

export function isComplete(words: readonly Word[], { wordIndex }: Progress): boolean {
  return wordIndex >= words.length;
}

/** Encloses a character of several UTF-16 units. In no key: the only white space that is one is the space. */
const fence = '\n';
const fenceCode = fence.charCodeAt(0);

/**
 * The input with one more character. It is a tape, so that neither a key nor a deletion copies all of it: a
 * word may have ten thousand characters of 32 units.
 */
export function appendKey(input: Tape, key: string): Tape {
  return appendToTape(input, key.length === 1 ? key : fence + key + fence);
}

/** The last character of an input. */
export function lastKey(input: Tape): string {
  const last = unitAt(input, input.length - 1);
  if (last !== fenceCode) return String.fromCharCode(last);
  let start = input.length - 1;
  while (start > 0 && unitAt(input, start - 1) !== fenceCode) start -= 1;
  return tapeText(input, start).slice(0, -1);
}

export function dropKey(input: Tape): Tape {
  const { length } = lastKey(input);
  return cutTape(input, input.length - (length === 1 ? 1 : length + 2));
}

/** The characters in the current word, one by one; a space that counted as an error is `spaceKey`. */
export function readInput({ input }: Pick<Progress, 'input'>): string[] {
  return tapeText(input)
    .split(fence)
    .flatMap((part, at) => (at % 2 === 0 ? part.split('') : [part]));
}

/** The characters in the current word as text. */
export function inputText({ input }: Pick<Progress, 'input'>): string {
  return tapeText(input).replaceAll(fence, '');
}
