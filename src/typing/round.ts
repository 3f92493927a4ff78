import { answerText, readAnswer } from './answers.ts';
import { defaultPractice, type Practice } from './modes/practice.ts';
import { formatInput, inputsIn, maxRoundInputs, parseInputText, type RoundInput } from './round-input.ts';
import {
  copyProgress,
  isComplete,
  newProgress,
  type Progress,
  type RunningProgress,
} from './rules/progress.ts';
import { newProblem, type Problem } from './rules/rules.ts';
import { type InputResult, step } from './rules/step.ts';
import type { Word } from './rules/word.ts';
import type { Timing, TypedKeys } from './statistics/finished-round.ts';
import { addToScore, copyScore, newScore, type RunningScore, type Score } from './statistics/score.ts';

/** Maximum number of inputs of a short round, and for each character of a longer one. */
const [minCap, inputsPerCharacter] = [1_000, 10];

/** Which personal bests, as they were before the round, the round has beaten. */
export interface NewBests {
  readonly wpm: boolean;
  readonly accuracy: boolean;
  readonly time: boolean;
}

export interface Reduction<Result = InputResult> {
  readonly round: Round;
  readonly result: Result;
}

/**
 * A round of words, running or complete. Plain JSON, so that it can be stored anywhere.
 *
 * @param practice default: `defaultPractice`
 */
export function newRound(
  id: string,
  words: readonly Word[],
  practice: Practice = defaultPractice,
  lineEnds?: readonly number[],
  indents?: readonly number[],
) {
  return {
    id,
    words,
    practice,
    /** Indices of the words that end a line; undefined if the text has no lines. */
    lineEnds,
    /** Columns that each of those lines begins with; undefined if the text has no lines. */
    indents,
    progress: newProgress() as Progress,
    score: newScore() as Score,
    /** Every accepted input, by `formatInput`. Words, practice and inputs determine everything else. */
    inputs: '',
    inputCount: 0,
    /** Bounds the memory of the round: more inputs are refused. */
    maxInputs: maxInputs(words),
    /** The answers to the numbered inputs, as in `answers.ts`. */
    answers: '',
    /** Number of the latest numbered input; 0 before the first. */
    lastSeq: 0,
    /** Both are undefined until the round is timed. */
    timing: undefined as Timing | undefined,
    newBests: undefined as NewBests | undefined,
  };
}
export type Round = Readonly<ReturnType<typeof newRound>>;

/** Applies one input without changing `round`. A repeated number gets the same round and first answer. */
export function reduceRound(round: Round, input: RoundInput): Reduction | { problem: Problem } {
  const problem = refusal(round, input);
  if (problem !== undefined) return problem;
  if (isRepeat(round, input)) return { round, result: readAnswer(round.answers, input.seq) };
  const next = copyRound(round);
  const applied = apply(next, input);
  return 'problem' in applied ? applied : { round: next, result: applied };
}

/** Applies a batch: all inputs in order, or none. `at` is the index of the refused one. */
export function reduceRoundBatch(
  round: Round,
  inputs: readonly RoundInput[],
): Reduction<InputResult[]> | { problem: Problem; at: number } {
  const next = copyRound(round);
  const results: InputResult[] = [];
  for (const [at, input] of inputs.entries()) {
    const problem = refusal(next, input);
    if (problem !== undefined) return { ...problem, at };
    const applied = isRepeat(next, input) ? readAnswer(next.answers, input.seq) : apply(next, input);
    if ('problem' in applied) return { ...applied, at };
    results.push(applied);
  }
  return { round: next.inputCount === round.inputCount ? round : next, result: results };
}

const isRepeat = ({ lastSeq }: Round, { seq }: RoundInput) => seq > 0 && seq <= lastSeq;

function refusal(round: Round, input: RoundInput): { problem: Problem } | undefined {
  if (input.round !== undefined && input.round !== round.id) {
    return newProblem('ROUND_CHANGED', 'This session is in another round: read its state.');
  }
  if (isRepeat(round, input)) return undefined;
  if (isComplete(round.words, round.progress) || round.timing !== undefined) {
    return newProblem('ROUND_NOT_STARTED', 'The round is complete: start the next one.');
  }
  const expected = round.lastSeq + 1;
  if (input.seq > expected)
    return newProblem('INVALID_REQUEST', `seq leaves a gap: ${expected} is expected next.`);
  if (round.inputCount < round.maxInputs) return undefined;
  return newProblem(
    'INVALID_REQUEST',
    `This round takes at most ${round.maxInputs} inputs: start another one.`,
  );
}

type RunningRound = ReturnType<typeof newRound> & {
  readonly progress: RunningProgress;
  readonly score: RunningScore;
};

/** Written out because that is faster than a spread, and it runs for every key. */
function copyRound(round: Round): RunningRound {
  return {
    id: round.id,
    words: round.words,
    practice: round.practice,
    lineEnds: round.lineEnds,
    indents: round.indents,
    progress: copyProgress(round.progress),
    score: copyScore(round.score),
    inputs: round.inputs,
    inputCount: round.inputCount,
    maxInputs: round.maxInputs,
    answers: round.answers,
    lastSeq: round.lastSeq,
    timing: round.timing,
    newBests: round.newBests,
  };
}

/** Applies the next input in place, unless the rules refuse it. */
function apply(round: RunningRound, input: RoundInput): InputResult | { problem: Problem } {
  const stepped = step(round.words, round.practice.rules, round.progress, input.key, input.ms);
  if ('problem' in stepped) return stepped;
  addToScore(round.score, stepped.report);
  round.inputs += formatInput(input);
  round.inputCount += 1;
  if (input.seq > 0) {
    round.answers += answerText(stepped.result);
    round.lastSeq = input.seq;
  }
  return stepped.result;
}

/**
 * Replays inputs that were accepted before, as `formatInput` writes them. Returns undefined if they cannot be
 * read, or the rules cannot have accepted one of them. The limit on their number does not apply.
 */
export function* replaySteps(round: Round, text: string): Generator<undefined, Round | undefined, undefined> {
  const next = copyRound(round);
  for (const input of inputsIn(text)) {
    yield;
    if (input === undefined || isComplete(next.words, next.progress)) return undefined;
    if (input.seq !== 0 && input.seq !== next.lastSeq + 1) return undefined;
    if ('problem' in apply(next, input)) return undefined;
  }
  return next;
}

/** What was typed so far, with the words that the typist has reached: a timed test has further ones. */
export function typedKeys({ words, practice, progress, inputs }: Round) {
  const typed = parseInputText(inputs) ?? [];
  return {
    words: words.slice(0, progress.wordIndex + 1),
    rules: practice.rules,
    keys: typed.map(({ key }) => key),
    seekTimes: typed.map(({ ms }) => ms),
  } satisfies TypedKeys;
}

function maxInputs(words: readonly Word[]): number {
  const characters = words.reduce((sum, word) => sum + word.length, 0);
  return Math.min(maxRoundInputs, Math.max(minCap, inputsPerCharacter * characters));
}
