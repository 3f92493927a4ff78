import { backspaceKey, spaceKey } from '../../typing/rules/key.ts';
import { noProgress, type Progress } from '../../typing/rules/progress.ts';
import { defaultRules, type Rules } from '../../typing/rules/rules.ts';
import { type KeyReport, step } from '../../typing/rules/step.ts';
import { toWord, type Word } from '../../typing/rules/word.ts';
import { addToScore, copyScore, newScore, type Score } from '../../typing/statistics/score.ts';
import { perfectTiming, type TimingQuality } from '../input/key-timing.ts';
import { type EndReason, toEndReason } from './limits.ts';
import { type Practised, usualPractised } from './practised.ts';

/** One numbered input as it goes to the server, with what the client's own statistics need beside it. */
export interface Input {
  /** 1, 2, 3 … within the round. */
  readonly seq: number;
  readonly type: 'keystroke' | 'backspace' | 'space';
  /** The character of a keystroke; empty for the others. */
  readonly char: string;
  /** Whole ms since the key before; 0 means not measured. */
  readonly seek: number;
  /** Active ms of the round at this input (see `Round.active`). */
  readonly at: number;
  /** Unix ms. */
  readonly unix: number;
}

/** One round as the typist sees it: the local echo, never waiting for the server. */
export interface LocalRound {
  readonly words: readonly string[];
  /** The words as the rules know them, character by character. */
  readonly targets: readonly Word[];
  readonly rules: Rules;
  readonly practised: Practised;
  /** How far the rules say that the typist has come. */
  readonly progress: Progress;
  /** Index of the current word; `words.length` when the round is complete. */
  readonly wordIndex: number;
  /** What is typed of the current word, one entry per keystroke; a space counted as an error is ' '. */
  readonly typed: readonly string[];
  /** What was typed for each word already left. */
  readonly left: readonly (readonly string[])[];
  /** Everything that goes to the server, oldest first. With the words it determines all of the above. */
  readonly inputs: readonly Input[];
  /** Unix ms of the first right letter; undefined until the timer runs. */
  readonly startedAt: number | undefined;
  /**
   * Active ms as of the last key: the time since the timer started, without pauses. Until then it counts
   * from the first key, so that a round whose first letter was never right has an honest duration too; in a timed
   * round from the first right key (see `toElapsed`).
   */
  readonly active: number;
  /** Monotonic ms of the last key; undefined when there is nothing to measure the next interval from. */
  readonly lastKey: number | undefined;
  readonly isPaused: boolean;
  /** Whether its time is over, at whatever point. */
  readonly isOver: boolean;
  /** The limit that ended it before its text did; undefined while none has. */
  readonly ended: EndReason | undefined;
  /** A wrong key that a rule has just kept out of the word; undefined after any other. */
  readonly refused: string | undefined;
  /** What the keys so far add up to. */
  readonly score: Score;
  readonly quality: TimingQuality;
}

export function newLocalRound(
  words: readonly string[],
  rules: Rules = defaultRules,
  practised: Practised = usualPractised,
): LocalRound {
  return {
    words,
    targets: words.map(toWord),
    rules,
    practised,
    progress: noProgress,
    wordIndex: 0,
    typed: [],
    left: [],
    inputs: [],
    startedAt: undefined,
    active: 0,
    lastKey: undefined,
    isPaused: false,
    isOver: false,
    ended: undefined,
    refused: undefined,
    score: newScore(),
    quality: perfectTiming,
  };
}

export function isComplete(round: LocalRound): boolean {
  return round.isOver || round.ended !== undefined || round.wordIndex >= round.words.length;
}

/** Whether the typist has begun and not finished: leaving now would throw something away. */
export function isUnderWay(round: LocalRound): boolean {
  return round.inputs.length > 0 && !isComplete(round);
}

/** Whether the last word is typed to its end, right or wrong, and not left yet. */
export function isLastWordTyped(round: LocalRound): boolean {
  const last = round.targets.length - 1;
  return (
    !isComplete(round) && round.wordIndex === last && round.typed.length >= (round.targets[last]?.length ?? 0)
  );
}

/** Whether this character, typed next, would start the timer. */
export function wouldStartTimer(round: LocalRound, char: string): boolean {
  const isFirstLetter = round.wordIndex === 0 && round.typed.length === 0;
  return round.startedAt === undefined && isFirstLetter && char === round.targets[0]?.[0];
}

/** The round with one more input that the rules allow. */
export function addInput(round: LocalRound, input: Input): LocalRound {
  const next = { ...round, inputs: [...round.inputs, input], active: input.at };
  const progress = { ...round.progress };
  const taken = step(round.targets, round.rules, progress, toKey(input), input.seek);
  if ('problem' in taken) return next;
  const { report } = taken;
  const score = copyScore(round.score);
  addToScore(score, report);
  const taking: LocalRound = {
    ...next,
    progress,
    wordIndex: progress.wordIndex,
    typed: toTyped(round.typed, report),
    left: report.kind === 'advance' ? [...round.left, round.typed] : round.left,
    startedAt: report.startsTimer ? input.unix : round.startedAt,
    refused: report.kind === 'character' && !report.isKept ? report.key : undefined,
    score,
  };
  return { ...taking, ended: toEndReason(round.practised.limits, score, input.at) };
}

/** An input as the rules know it. */
export function toKey({ type, char }: Pick<Input, 'type' | 'char'>): string {
  if (type === 'keystroke') return char;
  return type === 'space' ? spaceKey : backspaceKey;
}

function toTyped(typed: readonly string[], { kind, key, isKept }: KeyReport): readonly string[] {
  if (kind === 'advance') return [];
  if (kind === 'deletion') return typed.slice(0, -1);
  return kind === 'character' && isKept ? [...typed, key] : typed;
}

/** A round as its inputs left it, paused: its next interval has nothing to be measured from. */
export function restoreRound(
  words: readonly string[],
  inputs: readonly Input[],
  rules?: Rules,
  practised?: Practised,
): LocalRound {
  return { ...inputs.reduce(addInput, newLocalRound(words, rules, practised)), isPaused: inputs.length > 0 };
}

/** 24 hours, the longest round that the server takes. */
const longestRound = 86_400_000;

/** What the server is told when the round is complete: Unix ms, and the active time in whole ms. */
export function toTiming(round: LocalRound): {
  start_time_unix_ms: number;
  end_time_unix_ms: number;
  duration_ms: number;
} {
  const start =
    round.startedAt ?? round.inputs.findLast(({ at }) => at === 0)?.unix ?? round.inputs[0]?.unix ?? 0;
  const duration = Math.min(Math.max(1, Math.round(round.active)), longestRound);
  const end = round.isOver ? start + duration : start;
  return {
    start_time_unix_ms: start,
    end_time_unix_ms: Math.max(end, round.inputs.at(-1)?.unix ?? start),
    duration_ms: duration,
  };
}
