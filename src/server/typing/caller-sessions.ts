import type { Round } from '../../typing/round.ts';
import { newProblem, type Problem } from '../../typing/rules/rules.ts';
import type { Stores } from '../stores/open-stores.ts';
import { type Caller, mayUse } from '../stores/player.ts';
import type { Session } from '../stores/session.ts';
import type { SessionUpdate } from '../stores/sessions.ts';
import type { Library } from './library.ts';
import type { RoundAllowance } from './round-allowance.ts';

/** What the actions on sessions, rounds and statistics need. */
export interface GameOptions {
  readonly stores: Pick<Stores, 'sessions' | 'rounds'>;
  readonly library: Library;
  /** Undefined: every round gets a random one. */
  readonly seed: number | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly allowance: RoundAllowance;
  readonly counts: GameCounts | undefined;
}

/** Counts what typists do. */
export interface GameCounts {
  /** Keys were answered, including repeats. */
  keys(count: number): void;
  /** A round was finished. */
  round(): void;
}

/** Why the engine refuses an action; `at`: the index of the input in a batch. */
export interface Refused {
  readonly problem: Problem;
  readonly at?: number;
}

/** The outcome of an action: its result, why it is refused, or undefined if there is no such session. */
export type Outcome<T> = Promise<T | Refused | undefined>;

export const notStarted: Refused = newProblem(
  'ROUND_NOT_STARTED',
  'No round has been started in this session.',
);

/**
 * Sessions as the sender of a request sees them: those of others do not exist. Every lookup by id goes
 * through here.
 */
export interface CallerSessions {
  read(caller: Caller, id: string): Promise<Session | undefined>;
  /** See `Sessions.update`. */
  update<T>(
    caller: Caller,
    id: string,
    change: (session: Session) => SessionUpdate<T>,
  ): Promise<T | undefined>;
}

export function createCallerSessions({ sessions }: Pick<Stores, 'sessions'>): CallerSessions {
  return {
    read: (caller, id) => sessions.read(id, ({ player }) => mayUse(caller, player)),
    update: (caller, id, change) =>
      sessions.update(id, (session) => (mayUse(caller, session.player) ? change(session) : undefined)),
  };
}

export async function readRound<T>(
  callerSessions: CallerSessions,
  caller: Caller,
  id: string,
  read: (round: Round) => T,
): Outcome<T> {
  const session = await callerSessions.read(caller, id);
  if (session === undefined) return undefined;
  return session.round === null ? notStarted : read(session.round);
}
