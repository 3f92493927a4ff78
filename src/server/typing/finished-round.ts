import { backspaceKey, spaceKey } from './progress.ts';
import type { Timing } from './round.ts';

/** A complete and timed round with everything that any statistic can be computed from. Plain JSON. */
export interface FinishedRound {
  /** Unique: a round that turns up twice counts once. */
  readonly id: string;
  readonly words: readonly string[];
  /** Every key in order: a character, `spaceKey` or `backspaceKey`. */
  readonly keys: readonly string[];
  /** The seek time of each key in milliseconds; 0 means not measured. */
  readonly seekTimes: readonly number[];
  readonly timing: Timing;
}

/** Whether these keys type these words to their end, and nothing after it. */
export function completes({ words, keys }: Pick<FinishedRound, 'words' | 'keys'>): boolean {
  let wordIndex = 0;
  let length = 0;
  let timerStarted = false;
  for (const key of keys) {
    const word = words[wordIndex];
    if (word === undefined) return false;
    if (key === backspaceKey) {
      if (length > 0) length--;
    } else if (key === spaceKey && length >= word.length) {
      wordIndex++;
      length = 0;
    } else if (key !== spaceKey || length > 0 || timerStarted) {
      timerStarted ||= wordIndex === 0 && length === 0 && key === word[0];
      length++;
    }
  }
  return words.length > 0 && wordIndex === words.length;
}
