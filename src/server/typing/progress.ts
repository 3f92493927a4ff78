import { type Problem, toProblem } from './problem.ts';

/** How many characters may be typed past the end of a word. */
const overshoot = 32;

/** The keys that type no visible character. No `char` of a request can be one of them. */
export const spaceKey = ' ';
export const backspaceKey = '\b';

/** How far a typist has come in the words of a round, and what it took. Plain JSON. */
export interface Progress {
  /** Index of the word being typed; the number of words once the last one is done. */
  readonly wordIndex: number;
  /** What stands in the current word, character by character. */
  readonly input: readonly string[];
  readonly timerStarted: boolean;
  /** Keystrokes that typed a character, and those of them that matched. */
  readonly totalKeys: number;
  readonly correctKeys: number;
  /** Sum of the seek times since the timer started, in milliseconds. */
  readonly elapsedMs: number;
}

export interface KeystrokeResult {
  readonly is_correct: boolean;
  readonly timer_started: boolean;
  readonly char_index: number;
}

export interface BackspaceResult {
  readonly success: boolean;
  readonly new_length: number;
}

export interface SpaceResult {
  readonly advanced: boolean;
  readonly round_complete: boolean;
  readonly treated_as_error: boolean;
}

export type InputResult = KeystrokeResult | BackspaceResult | SpaceResult;

export interface Step {
  readonly progress: Progress;
  readonly result: InputResult;
}

export const noProgress: Progress = {
  wordIndex: 0,
  input: [],
  timerStarted: false,
  totalKeys: 0,
  correctKeys: 0,
  elapsedMs: 0,
};

export function isComplete(words: readonly string[], { wordIndex }: Progress): boolean {
  return wordIndex >= words.length;
}

/** What one key does. `ms` is its seek time. The round must not be complete. */
export function step(
  words: readonly string[],
  progress: Progress,
  key: string,
  ms: number,
): Step | { problem: Problem } {
  const word = words[progress.wordIndex] as string;
  if (key === backspaceKey) return stepBack(progress);
  if (key === spaceKey) return stepSpace(word, progress, ms, words.length);
  return stepCharacter(word, progress, key, ms);
}

function stepCharacter(
  word: string,
  progress: Progress,
  key: string,
  ms: number,
): Step | { problem: Problem } {
  const { input, wordIndex, timerStarted } = progress;
  const at = input.length;
  if (at >= word.length + overshoot) {
    return toProblem('INVALID_REQUEST', `At most ${overshoot} characters fit past the end of a word.`);
  }
  const isCorrect = word[at] === key;
  const startsTimer = isCorrect && !timerStarted && wordIndex === 0 && at === 0;
  return {
    progress: {
      wordIndex,
      input: [...input, key],
      timerStarted: timerStarted || startsTimer,
      totalKeys: progress.totalKeys + 1,
      correctKeys: progress.correctKeys + (isCorrect ? 1 : 0),
      elapsedMs: elapsed(progress, ms),
    },
    result: { is_correct: isCorrect, timer_started: startsTimer, char_index: at },
  };
}

function stepSpace(word: string, progress: Progress, ms: number, wordCount: number): Step {
  const { input, wordIndex, timerStarted } = progress;
  const elapsedMs = elapsed(progress, ms);
  if (input.length >= word.length) {
    return {
      progress: { ...progress, wordIndex: wordIndex + 1, input: [], elapsedMs },
      result: { advanced: true, round_complete: wordIndex + 1 === wordCount, treated_as_error: false },
    };
  }
  if (input.length === 0 && !timerStarted) {
    return { progress, result: { advanced: false, round_complete: false, treated_as_error: false } };
  }
  return {
    progress: { ...progress, input: [...input, spaceKey], totalKeys: progress.totalKeys + 1, elapsedMs },
    result: { advanced: false, round_complete: false, treated_as_error: true },
  };
}

function stepBack(progress: Progress): Step {
  const length = progress.input.length - 1;
  if (length < 0) return { progress, result: { success: false, new_length: 0 } };
  return {
    progress: { ...progress, input: progress.input.slice(0, length) },
    result: { success: true, new_length: length },
  };
}

/** A key's seek time passed before the key; that of the key which starts the timer lies before the start. */
function elapsed({ timerStarted, elapsedMs }: Progress, ms: number): number {
  return timerStarted ? elapsedMs + ms : elapsedMs;
}
