import type { Round } from '../../../typing/round.ts';
import { newProblem, type Problem } from '../../../typing/rules/rules.ts';
import { type Caller, mayUse } from '../../stores/player.ts';
import type { Session } from '../../stores/session.ts';
import type { Sessions, SessionUpdate } from '../../stores/sessions.ts';

/** Sessions as the sender of a request sees them: those of others do not exist. Every lookup by id goes through here. */
export interface OwnSessions {
  read(caller: Caller, id: string): Promise<Session | undefined>;
  /** See `Sessions.update`. */
  update<T>(
    caller: Caller,
    id: string,
    change: (session: Session) => SessionUpdate<T>,
  ): Promise<T | undefined>;
}

export function createOwnSessions(sessions: Sessions): OwnSessions {
  return {
    async read(caller, id) {
      const session = await sessions.read(id);
      return session !== undefined && mayUse(caller, session.player) ? session : undefined;
    },
    update: <T>(caller: Caller, id: string, change: (session: Session) => SessionUpdate<T>) =>
      sessions.update<T | undefined>(id, (session) =>
        mayUse(caller, session.player) ? change(session) : { session, result: undefined },
      ),
  };
}

/** The outcome of an action: its result, why it is refused, or undefined if there is no such session. */
export type GameAnswer<T> = Promise<T | { readonly problem: Problem } | undefined>;

/** Why an input is refused; `at`: its index in a batch. */
export type InputProblem = { readonly problem: Problem; readonly at?: number };

export const notStarted = newProblem('ROUND_NOT_STARTED', 'No round has been started in this session.');

/** The session with its round changed by the engine, or unchanged if the engine refuses. */
export function updateRound<T>(
  session: Session,
  reduce: (round: Round) => { round: Round; result: T } | InputProblem,
): SessionUpdate<T | InputProblem> {
  if (session.round === null) return { session, result: notStarted };
  const reduction = reduce(session.round);
  if ('problem' in reduction) return { session, result: reduction };
  return { session: { ...session, round: reduction.round }, result: reduction.result };
}

export function readRound<T>(
  session: Session | undefined,
  read: (round: Round) => T,
): T | { problem: Problem } | undefined {
  if (session === undefined) return undefined;
  return session.round === null ? notStarted : read(session.round);
}
