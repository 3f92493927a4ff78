import type { Practice } from '../../typing/modes/practice.ts';
import type { Round } from '../../typing/round.ts';
import { type Asking, askingLocally, type PlayerId } from './player.ts';
import type { UnsavedRound } from './unsaved-rounds.ts';

/** One typist's session. Plain JSON, so that any store can keep it. */
export interface Session {
  readonly id: string;
  readonly player: PlayerId;
  /** The client that opened it, see `Asking`. */
  readonly client: string;
  readonly block?: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly practice: Practice;
  /** Rounds started so far: with a fixed seed, it determines the words of the next one. */
  readonly roundCount: number;
  /** The latest round, running or complete; null before the first. */
  readonly round: Round | null;
  /** Finished rounds that are not saved yet, oldest first. */
  readonly unsaved: readonly UnsavedRound[];
}

export function newSession(
  id: string,
  practice: Practice,
  now: number,
  { player, client, block }: Asking = askingLocally,
): Session {
  const opener = { player, client, ...(block !== undefined && { block }) };
  return { id, ...opener, createdAt: now, practice, roundCount: 0, round: null, unsaved: [] };
}
