import type { FinishedRound } from './finished-round.ts';
import { addKeys, copyKeyTally, type KeyTally, newKeyTally } from './key-tally.ts';
import { toPercent, toWpm } from './speed.ts';

/**
 * All finished rounds, folded into sums: adding a round costs the same however many there are, and so does reading.
 * Plain JSON.
 */
export interface History {
  readonly rounds: number;
  readonly bestWpm: number;
  /** Percent. */
  readonly bestAccuracy: number;
  /** Duration of the shortest round in milliseconds; 0 without rounds. */
  readonly bestMs: number;
  readonly sumWpm: number;
  readonly sumAccuracy: number;
  readonly sumMs: number;
  readonly keys: Readonly<KeyTally>;
}

export function newHistory(): History {
  return {
    rounds: 0,
    bestWpm: 0,
    bestAccuracy: 0,
    bestMs: 0,
    sumWpm: 0,
    sumAccuracy: 0,
    sumMs: 0,
    keys: newKeyTally(),
  };
}

/** The history with these rounds added; the one given stays as it is. Many at once cost one copy of the sums. */
export function foldRounds(history: History, rounds: Iterable<FinishedRound>): History {
  const keys = copyKeyTally(history.keys);
  let sums: Omit<History, 'keys'> = history;
  for (const round of rounds) {
    const { totalKeys, correctKeys } = addKeys(keys, round);
    const { duration } = round.timing;
    const wpm = toWpm(correctKeys, duration);
    const accuracy = toPercent(correctKeys, totalKeys);
    sums = {
      rounds: sums.rounds + 1,
      bestWpm: Math.max(sums.bestWpm, wpm),
      bestAccuracy: Math.max(sums.bestAccuracy, accuracy),
      bestMs: sums.rounds === 0 ? duration : Math.min(sums.bestMs, duration),
      sumWpm: sums.sumWpm + wpm,
      sumAccuracy: sums.sumAccuracy + accuracy,
      sumMs: sums.sumMs + duration,
    };
  }
  return { ...sums, keys };
}
