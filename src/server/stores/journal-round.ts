import type { FinishedRound } from '../../typing/statistics/finished-round.ts';
import type { PlayerId } from './player.ts';

/** A finished round as stored in the journal. */
export interface JournalRound extends FinishedRound {
  readonly session: string;
  readonly player: PlayerId;
  readonly punctuation: boolean;
  /** When the server received the round's timing, ISO 8601 UTC. */
  readonly completedAt: string;
}
