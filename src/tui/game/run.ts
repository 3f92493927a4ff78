import { perfectTiming, type TimingQuality } from '../input/key-timing.ts';

/** One numbered input as it goes to the server, with what the client's own statistics need beside it. */
export interface Input {
  /** 1, 2, 3 … within the run. */
  readonly seq: number;
  readonly type: 'keystroke' | 'backspace' | 'space';
  /** The character of a keystroke; empty for the others. */
  readonly char: string;
  /** Whole ms since the key before; 0 means not measured. */
  readonly seek: number;
  /** Active ms of the run at this input (see `Run.active`). */
  readonly at: number;
  /** Unix ms. */
  readonly unix: number;
}

/** One round as the typist sees it: the local echo, never waiting for the server. */
export interface Run {
  readonly words: readonly string[];
  /** Index of the current word; `words.length` when the round is complete. */
  readonly wordIndex: number;
  /** What stands in the current word, one entry per keystroke; a space counted as an error is ' '. */
  readonly typed: readonly string[];
  /** What was typed for each word already left. */
  readonly left: readonly (readonly string[])[];
  /** Everything that goes to the server, oldest first. With the words it determines all of the above. */
  readonly inputs: readonly Input[];
  /** Unix ms of the first right letter; undefined while the timer stands. */
  readonly startedAt: number | undefined;
  /**
   * Active ms as of the last key: the time since the first right letter, without pauses. Until then it counts
   * from the first key, so that a round whose first letter was never right has an honest duration too.
   */
  readonly active: number;
  /** Monotonic ms of the last key; undefined when there is nothing to measure the next interval from. */
  readonly lastKey: number | undefined;
  readonly isPaused: boolean;
  /** Keystrokes that typed a character, and those of them that were right. */
  readonly total: number;
  readonly correct: number;
  readonly quality: TimingQuality;
}

/** The server stores at most this many characters past the end of a word. */
export const longestExcess = 32;

export function newRun(words: readonly string[]): Run {
  return {
    words,
    wordIndex: 0,
    typed: [],
    left: [],
    inputs: [],
    startedAt: undefined,
    active: 0,
    lastKey: undefined,
    isPaused: false,
    total: 0,
    correct: 0,
    quality: perfectTiming,
  };
}

export function isComplete(run: Run): boolean {
  return run.wordIndex >= run.words.length;
}

/** Whether the typist has begun and not finished: leaving now would throw something away. */
export function isUnderWay(run: Run): boolean {
  return run.inputs.length > 0 && !isComplete(run);
}

/** Whether this character, typed next, would start the timer. */
export function wouldStartTimer(run: Run, char: string): boolean {
  const isFirstLetter = run.wordIndex === 0 && run.typed.length === 0;
  return run.startedAt === undefined && isFirstLetter && char === run.words[0]?.[0];
}

/** The run with one more input that the rules allow. */
export function addInput(run: Run, input: Input): Run {
  const word = run.words[run.wordIndex] ?? '';
  const next = { ...run, inputs: [...run.inputs, input], active: input.at };
  if (input.type === 'backspace') return { ...next, typed: run.typed.slice(0, -1) };
  if (input.type === 'space') {
    if (run.typed.length < word.length) return { ...next, typed: [...run.typed, ' '], total: run.total + 1 };
    return { ...next, wordIndex: run.wordIndex + 1, typed: [], left: [...run.left, run.typed] };
  }
  return {
    ...next,
    typed: [...run.typed, input.char],
    startedAt: wouldStartTimer(run, input.char) ? input.unix : run.startedAt,
    total: run.total + 1,
    correct: run.correct + (input.char === word[run.typed.length] ? 1 : 0),
  };
}

/** A run as its inputs left it, paused: its next interval has nothing to be measured from. */
export function restoreRun(words: readonly string[], inputs: readonly Input[]): Run {
  return { ...inputs.reduce(addInput, newRun(words)), isPaused: inputs.length > 0 };
}

/** 24 hours, the longest round that the server takes. */
const longestRun = 86_400_000;

/** What the server is told when the round is complete: Unix ms, and the active time in whole ms. */
export function toTiming(run: Run): {
  start_time_unix_ms: number;
  end_time_unix_ms: number;
  duration_ms: number;
} {
  const start = run.startedAt ?? run.inputs[0]?.unix ?? 0;
  return {
    start_time_unix_ms: start,
    end_time_unix_ms: Math.max(start, run.inputs.at(-1)?.unix ?? start),
    duration_ms: Math.min(Math.max(1, Math.round(run.active)), longestRun),
  };
}
