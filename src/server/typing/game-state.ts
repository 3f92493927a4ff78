import type { Round } from './round.ts';
import { toWpm } from './speed.ts';

/** How many of the words after the current one are told. */
const shownNextWords = 3;

export interface GameState {
  readonly words: string[];
  readonly current_word_idx: number;
  readonly current_input: string;
  readonly timer_started: boolean;
  readonly punctuation_mode: boolean;
  readonly word_number: number;
  readonly total_words: number;
  readonly live_wpm: number;
  readonly current_word: string;
  readonly previous_word: string;
  readonly next_word: string;
  readonly next_words: string[];
  readonly last_seq: number;
}

/** What the API tells of a round. `live_wpm` is its speed over the seek times so far, 0 before the timer starts. */
export function toGameState({ words, progress, punctuation, lastSeq }: Round): GameState {
  const { wordIndex, input, timerStarted, correctKeys, elapsedMs } = progress;
  return {
    words: [...words],
    current_word_idx: wordIndex,
    current_input: input.join(''),
    timer_started: timerStarted,
    punctuation_mode: punctuation,
    word_number: Math.min(wordIndex + 1, words.length),
    total_words: words.length,
    live_wpm: toWpm(correctKeys, elapsedMs),
    current_word: words[wordIndex] ?? '',
    previous_word: words[wordIndex - 1] ?? '',
    next_word: words[wordIndex + 1] ?? '',
    next_words: words.slice(wordIndex + 1, wordIndex + 1 + shownNextWords),
    last_seq: lastSeq,
  };
}
