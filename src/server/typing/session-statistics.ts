import type { Round } from './round.ts';
import { toPercent, toWpm } from './speed.ts';

export interface SessionStatistics {
  readonly wpm: number;
  readonly accuracy: number;
  readonly time_seconds: number;
  readonly correct_chars: number;
  readonly total_chars: number;
  readonly is_new_best_wpm: boolean;
  readonly is_new_best_accuracy: boolean;
  readonly is_new_best_time: boolean;
}

/** The statistics of one round. Before its timing is known, time is the sum of the seek times, and nothing is a best yet. */
export function toSessionStatistics({ progress, timing, newBests }: Round): SessionStatistics {
  const { correctKeys, totalKeys, elapsedMs } = progress;
  const ms = timing?.duration ?? elapsedMs;
  return {
    wpm: toWpm(correctKeys, ms),
    accuracy: toPercent(correctKeys, totalKeys),
    time_seconds: ms / 1000,
    correct_chars: correctKeys,
    total_chars: totalKeys,
    is_new_best_wpm: newBests?.wpm ?? false,
    is_new_best_accuracy: newBests?.accuracy ?? false,
    is_new_best_time: newBests?.time ?? false,
  };
}
