import type { Word } from './word.ts';

/** How far a typist has got in the words of a round. Plain JSON, which `step` changes in place. */
export function newProgress() {
  return {
    /** Index of the word being typed; the number of words once the last one is done. */
    wordIndex: 0,
    /** The characters in the current word, one by one; a space that counted as an error is `spaceKey`. */
    input: [] as string[],
    wrong: 0,
    /** For each position reached in the current word: `r` if the right key was typed once, else `w`. */
    reached: '',
    timerStarted: false,
  };
}
export type RunningProgress = ReturnType<typeof newProgress>;
export type Progress = Readonly<Omit<RunningProgress, 'input'>> & { readonly input: readonly string[] };

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
