import type { Word } from './word.ts';

/** How far a typist has come in the words of a round. Plain JSON. */
export interface Progress {
  /** Index of the word being typed; the number of words once the last one is done. */
  readonly wordIndex: number;
  /** The characters in the current word, and how many there are; see `readInput`. */
  readonly input: string;
  readonly length: number;
  /** How many of those characters are wrong. */
  readonly wrong: number;
  /** Per position of the current word that was ever typed at: `r` where the right key came at least once, else `w`. */
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
  // Written out, which is faster than a spread: this is done for every key.
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

/** Encloses a character of several UTF-16 units: no key is or contains it, because white space is not a key. */
const fence = '\n';

/**
 * The input with one more character. It is kept as one string, which grows and shrinks without being copied, however
 * long the word.
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
