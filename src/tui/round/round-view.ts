import { newRound, type Round, reduceRound } from '../../typing/round.ts';
import { newInput } from '../../typing/round-input.ts';
import { backspaceKey, spaceKey } from '../../typing/rules/rules.ts';
import type { KeyReport } from '../../typing/rules/step.ts';
import { wordsOf } from '../../typing/rules/word.ts';
import { type FinishedRound, replayRound, type Timing } from '../../typing/statistics/finished-round.ts';
import { maxSeekTime } from '../../typing/statistics/key-tally.ts';
import { type EndReason, endReasonOf, type RoundSetup, type RoundStart } from './round-setup.ts';

/** A round as its typist sees it: the engine's round with a clock, limits and what is drawn. Immutable. */
export interface RoundView extends Round {
  /** What it practises, with what the engine does not need to know. */
  readonly roundSetup: RoundSetup;
  /** What was typed for each word before the current one. */
  readonly typedBefore: readonly (readonly string[])[];
  /** Every input so far, as it is kept on disk. */
  readonly log: readonly TypedInput[];
  /**
   * Active ms as of the latest key: the time since the timer started, without pauses. Until then it counts
   * from the first key, so that a round whose first letter was never right has a duration too; in a timed
   * round from the first right key.
   */
  readonly active: number;
  /** Monotonic ms of the latest key; undefined if there is nothing to measure the next interval from. */
  readonly lastKey: number | undefined;
  /** Its time is over, even in the middle of a word. */
  readonly isOver: boolean;
  /** The limit that ended it before its last word. */
  readonly ended: EndReason | undefined;
  /** A wrong key that a rule has just kept out of the word; undefined after any other. */
  readonly refused: string | undefined;
}

export function newRoundView({ id, words, rules, punctuation, roundSetup }: RoundStart): RoundView {
  const { mode, language, layout, lineEnds } = roundSetup;
  const withoutText = mode.type === 'text' ? { ...mode, text: '' } : mode;
  const practice = { mode: withoutText, language, layout, rules, punctuation };
  return {
    ...newRound(id, wordsOf(words), practice, lineEnds),
    roundSetup,
    typedBefore: [],
    log: [],
    active: 0,
    lastKey: undefined,
    isOver: false,
    ended: undefined,
    refused: undefined,
  };
}

/** One accepted input, as it is kept on disk. */
export interface TypedInput {
  /** A character, `spaceKey` or `backspaceKey`. */
  readonly key: string;
  /** Whole ms since the key before; 0: not measured. */
  readonly ms: number;
  /** Active ms of the round. */
  readonly at: number;
  readonly unix: number;
}

/** The round with one more input; the very same object if the engine refuses it. */
function addInput(round: RoundView, input: TypedInput): RoundView {
  const { key, ms } = input;
  const reduced = reduceRound(round, newInput(key, ms));
  if ('problem' in reduced) return round;
  const { result } = reduced;
  const next = reduced.round;
  const at = next.progress.timerStarted === round.progress.timerStarted ? input.at : 0;
  const isAdvance = next.progress.wordIndex > round.progress.wordIndex;
  const isCharacter = 'is_correct' in result || ('advanced' in result && result.treated_as_error);
  const isRefused = isCharacter && next.progress.input.length === round.progress.input.length;
  return {
    ...round,
    ...next,
    typedBefore: isAdvance ? [...round.typedBefore, round.progress.input] : round.typedBefore,
    log: [...round.log, { ...input, at }],
    active: at,
    refused: isRefused ? key : undefined,
    ended: endReasonOf(round.roundSetup.limits, next.score, at),
  };
}

/** A round as its inputs left it, paused: there is no time to measure its next interval from. */
export function restoredRound(start: RoundStart, inputs: readonly TypedInput[]): RoundView {
  return inputs.reduce(addInput, newRoundView(start));
}

