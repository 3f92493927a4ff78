import type { InputEvent } from '../../src/contract/request-types.ts';
import type { Player } from './clients/player.ts';

/** What a server has acknowledged of one open session. Times are milliseconds since 1970. */
export interface SessionEntry {
  readonly id: string;
  readonly player: Player;
  words: readonly string[];
  /** When the round was acknowledged; 0 before the first. */
  roundAt: number;
  /** Everything to type in this round, numbered from 1. */
  events: readonly InputEvent[];
  /** The highest number that has been sent. */
  sent: number;
  /** The highest numbers acknowledged, with the time of each acknowledgement. */
  acknowledged: { readonly seq: number; readonly at: number }[];
  /** The timing of this round, once it was sent. */
  duration: number | undefined;
  /** The durations of rounds that are timed and not yet known to be saved. */
  unsaved: number[];
  /** What was asked last and is not answered yet. */
  pending: string | undefined;
}

/** A round whose timing was sent. */
export interface FinishedEntry {
  timedAt: number | undefined;
  savedAt: number | undefined;
}

/** Everything that typists have been promised. */
export interface Ledger {
  readonly sessions: Map<string, SessionEntry>;
  /** By duration, which is the name of a round: no two have the same. */
  readonly finished: Map<number, FinishedEntry>;
  readonly nextDuration: () => number;
}

export function newLedger(): Ledger {
  let next = 60_000;
  return { sessions: new Map(), finished: new Map(), nextDuration: () => next++ };
}
