import type { Word } from './word.ts';

/** How far a typist has got in the words of a round. Plain JSON. */
export interface Progress {
  /** Index of the word being typed; the number of words once the last one is done. */
  readonly wordIndex: number;
  /** The characters in the current word, and how many there are; see `readInput`. */
  readonly input: string;
  readonly length: number;
  /** How many of those characters are wrong. */
  readonly wrong: number;
  /** One letter for each position typed at in the current word: `r` if the right key came at least once, else `w`. */
  readonly reached: string;
  readonly timerStarted: boolean;
}

export const noProgress: Progress = {
  wordIndex: 0,
  input: '',
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

/** Encloses a character of several UTF-16 units. No key contains it, because the only white space that is a key is the space. */
const fence = '\n';

/**
 * The input with one more character. The input is one string, so that it grows and shrinks without being copied, however
 * long the word is.
 */
export function appendKey(input: string, key: string): string {
  return key.length === 1 ? input + key : input + fence + key + fence;
}

/** The last character of an input. */
export function lastKey(input: string): string {
  const last = input.charAt(input.length - 1);
  return last === fence ? input.slice(input.lastIndexOf(fence, input.length - 2) + 1, -1) : last;
}

export function dropKey(input: string): string {
  const { length } = lastKey(input);
  return input.slice(0, input.length - (length === 1 ? 1 : length + 2));
}

/** The characters in the current word, one by one; a space that counted as an error is `spaceKey`. */
export function readInput({ input }: Pick<Progress, 'input'>): string[] {
  return input.split(fence).flatMap((part, at) => (at % 2 === 0 ? part.split('') : [part]));
}

/** The characters in the current word as text. */
export function inputText({ input }: Pick<Progress, 'input'>): string {
  return input.replaceAll(fence, '');
}
