import type { Practice } from '../../typing/modes/practice.ts';
import type { Round } from '../../typing/round.ts';
import { type Asking, askingLocally, type PlayerId } from './player.ts';
import type { UnsavedRound } from './unsaved-rounds.ts';

/** One typist's session. Plain JSON, so that it can live in any store. */
export interface Session {
  readonly id: string;
  readonly player: PlayerId;
  /** See `Asking`: where it was opened from. */
  readonly client: string;
  readonly block?: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly practice: Practice;
  /** Rounds started so far: with a fixed seed it decides the words of the next one. */
  readonly roundCount: number;
  /** The latest round, running or complete; null before the first. */
  readonly round: Round | null;
  /** Finished rounds that are not kept yet, oldest first. */
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
