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
  /** Everything that goes to the server, oldest first. */
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

/** The moment of an action: `time` in monotonic ms, `unix` the same moment in Unix ms. */
export interface Moment {
  readonly time: number;
  readonly unix: number;
}

export interface Press extends Moment {
  readonly measured: boolean;
  readonly repeat: boolean;
  /** Whether it arrived in one reading with others. */
  readonly together: boolean;
}

export type RunAction =
  | ({ readonly type: 'character'; readonly char: string } & Press)
  | ({ readonly type: 'advance' | 'backspace' | 'delete-word' } & Press)
  | { readonly type: 'pause'; readonly time: number }
  | { readonly type: 'paste' }
  | { readonly type: 'stall'; readonly duration: number };

/** The server stores at most this many characters past the end of a word. */
export const longestExcess = 32;

/** Far more than a round needs; a key held down for an hour must not fill the memory. */
const mostInputs = 20_000;

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

/** The run after `action`; the very same object when the action changes nothing. */
export function reduceRun(run: Run, action: RunAction): Run {
  if (isComplete(run)) return run;
  switch (action.type) {
    case 'pause':
      return pause(run, action.time);
    case 'paste':
      return { ...run, quality: { ...run.quality, pastes: run.quality.pastes + 1 } };
    case 'stall':
      return noteStall(run, action.duration);
    default:
      return run.inputs.length < mostInputs ? press(run, action) : run;
  }
}

type PressAction = Extract<RunAction, Press>;

function press(run: Run, action: PressAction): Run {
  if (action.type === 'character') return typeCharacter(run, action);
  if (action.type === 'advance') return advance(run, action);
  if (run.typed.length === 0) return run;
  return action.type === 'backspace' ? deleteLast(run, action) : deleteWord(run, action);
}

function typeCharacter(run: Run, action: PressAction & { char: string }): Run {
  const word = run.words[run.wordIndex] ?? '';
  if (run.typed.length >= word.length + longestExcess) return run;
  const isRight = action.char === word[run.typed.length];
  const startsTimer = isRight && run.startedAt === undefined && run.wordIndex === 0 && run.typed.length === 0;
  const timed = takeInput(run, action, 'keystroke', action.char, startsTimer);
  return {
    ...timed,
    typed: [...run.typed, action.char],
    total: run.total + 1,
    correct: run.correct + (isRight ? 1 : 0),
  };
}

/** A covered word is left; a space before its end is a wrong keystroke; before anything is typed it is nothing. */
function advance(run: Run, action: PressAction): Run {
  const word = run.words[run.wordIndex] ?? '';
  if (run.typed.length >= word.length) {
    const timed = takeInput(run, action, 'space', '', false);
    return { ...timed, wordIndex: run.wordIndex + 1, typed: [], left: [...run.left, run.typed] };
  }
  if (run.typed.length === 0 && run.startedAt === undefined) return run;
  const timed = takeInput(run, action, 'space', '', false);
  return { ...timed, typed: [...run.typed, ' '], total: run.total + 1 };
}

function deleteLast(run: Run, action: PressAction): Run {
  return { ...takeInput(run, action, 'backspace', '', false), typed: run.typed.slice(0, -1) };
}

/** The server knows single backspaces only. */
function deleteWord(run: Run, action: PressAction): Run {
  let emptied = run;
  while (emptied.typed.length > 0) emptied = deleteLast(emptied, action);
  return emptied;
}

/**
 * Adds one input and moves the run's clock. The interval is the difference of two whole-ms stamps, so that
 * rounding errors do not add up over a round.
 */
function takeInput(run: Run, press: Press, type: Input['type'], char: string, startsTimer: boolean): Run {
  const elapsed = run.lastKey === undefined ? 0 : Math.max(0, press.time - run.lastKey);
  const active = startsTimer ? 0 : run.active + elapsed;
  const isMeasured = press.measured && run.lastKey !== undefined && type !== 'backspace';
  const seek = isMeasured ? Math.round(press.time) - Math.round(run.lastKey) : 0;
  const input: Input = {
    seq: run.inputs.length + 1,
    type,
    char,
    seek: Math.min(Math.max(seek, 0), longestSeek),
    at: active,
    unix: Math.round(press.unix),
  };
  return {
    ...run,
    inputs: [...run.inputs, input],
    startedAt: startsTimer ? input.unix : run.startedAt,
    active,
    lastKey: press.time,
    isPaused: false,
    quality: type === 'backspace' ? run.quality : noteQuality(run.quality, press),
  };
}

/** One hour, the longest interval that the server takes. */
const longestSeek = 3_600_000;

function noteQuality(quality: TimingQuality, press: Press): TimingQuality {
  if (press.measured && !press.together && !press.repeat) return quality;
  return {
    ...quality,
    unmeasured: quality.unmeasured + (press.measured ? 0 : 1),
    together: quality.together + (press.together ? 1 : 0),
    repeats: quality.repeats + (press.repeat ? 1 : 0),
  };
}

/** The clock stands until the next key. A run that has not begun has nothing to pause. */
function pause(run: Run, time: number): Run {
  if (run.isPaused || !isUnderWay(run)) return run;
  const active = run.active + Math.max(0, time - (run.lastKey ?? time));
  return { ...run, active, lastKey: undefined, isPaused: true };
}

function noteStall(run: Run, duration: number): Run {
  if (duration <= run.quality.largestStall) return run;
  return { ...run, quality: { ...run.quality, largestStall: duration } };
}

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

/** 24 hours, the longest round that the server takes. */
const longestRun = 86_400_000;
