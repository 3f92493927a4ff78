import type { Run } from './run.ts';

/** Words per minute, a word being five characters; 0 while no time has passed. */
export function toWpm(correct: number, ms: number): number {
  return ms > 0 ? correct / 5 / (ms / 60_000) : 0;
}

/** Right keystrokes in percent of all; 100 before the first, since nothing was wrong yet. */
function toAccuracy(correct: number, total: number): number {
  return total > 0 ? (correct / total) * 100 : 100;
}

/** The first keys are too few to tell a speed from. */
const firstHonestMs = 1500;

/** Speed as of the last key, or undefined while it is too early to tell. */
export function liveWpm(run: Run): number | undefined {
  if (run.startedAt === undefined || run.active < firstHonestMs) return undefined;
  return toWpm(run.correct, run.active);
}

/** What the client itself can say of a finished run; the server says the same when it has all inputs. */
export interface Score {
  readonly wpm: number;
  /** Percent. */
  readonly accuracy: number;
  readonly seconds: number;
  readonly correct: number;
  readonly total: number;
}

export function toScore(run: Run): Score {
  const ms = Math.max(1, Math.round(run.active));
  return {
    wpm: toWpm(run.correct, ms),
    accuracy: toAccuracy(run.correct, run.total),
    seconds: ms / 1000,
    correct: run.correct,
    total: run.total,
  };
}
