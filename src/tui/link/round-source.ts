import type { StartedRound } from './answers.ts';
import { toBackOff } from './back-off.ts';
import { ServerProblem } from './server-problem.ts';
import type { SessionClient } from './session-client.ts';
import { type SessionSetup, toSessionRequest } from './session-setup.ts';

/** A new round, and the session that it belongs to. */
export interface NewRound extends StartedRound {
  readonly session: string;
}

/** Gets new rounds, however long it takes; one session serves all that practise the same. */
export interface RoundSource {
  /** The next round; undefined when `signal` ended the search. */
  next(setup: SessionSetup, signal: AbortSignal): Promise<NewRound | undefined>;
  /** The round in hand is of this session of an earlier client; the next one gets a session of its own. */
  takeOver(session: string): void;
  /** The session in use; undefined before the first round. */
  readonly session: string | undefined;
}

export interface RoundSourceOptions {
  readonly client: SessionClient;
  /** There are no words yet, and why. */
  readonly onWaiting: (reason: string) => void;
}

export function createRoundSource({ client, onWaiting }: RoundSourceOptions): RoundSource {
  let session: string | undefined;
  let practice = '';

  return {
    async next(setup, signal) {
      leaveOther(setup);
      for (let attempt = 1; !signal.aborted; attempt += 1) {
        try {
          session ??= await client.createSession(setup);
          const started = await client.startRound(session);
          return signal.aborted ? undefined : { session, ...started };
        } catch (problem) {
          if (!signal.aborted) await handleFailure(problem, attempt);
        }
      }
      return undefined;
    },
    takeOver(given) {
      session = given;
      practice = '';
    },
    get session() {
      return session;
    },
  };

  /** A session practises one thing; one that nobody needs is not left to expire. */
  function leaveOther(setup: SessionSetup): void {
    const wanted = JSON.stringify(toSessionRequest(setup));
    if (wanted === practice) return;
    if (session !== undefined) client.deleteSession(session).catch(() => {});
    session = undefined;
    practice = wanted;
  }

  async function handleFailure(problem: unknown, attempt: number): Promise<void> {
    if (!(problem instanceof ServerProblem)) throw problem;
    if (problem.code === 'SESSION_NOT_FOUND') {
      session = undefined; // it expired, or the server lost it: the next attempt makes another one
      if (attempt === 1) return;
    }
    onWaiting(problem.message);
    await new Promise((resolve) => setTimeout(resolve, toBackOff(attempt)));
  }
}
