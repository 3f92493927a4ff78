import type { SessionClient } from '../session/session-client.ts';
import { type SessionSetup, toSessionRequest } from '../session/session-setup.ts';
import { offlineSession } from './offline-rounds.ts';

/** The session of the server that new rounds are of: one for all that practise the same. */
export interface SessionInUse {
  /** Undefined before the first round, and after it was left. */
  readonly id: string | undefined;
  /** Leaves a session that practises something else; one that nobody needs is not left to expire. */
  turnTo(setup: SessionSetup): void;
  /** Gives its id; makes a session where there is none. */
  open(setup: SessionSetup): Promise<string>;
  /** Uses the session of an earlier client, until the next `turnTo`. */
  takeOver(session: string): void;
  /** Uses it no longer: the next round gets another one. */
  leave(): void;
}

export function createSessionInUse(client: SessionClient): SessionInUse {
  let id: string | undefined;
  /** The request of a session for the same practice; empty where it is not known. */
  let practice = '';

  return {
    get id() {
      return id;
    },
    turnTo(setup) {
      const wanted = JSON.stringify(toSessionRequest(setup));
      if (wanted === practice) return;
      if (id !== undefined) client.deleteSession(id).catch(() => {});
      id = undefined;
      practice = wanted;
    },
    async open(setup) {
      id ??= await client.createSession(setup);
      return id;
    },
    takeOver(session) {
      id = session === offlineSession ? undefined : session;
      practice = '';
    },
    leave() {
      id = undefined;
    },
  };
}