/** The moment of a key, and whether it is reliable. */
export interface Press {
  /** Monotonic ms, and the same moment in Unix ms. */
  readonly time: number;
  readonly unix: number;
  readonly measured: boolean;
}

/**
 * The round after a key: a character, `spaceKey` to leave the word, or `backspaceKey`; the very same object if
 * the key changes nothing.
 */
export function typeKey(round: RoundView, key: string, at: Press): RoundView {
  if (key === backspaceKey) return canDelete(round) ? press(round, key, at) : round;
  if (isDone(round)) return round;
  if (key !== spaceKey) return endWithLastLetter(round, press(round, key, at));
  const { input, timerStarted } = round.progress;
  return input.length > 0 || timerStarted ? press(round, key, at) : round;
}

function canDelete(round: RoundView): boolean {
  const { progress, practice } = round;
  return !isDone(round) && progress.input.length > 0 && practice.rules.backspace !== 'none';
}

/** The engine knows single backspaces only. */
export function deleteWord(round: RoundView, at: Press): RoundView {
  let [before, shorter] = [round, typeKey(round, backspaceKey, at)];
  while (shorter !== before) [before, shorter] = [shorter, typeKey(shorter, backspaceKey, at)];
  return shorter;
}

/** Adds one input and moves the clock. Intervals are between whole-ms stamps, so errors do not add up. */
function press(before: RoundView, key: string, at: Press): RoundView {
  const { time, unix } = at;
  // The timer that pauses an idle round may be late: after the computer slept, the key comes first.
  const round = isIdle(before, time) ? pausedRound(before, time) : before;
  const next = addInput(round, {
    key,
    ms: key === backspaceKey ? 0 : seekTime(round, at),
    at: elapsed(round, time),
    unix: Math.round(unix),
  });
  return next === round ? before : { ...next, lastKey: time };
}

/** One hour, the longest interval that a server accepts. */
const maxInterval = 3_600_000;

function seekTime(round: RoundView, { measured, time }: Press): number {
  if (round.lastKey === undefined) return 0;
  const interval = Math.min(maxInterval, Math.max(0, Math.round(time) - Math.round(round.lastKey)));
  // A pause counts for no letter, and the curve of the speed needs it also if the computer was late.
  return measured || interval >= maxSeekTime ? interval : 0;
}

/**
 * A round ends with its last letter: a typist who waits for something to happen, instead of typing a space
 * before no word, would be timed for it. The space is added without a time. If the last word has a mistake,
 * the typist decides whether to correct it.
 */
function endWithLastLetter(before: RoundView, round: RoundView): RoundView {
  if (round === before || !isLastWordTyped(round) || round.progress.wrong > 0) return round;
  return addInput(round, { key: spaceKey, ms: 0, at: round.active, unix: round.log.at(-1)?.unix ?? 0 });
}

/** Paused until the next key. A round that has not begun has nothing to pause. */
export function pausedRound(round: RoundView, time: number): RoundView {
  if (round.lastKey === undefined || isDone(round)) return round;
  return { ...round, active: elapsed(round, time), lastKey: undefined };
}

/** Until the next key, its clock stands still. */
export function isPaused({ inputCount, lastKey }: RoundView): boolean {
  return inputCount > 0 && lastKey === undefined;
}

/** Nothing more is typed: the last word is done, the time is over, or a limit has ended it. */
export function isDone({ isOver, ended, progress, words }: RoundView): boolean {
  return isOver || ended !== undefined || progress.wordIndex >= words.length;
}

/** Started and not done: leaving now would lose input. */
export function isUnderWay(round: RoundView): boolean {
  return round.inputCount > 0 && !isDone(round);
}

/** The last word is typed to its end, right or wrong, and not left yet. */
export function isLastWordTyped(round: RoundView): boolean {
  const { words, progress } = round;
  const last = words.length - 1;
  return !isDone(round) && progress.wordIndex === last && progress.input.length >= (words[last]?.length ?? 0);
}

