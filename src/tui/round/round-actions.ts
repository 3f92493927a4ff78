import { maxInputs } from '../../typing/round.ts';
import { longestExcess } from '../../typing/rules/step.ts';
import type { TimingQuality } from '../input/key-timing.ts';
import {
  addInput,
  type Input,
  isComplete,
  isLastWordTyped,
  isUnderWay,
  type LocalRound,
  wouldStartTimer,
} from './round.ts';
import { isIdle, toElapsed } from './time-limit.ts';

/** The moment of a key and how far it can be believed. */
export interface Press {
  /** Monotonic ms, and the same moment in Unix ms. */
  readonly time: number;
  readonly unix: number;
  readonly measured: boolean;
  readonly repeat: boolean;
  /** Whether it arrived in one reading with others. */
  readonly together: boolean;
  /** Whether the key before was still down; undefined where nobody can tell. */
  readonly rolled?: boolean | undefined;
}

export type RoundAction =
  | ({ readonly type: 'character'; readonly char: string } & Press)
  | ({ readonly type: 'advance' | 'backspace' | 'delete-word' } & Press)
  | { readonly type: 'pause'; readonly time: number }
  | { readonly type: 'paste' }
  | { readonly type: 'stall'; readonly duration: number };

type PressAction = Extract<RoundAction, Press>;

/** The round after `action`; the very same object when the action changes nothing. */
export function reduceLocalRound(round: LocalRound, action: RoundAction): LocalRound {
  if (isComplete(round)) return round;
  switch (action.type) {
    case 'pause':
      return pause(round, action.time);
    case 'paste':
      return { ...round, quality: { ...round.quality, pastes: round.quality.pastes + 1 } };
    case 'stall':
      return noteStall(round, action.duration);
    case 'delete-word':
      return deleteWord(round, action);
    case 'character':
      return endWithLastLetter(round, press(round, action, toInputType(round, action)));
    default:
      return press(round, action, toInputType(round, action));
  }
}

/** What a key is to the server; undefined when it is nothing at all. */
function toInputType(round: LocalRound, action: PressAction): Input['type'] | undefined {
  const word = round.targets[round.wordIndex] ?? '';
  switch (action.type) {
    case 'character':
      return round.typed.length < word.length + longestExcess ? 'keystroke' : undefined;
    case 'advance':
      return round.typed.length > 0 || round.startedAt !== undefined ? 'space' : undefined;
    default:
      return round.typed.length > 0 && round.rules.backspace !== 'none' ? 'backspace' : undefined;
  }
}

/** The server knows single backspaces only. */
function deleteWord(round: LocalRound, action: PressAction): LocalRound {
  let emptied = round;
  while (emptied.typed.length > 0) {
    const shorter = press(emptied, action, toInputType(emptied, action));
    if (shorter === emptied) break;
    emptied = shorter;
  }
  return emptied;
}

/**
 * Adds one input and moves the round's clock. The interval is the difference of two whole-ms stamps, so that
 * rounding errors do not add up over a round.
 */
function press(before: LocalRound, action: PressAction, type: Input['type'] | undefined): LocalRound {
  if (type === undefined || before.inputs.length >= maxInputs(before.targets)) return before;
  // The clock that pauses an idle round may come late: a computer that slept has the key first.
  const round = isIdle(before, action.time) ? pause(before, action.time) : before;
  const char = action.type === 'character' ? action.char : '';
  const startsTimer = type === 'keystroke' && wouldStartTimer(round, char);
  const input: Input = {
    seq: round.inputs.length + 1,
    type,
    char,
    seek: type === 'backspace' ? 0 : toSeek(round, action),
    at: startsTimer ? 0 : toElapsed(round, action.time),
    unix: Math.round(action.unix),
  };
  return {
    ...addInput(round, input),
    lastKey: action.time,
    isPaused: false,
    quality: type === 'backspace' ? round.quality : noteQuality(round.quality, action),
  };
}

/**
 * A round ends with its last letter: there is no word to begin after a space, and a typist who waits for something to happen would
 * be timed for it. The server gets the space all the same, without a time of its own. Where the last word has a mistake in it, the
 * typist decides whether to correct it.
 */
function endWithLastLetter(before: LocalRound, round: LocalRound): LocalRound {
  const last = round.inputs.at(-1);
  const isEnd = round !== before && isLastWordTyped(round) && round.progress.wrong === 0;
  if (last === undefined || !isEnd) return round;
  return addInput(round, { ...last, seq: last.seq + 1, type: 'space', char: '', seek: 0 });
}

/** One hour, the longest interval that the server takes. */
const longestSeek = 3_600_000;

function toSeek(round: LocalRound, { measured, time }: Press): number {
  if (!measured || round.lastKey === undefined) return 0;
  return Math.min(longestSeek, Math.max(0, Math.round(time) - Math.round(round.lastKey)));
}

function noteQuality(quality: TimingQuality, { measured, together, repeat, rolled }: Press): TimingQuality {
  if (measured && !together && !repeat && rolled === undefined) return quality;
  return {
    ...quality,
    unmeasured: quality.unmeasured + (measured ? 0 : 1),
    together: quality.together + (together ? 1 : 0),
    repeats: quality.repeats + (repeat ? 1 : 0),
    watched: quality.watched + (rolled === undefined ? 0 : 1),
    rolled: quality.rolled + (rolled === true ? 1 : 0),
  };
}

/** The timer is paused until the next key. A round that has not begun has nothing to pause. */
function pause(round: LocalRound, time: number): LocalRound {
  if (round.isPaused || !isUnderWay(round)) return round;
  return { ...round, active: toElapsed(round, time), lastKey: undefined, isPaused: true };
}

function noteStall(round: LocalRound, duration: number): LocalRound {
  if (round.isPaused || duration <= round.quality.largestStall) return round;
  return { ...round, quality: { ...round.quality, largestStall: duration } };
}
