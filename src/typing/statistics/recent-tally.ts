/** Rounds after which what was typed weighs half as much in the choice of words. */
const halfLife = 20;

/** What happened to one letter lately: sums in which each later round halves an earlier one a little. Plain JSON. */
export interface RecentTally {
  presented: number;
  correct: number;
  ms: number;
  count: number;
  /** Rounds of the chapter when these sums were as they are. */
  at: number;
}

/** What is left in a round of the weight that an earlier one had, 0 to 1. Both are counted in rounds of their chapter. */
export function shareLeft(earlier: number, round: number): number {
  return 2 ** ((earlier - round) / halfLife);
}

/** What was typed before a round weighs less in it. */
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
