import type { Round } from '../../typing/round.ts';
import { newProblem } from '../../typing/rules/rules.ts';
import type { Stores } from '../stores/open-stores.ts';
import { type Caller, mayUse } from '../stores/player.ts';
import type { Session } from '../stores/session.ts';
import type { SessionUpdate } from '../stores/sessions.ts';
import type { Library } from './library.ts';
import { refused, sessionNotFound } from './refusals.ts';
import type { RoundAllowance } from './round-allowance.ts';

/** What the handlers of sessions, rounds and statistics need. */
export interface GameOptions {
  readonly stores: Pick<Stores, 'sessions' | 'rounds'>;
  readonly callerSessions: CallerSessions;
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

/**
 * Sessions as the sender of a request sees them: those of others do not exist. Every lookup by id goes
 * through here.
 */
export interface CallerSessions {
  has(caller: Caller, id: string): Promise<boolean>;
  /** Rejects with a 404 if there is no such session. */
  read(caller: Caller, id: string): Promise<Session>;
  /** See `Sessions.update`. Rejects with a 404 if there is no such session, or with what `change` throws. */
  update<T>(caller: Caller, id: string, change: (session: Session) => SessionUpdate<T>): Promise<T>;
}

export function createCallerSessions({ sessions }: Pick<Stores, 'sessions'>): CallerSessions {
  const find = (caller: Caller, id: string) => sessions.read(id, ({ player }) => mayUse(caller, player));
  return {
    has: async (caller, id) => (await find(caller, id)) !== undefined,
    async read(caller, id) {
      const session = await find(caller, id);
      if (session === undefined) throw sessionNotFound();
      return session;
    },
    async update(caller, id, change) {
      const result = await sessions.update(id, (session) =>
        mayUse(caller, session.player) ? change(session) : undefined,
      );
      if (result === undefined) throw sessionNotFound();
      return result;
    },
  };
}

/** The latest round of a session. Throws a 400 before the first. */
export function startedRound({ round }: Session): Round {
  if (round === null) throw refused(notStarted);
  return round;
}

const notStarted = newProblem('ROUND_NOT_STARTED', 'No round has been started in this session.');
