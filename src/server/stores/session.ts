import { createHash, randomUUID } from 'node:crypto';
import { defaultPractice, type Practice } from '../../typing/modes/practice.ts';
import type { Round } from '../../typing/round.ts';
import { type Caller, localCaller, type PlayerId } from './player.ts';

/** What all rounds of a session have in common. */
export interface Setup {
  readonly practice: Practice;
  /** What they are typed with, if the client says so. */
  readonly clientName: string | undefined;
}

export const defaultSetup: Setup = { practice: defaultPractice, clientName: undefined };

/** What does not change while a session is open. */
export interface SessionHeader extends Setup {
  readonly id: string;
  readonly player: PlayerId;
  /** The client that opened it, see `Caller`. */
  readonly client: string;
  readonly block: string | undefined;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** One typist's session. Plain JSON. */
export interface Session extends SessionHeader {
  /** Rounds started so far: with a fixed seed, it determines the words of the next one. */
  readonly roundCount: number;
  /** The latest round, running or complete; null before the first. */
  readonly round: Round | null;
}

export function newSession(
  id: string,
  setup: Setup,
  createdAt: number,
  { player, client, block }: Caller = localCaller,
): Session {
  return { ...setup, id, player, client, block, createdAt, roundCount: 0, round: null };
}

/** A UUID whose first digits identify the session without revealing its id: see `mayBeOf`. */
export function newRoundId(session: string): string {
  return sessionMark(session) + randomUUID().slice(8);
}

/** Whether a round may have been started in this session; wrong for one of four billion others. */
export function mayBeOf(session: string, round: string): boolean {
  return round.startsWith(sessionMark(session));
}

function sessionMark(session: string): string {
  return createHash('sha256').update(session).digest('hex').slice(0, 8);
}
