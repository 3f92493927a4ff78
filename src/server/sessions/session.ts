import type { Round } from '../typing/round.ts';
import type { JournalRound } from './journal-line.ts';

/** One typist's session. Plain JSON, so that it can live in any store. */
export interface Session {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly punctuation: boolean;
  /** Rounds started so far: with a fixed seed it decides the words of the next one. */
  readonly roundCount: number;
  /** The latest round, running or complete; null before the first. */
  readonly round: Round | null;
  /** Finished rounds that are not in the journal yet, oldest first. */
  readonly unsaved: readonly JournalRound[];
}

export function newSession(id: string, punctuation: boolean, now: number): Session {
  return { id, createdAt: now, punctuation, roundCount: 0, round: null, unsaved: [] };
}
