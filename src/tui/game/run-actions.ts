import type { TimingQuality } from '../input/key-timing.ts';
import {
  addInput,
  type Input,
  isComplete,
  isUnderWay,
  longestExcess,
  type Run,
  wouldStartTimer,
} from './run.ts';

/** The moment of a key and how far it can be believed. */
export interface Press {
  /** Monotonic ms, and the same moment in Unix ms. */
  readonly time: number;
  readonly unix: number;
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

type PressAction = Extract<RunAction, Press>;

/** The server takes no more in one round; a careful typist needs about 180. */
const mostInputs = 5000;

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
    case 'delete-word':
      return deleteWord(run, action);
    default:
      return press(run, action, toInputType(run, action));
  }
}

/** What a key is to the server; undefined when it is nothing at all. */
function toInputType(run: Run, action: PressAction): Input['type'] | undefined {
  const word = run.words[run.wordIndex] ?? '';
  switch (action.type) {
    case 'character':
      return run.typed.length < word.length + longestExcess ? 'keystroke' : undefined;
    case 'advance':
      return run.typed.length > 0 || run.startedAt !== undefined ? 'space' : undefined;
    default:
      return run.typed.length > 0 ? 'backspace' : undefined;
  }
}

/** The server knows single backspaces only. */
function deleteWord(run: Run, action: PressAction): Run {
  let emptied = run;
  while (emptied.typed.length > 0) {
    const shorter = press(emptied, action, 'backspace');
    if (shorter === emptied) break;
    emptied = shorter;
  }
  return emptied;
}

/**
 * Adds one input and moves the run's clock. The interval is the difference of two whole-ms stamps, so that
 * rounding errors do not add up over a round.
 */
function press(run: Run, action: PressAction, type: Input['type'] | undefined): Run {
  if (type === undefined || run.inputs.length >= mostInputs) return run;
  const char = action.type === 'character' ? action.char : '';
  const elapsed = run.lastKey === undefined ? 0 : Math.max(0, action.time - run.lastKey);
  const startsTimer = type === 'keystroke' && wouldStartTimer(run, char);
  const input: Input = {
    seq: run.inputs.length + 1,
    type,
    char,
    seek: type === 'backspace' ? 0 : toSeek(run, action),
    at: startsTimer ? 0 : run.active + elapsed,
    unix: Math.round(action.unix),
  };
  return {
    ...addInput(run, input),
    lastKey: action.time,
    isPaused: false,
    quality: type === 'backspace' ? run.quality : noteQuality(run.quality, action),
  };
}

/** One hour, the longest interval that the server takes. */
const longestSeek = 3_600_000;

function toSeek(run: Run, { measured, time }: Press): number {
  if (!measured || run.lastKey === undefined) return 0;
  return Math.min(longestSeek, Math.max(0, Math.round(time) - Math.round(run.lastKey)));
}

function noteQuality(quality: TimingQuality, { measured, together, repeat }: Press): TimingQuality {
  if (measured && !together && !repeat) return quality;
  return {
    ...quality,
    unmeasured: quality.unmeasured + (measured ? 0 : 1),
    together: quality.together + (together ? 1 : 0),
    repeats: quality.repeats + (repeat ? 1 : 0),
  };
}

/** The clock stands until the next key. A run that has not begun has nothing to pause. */
function pause(run: Run, time: number): Run {
  if (run.isPaused || !isUnderWay(run)) return run;
  const active = run.active + Math.max(0, time - (run.lastKey ?? time));
  return { ...run, active, lastKey: undefined, isPaused: true };
}

function noteStall(run: Run, duration: number): Run {
  if (run.isPaused || duration <= run.quality.largestStall) return run;
  return { ...run, quality: { ...run.quality, largestStall: duration } };
}
