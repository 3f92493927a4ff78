import { modeName } from './modes/mode.ts';
import { type NewBests, type Round, typedKeys } from './round.ts';
import { isComplete } from './rules/progress.ts';
import { newProblem } from './rules/rules.ts';
import type { FinishedRound, Timing } from './statistics/finished-round.ts';
import { chaptersOf, type History, personalBests } from './statistics/history.ts';
import { judgedStatistics, percentage, verdictOf, wpmOf } from './statistics/score-statistics.ts';

/**
 * Finishes a round with its timing, and returns it with what to add to the history. A repetition with the same
 * values returns the round as it is, and undefined.
 *
 * @param history everything finished before this round, to compare with the personal bests
 */
export function timeRound(round: Round, timing: Timing, history: History) {
  if (timing.end < timing.start) {
    return newProblem('INVALID_REQUEST', 'end_time_unix_ms must not be before start_time_unix_ms.');
  }
  if (round.timing !== undefined) {
    return isSameTiming(round.timing, timing) ? { round, finished: undefined } : alreadyTimed;
  }
  const early = problemOfEnd(round, timing);
  if (early !== undefined) return newProblem('INVALID_REQUEST', early);
  const { id, practice } = round;
  const { language, layout } = practice;
  const mode = modeName(practice.mode);
  const verdict = verdictOf(round.score, timing.duration, practice.mode.type === 'drill');
  const newBests =
    verdict === null ? compare(round, timing, personalBests(chaptersOf(history, { mode }))) : noBests;
  const finished: FinishedRound = { id, ...typedKeys(round), timing, mode, language, layout };
  return { round: { ...round, timing, newBests }, finished };
}

export const alreadyTimed = newProblem(
  'INVALID_REQUEST',
  'This round already has its timing, with other values.',
);

/** A timed test ends within two seconds of its time, anywhere in its text; others after the last word. */
const timeTolerance = 2000;

function problemOfEnd({ words, progress, practice }: Round, { duration }: Timing): string | undefined {
  if (practice.mode.type === 'time') {
    const { seconds } = practice.mode;
    return Math.abs(duration - seconds * 1000) <= timeTolerance
      ? undefined
      : `duration_ms must be within 2 seconds of the ${seconds} seconds of this round.`;
  }
  if (isComplete(words, progress)) return undefined;
  return 'The round is not complete: its timing comes after its last word and the space after it.';
}

export function isSameTiming(a: Timing, b: Timing): boolean {
  return a.start === b.start && a.end === b.end && a.duration === b.duration;
}

const noBests: NewBests = { wpm: false, accuracy: false, time: false };

/** A first round beats everything; the best time is the shortest. */
function compare({ score }: Round, { duration }: Timing, best: ReturnType<typeof personalBests>): NewBests {
  const isFirst = best.rounds === 0;
  const { correctKeys, totalKeys } = score;
  return {
    wpm: isFirst || wpmOf(correctKeys, duration) > best.bestWpm,
    accuracy: isFirst || percentage(correctKeys, totalKeys) > best.bestAccuracy,
    time: isFirst || duration < best.bestMs,
  };
}

/**
 * The statistics of one round. Until its timing is known, its time is the sum of the seek times since the
 * timer started, and nothing is a personal best.
 */
export function roundStatistics({ score, practice, timing, newBests = noBests }: Round) {
  return {
    ...judgedStatistics(score, timing?.duration ?? score.elapsedMs, practice.mode.type === 'drill'),
    is_new_best_wpm: newBests.wpm,
    is_new_best_accuracy: newBests.accuracy,
    is_new_best_time: newBests.time,
  };
}
