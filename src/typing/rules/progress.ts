import type { Word } from './word.ts';

/** How far a typist has got in the words of a round. Plain JSON. */
export interface Progress {
  /** Index of the word being typed; the number of words once the last one is done. */
  readonly wordIndex: number;
  /** The characters in the current word, one by one; a space that counted as an error is `spaceKey`. */
  readonly input: readonly string[];
  /** How many of those characters are wrong. */
  readonly wrong: number;
  /** For each position reached in the current word: `r` if the right key was typed once, else `w`. */
  readonly reached: string;
  readonly timerStarted: boolean;
}

/** Progress that `step` changes in place. */
export type RunningProgress = { -readonly [K in keyof Progress]: Progress[K] } & { input: string[] };

export function newProgress(): RunningProgress {
  return { wordIndex: 0, input: [], wrong: 0, reached: '', timerStarted: false };
}

export function copyProgress(progress: Progress): RunningProgress {
  // Written out because that is faster than a spread, and it runs for every key.
  return {
    wordIndex: progress.wordIndex,
    input: progress.input.slice(),
    wrong: progress.wrong,
    reached: progress.reached,
    timerStarted: progress.timerStarted,
  };
}

export function isComplete(words: readonly Word[], { wordIndex }: Progress): boolean {
  return wordIndex >= words.length;
}
