import { type Problem, toProblem } from './problem.ts';
import {
  backspaceKey,
  type InputResult,
  isComplete,
  noProgress,
  type Progress,
  type Step,
  spaceKey,
  step,
} from './progress.ts';
import { parseInputText, type RoundInput, toInputText } from './round-input.ts';

/** Bounds the memory of a round: a careful typist needs about 180 inputs. */
export const maxInputs = 5000;

/** When a round was typed, by the client's clock. Unix milliseconds, and milliseconds. */
export interface Timing {
  readonly start: number;
  readonly end: number;
  readonly duration: number;
}

/** Which of the bests in the history, as it was before the round, the round has beaten. */
export interface NewBests {
  readonly wpm: boolean;
  readonly accuracy: boolean;
  readonly time: boolean;
}

/** A round of words, running or complete. Plain JSON, so that it can be stored anywhere. */
export interface Round {
  readonly id: string;
  readonly words: readonly string[];
  readonly punctuation: boolean;
  readonly progress: Progress;
  /** Every input taken, in order, as `toInputText` writes them. With the words they determine everything else. */
  readonly inputs: string;
  readonly inputCount: number;
  /** The highest number of a numbered input; 0 before the first. */
  readonly lastSeq: number;
  readonly timing?: Timing;
  readonly newBests?: NewBests;
}

export interface Reduction<Result = InputResult> {
  readonly round: Round;
  readonly result: Result;
}

export function newRound(id: string, words: readonly string[], punctuation: boolean): Round {
  return { id, words, punctuation, progress: noProgress, inputs: '', inputCount: 0, lastSeq: 0 };
}

/** Takes one input. The round given is never changed; a repeated number gives it back as it is. */
export function reduceRound(round: Round, input: RoundInput): Reduction | { problem: Problem } {
  const { seq } = input;
  if (seq > 0 && seq <= round.lastSeq) return repeat(round, input);
  if (isComplete(round.words, round.progress)) {
    return toProblem('ROUND_NOT_STARTED', 'The round is complete: start the next one.');
  }
  const expected = round.lastSeq + 1;
  if (seq > expected) return toProblem('INVALID_REQUEST', `seq leaves a gap: ${expected} is expected next.`);
  if (round.inputCount >= maxInputs) {
    return toProblem('INVALID_REQUEST', `A round takes at most ${maxInputs} inputs: start another one.`);
  }
  const taken = step(round.words, round.progress, input.key, input.ms);
  if ('problem' in taken) return taken;
  return {
    // Written out, which is faster than a spread. A running round has no timing yet.
    round: {
      id: round.id,
      words: round.words,
      punctuation: round.punctuation,
      progress: taken.progress,
      inputs: round.inputs + toInputText(input),
      inputCount: round.inputCount + 1,
      lastSeq: seq > 0 ? seq : round.lastSeq,
    },
    result: taken.result,
  };
}

/** Takes a batch: every input in order, or none. `at` is the index of the refused one. */
export function reduceRoundBatch(
  round: Round,
  inputs: readonly RoundInput[],
): Reduction<InputResult[]> | { problem: Problem; at: number } {
  let current = round;
  const results: InputResult[] = [];
  for (const [at, input] of inputs.entries()) {
    const reduction = reduceRound(current, input);
    if ('problem' in reduction) return { ...reduction, at };
    current = reduction.round;
    results.push(reduction.result);
  }
  return { round: current, result: results };
}

/** The first answer again, found by replaying the round up to it: that is rare, and storing answers would cost memory. */
function repeat(round: Round, { seq, key }: RoundInput): Reduction | { problem: Problem } {
  const inputs = readInputs(round);
  const at = inputs.findIndex((input) => input.seq === seq);
  const original = inputs[at] as RoundInput;
  if (kindOf(original.key) !== kindOf(key)) {
    return toProblem('INVALID_REQUEST', `This seq was already used for a ${kindOf(original.key)}.`);
  }
  let last: Step | undefined;
  for (const input of inputs.slice(0, at + 1)) {
    last = step(round.words, last?.progress ?? noProgress, input.key, input.ms) as Step;
  }
  return { round, result: (last as Step).result };
}

/** The inputs of a round, in order. */
export function readInputs({ inputs }: Round): RoundInput[] {
  return parseInputText(inputs) ?? [];
}

function kindOf(key: string): 'keystroke' | 'backspace' | 'space' {
  if (key === backspaceKey) return 'backspace';
  return key === spaceKey ? 'space' : 'keystroke';
}
