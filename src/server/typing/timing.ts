import type { FinishedRound } from './finished-round.ts';
import type { History } from './history.ts';
import { type Problem, toProblem } from './problem.ts';
import { isComplete } from './progress.ts';
import { type NewBests, type Round, readInputs, type Timing } from './round.ts';
import { toPercent, toWpm } from './speed.ts';

export interface TimedRound {
  readonly round: Round;
  /** The round for the history; missing when the same timing had arrived before. */
  readonly finished?: FinishedRound;
}

/**
 * Finishes a complete round with its timing. Sent again with the same values, it gives the round back as it is.
 *
 * @param history everything finished before this round: bests are told against it
 */
export function timeRound(round: Round, timing: Timing, history: History): TimedRound | { problem: Problem } {
  if (!isComplete(round.words, round.progress)) {
    return toProblem('INVALID_REQUEST', 'The round is not complete: its timing comes after its last word.');
  }
  if (timing.end < timing.start) {
    return toProblem('INVALID_REQUEST', 'end_time_unix_ms must not lie before start_time_unix_ms.');
  }
  if (round.timing !== undefined) {
    return isSameTiming(round.timing, timing)
      ? { round }
      : toProblem('INVALID_REQUEST', 'This round already has its timing, with other values.');
  }
  const { id, words } = round;
  const inputs = readInputs(round);
  return {
    round: { ...round, timing, newBests: compare(round, timing, history) },
    finished: {
      id,
      words,
      keys: inputs.map(({ key }) => key),
      seekTimes: inputs.map(({ ms }) => ms),
      timing,
    },
  };
}

function isSameTiming(a: Timing, b: Timing): boolean {
  return a.start === b.start && a.end === b.end && a.duration === b.duration;
}

/** A first round is best in everything; the best time is the shortest. */
function compare({ progress }: Round, { duration }: Timing, history: History): NewBests {
  const isFirst = history.rounds === 0;
  const { correctKeys, totalKeys } = progress;
  return {
    wpm: isFirst || toWpm(correctKeys, duration) > history.bestWpm,
    accuracy: isFirst || toPercent(correctKeys, totalKeys) > history.bestAccuracy,
    time: isFirst || duration < history.bestMs,
  };
}