/** Active ms after which a timed round ends; undefined for one that ends with its last word. */
export function timeLimit({ roundSetup: { mode } }: Pick<RoundView, 'roundSetup'>): number | undefined {
  return mode.type === 'time' ? mode.seconds * 1000 : undefined;
}

/**
 * Whether the countdown of a timed round still waits, because a key hit by mistake must not start it. The
 * first right letter of the first word starts it, and so does leaving that word: then somebody is typing,
 * even if nothing is right.
 */
function isCountdownWaiting(round: RoundView): boolean {
  const { progress, score } = round;
  const isBegun = progress.timerStarted || score.correctKeys > 0 || progress.wordIndex > 0;
  return timeLimit(round) !== undefined && !isBegun;
}

/** Ms without a key after which a round is idle. */
const idleAfter = 20_000;

/** Whether the round is paused as of its last key because nobody types; a timed round never is. */
export function isIdle(round: RoundView, time: number): boolean {
  const { lastKey } = round;
  return lastKey !== undefined && timeLimit(round) === undefined && time - lastKey >= idleAfter;
}

/** Active ms at `time` (monotonic ms); the clock of a round that is paused, waits or is idle stands still. */
export function elapsed(round: RoundView, time: number): number {
  return round.lastKey === undefined || isCountdownWaiting(round) || isIdle(round, time)
    ? round.active
    : round.active + Math.max(0, time - round.lastKey);
}

/** Ms between two steps of the pace caret; more often would cost time for no benefit. */
const paceStep = 200;

/**
 * Ms until the screen changes by time alone: another second of a timed round, or its end, a step of the pace,
 * or the pause of a round in which nobody types. Undefined while nothing moves.
 */
export function nextTick(round: RoundView, time: number, hasPace = false): number | undefined {
  if (!isUnderWay(round) || isPaused(round) || isCountdownWaiting(round)) return undefined;
  const limit = timeLimit(round);
  const active = elapsed(round, time);
  const step = hasPace ? paceStep : limit === undefined ? Number.POSITIVE_INFINITY : 1000;
  const rest = limit === undefined ? (round.lastKey ?? 0) + idleAfter - time : limit - active;
  return Math.max(0, Math.min(step - (active % step), rest));
}

export function isTimeUp(round: RoundView, time: number): boolean {
  const limit = timeLimit(round);
  return limit !== undefined && isUnderWay(round) && elapsed(round, time) >= limit;
}

/** The round as it was when its time was over, even in the middle of a word. */
export function endedByTime(round: RoundView): RoundView {
  return { ...round, active: timeLimit(round) ?? round.active, isOver: true };
}

/** 24 hours, the longest round that a server accepts. */
const maxDuration = 86_400_000;

/** Unix ms at which the time began to count: of the latest key before the timer ran, or that started it. */
export function roundStart({ log }: RoundView): number {
  return log.findLast(({ at }) => at === 0)?.unix ?? 0;
}

/** When the round was typed; the duration is the active time in whole ms. */
export function timingOf(round: RoundView): Timing {
  const start = roundStart(round);
  const duration = Math.min(Math.max(1, Math.round(round.active)), maxDuration);
  const end = Math.max(round.isOver ? start + duration : start, round.log.at(-1)?.unix ?? start);
  return { start, end, duration };
}

/** What each input of a round did, oldest first. */
export function reportsOf(round: RoundView): KeyReport[] {
  const reports: KeyReport[] = [];
  replayRound(finishedOf(round), (report) => reports.push(report));
  return reports;
}

/** The round as its statistics see it. */
export function finishedOf(round: RoundView): FinishedRound {
  const { id, words, practice, log } = round;
  const keys = log.map(({ key }) => key);
  const seekTimes = log.map(({ ms }) => ms);
  return { id, words, rules: practice.rules, keys, seekTimes, timing: timingOf(round) };
}
