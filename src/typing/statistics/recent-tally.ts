/** Rounds after which keystrokes weigh half as much in the choice of words. */
const halfLife = 20;

/** What happened to one letter recently: sums in which rounds lose weight as they age. Plain JSON. */
export interface RecentTally {
  presented: number;
  correct: number;
  ms: number;
  count: number;
  /** The chapter's round count when these sums were last updated. */
  at: number;
}

/** The weight that an earlier round still has in a later one, 0 to 1. Both are round counts of the same chapter. */
export function shareLeft(earlier: number, round: number): number {
  return 2 ** ((earlier - round) / halfLife);
}

/** The tally with the weights that it has in a later round. */
export function asOf(tally: Readonly<RecentTally>, round: number): RecentTally {
  const share = shareLeft(tally.at, round);
  return {
    presented: tally.presented * share,
    correct: tally.correct * share,
    ms: tally.ms * share,
    count: tally.count * share,
    at: round,
  };
}

/** Measurements needed before a letter has a time of its own. */
const enoughTimes = 10;

/** Mean time in ms; null until there are enough measurements. */
export function meanTime({ ms, count }: Pick<RecentTally, 'ms' | 'count'>): number | null {
  return count >= enoughTimes ? ms / count : null;
}
