/** Bounds of a player's rounds. */
export interface Retention {
  readonly rounds: number;
  readonly bytes: number;
  /** Milliseconds since 1970: rounds finished earlier are removed. */
  readonly since: number;
}

/** Limits per player: 10,000 rounds of thirty words take 15 MiB. */
const mostRounds = 10_000;
const mostRoundBytes = 24 * 1024 * 1024;

export const keepAll: Retention = {
  rounds: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
  since: Number.NEGATIVE_INFINITY,
};

/** Bounds for players other than the local one, whose rounds are kept for `keepRounds` milliseconds. */
export function retentionAt(now: number, keepRounds: number): Retention {
  return { rounds: mostRounds, bytes: mostRoundBytes, since: now - keepRounds };
}
