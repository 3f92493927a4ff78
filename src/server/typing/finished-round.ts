import { backspaceKey, spaceKey } from './progress.ts';
import type { RoundInput, Timing } from './round.ts';

/** A complete and timed round with everything that any statistic can be computed from. */
export interface FinishedRound {
  /** Unique: a round that turns up twice counts once. */
  readonly id: string;
  readonly words: readonly string[];
  readonly inputs: readonly Pick<RoundInput, 'key' | 'ms'>[];
  readonly timing: Timing;
}

/** Whether these keys type these words to their end, and nothing after it. */
export function completes(words: readonly string[], inputs: FinishedRound['inputs']): boolean {
  let wordIndex = 0;
  let length = 0;
  let timerStarted = false;
  for (const { key } of inputs) {
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
