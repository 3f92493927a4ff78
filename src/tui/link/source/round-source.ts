import { setTimeout as sleep } from 'node:timers/promises';
import type { StartedRound } from '../session/answers.ts';
import { toBackOff } from '../session/back-off.ts';
import { isUnreachable, ServerProblem } from '../session/server-problem.ts';
import type { SessionClient } from '../session/session-client.ts';
import type { SessionSetup } from '../session/session-setup.ts';
import { type OfflineRounds, offlineSession } from './offline-rounds.ts';
import { createSessionInUse } from './session-in-use.ts';

/** A new round, and the session that it belongs to: `offlineSession` for one that no server has begun. */
export interface NewRound extends StartedRound {
  readonly session: string;
}

/** Gets new rounds, however long it takes; one session serves all that practise the same. */
export interface RoundSource {
  /** The next round; undefined when `signal` ended the search. */
  next(setup: SessionSetup, signal: AbortSignal): Promise<NewRound | undefined>;
  /** The round in hand is of this session of an earlier client; the next one gets a session of its own. */
  takeOver(session: string): void;
  /**
   * A round of the session in use is not delivered yet: the next one gets another, or it would take its place. Where the server gave
   * no answer to it, nobody waits for one now.
   */
  leave(options: { readonly isAway: boolean }): void;
  /** The session in use; undefined before the first round. */
  readonly session: string | undefined;
}

export interface RoundSourceOptions {
  readonly client: SessionClient;
  /** There are no words yet, and why. */
  readonly onWaiting: (reason: string) => void;
  /** Makes rounds while the server is away. */
  readonly offline?: OfflineRounds | undefined;
  /** Whether the server is known to be away at the start. */
  readonly isAway?: boolean | undefined;
  /** Whether no server is to be asked at all. */
  readonly isOffline?: boolean | undefined;
  /** The server answers again. */
  readonly onBack?: () => void;
}

export function createRoundSource(options: RoundSourceOptions): RoundSource {
  const { client, offline, isOffline = false, onBack } = options;
  const session = createSessionInUse(client);
  let isAway = options.isAway ?? false;

  return {
    async next(setup, signal) {
      session.turnTo(setup);
      if ((isAway || isOffline) && offline !== undefined) {
        if (!isOffline) void lookForServer();
        const round = await makeOffline(offline, setup);
        if (round !== undefined) return signal.aborted ? undefined : round;
      }
      return getOnline(setup, signal);
    },
    takeOver: session.takeOver,
    leave(left) {
      session.leave();
      isAway ||= left.isAway;
    },
    get session() {
      return session.id;
    },
  };

  async function getOnline(setup: SessionSetup, signal: AbortSignal): Promise<NewRound | undefined> {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        const id = await session.open(setup);
        const started = await client.startRound(id);
        isAway = false;
        return signal.aborted ? undefined : { session: id, ...started };
      } catch (problem) {
        if (signal.aborted) break;
        const round = isUnreachable(problem) ? await takeOffline(setup) : undefined;
        if (round !== undefined) return signal.aborted ? undefined : round;
        await handleFailure(problem, attempt, signal);
      }
    }
    return undefined;
  }

  /** Nobody waits for a server that does not answer. */
  async function takeOffline(setup: SessionSetup): Promise<NewRound | undefined> {
    isAway = true;
    return makeOffline(offline, setup);
  }

  async function lookForServer(): Promise<void> {
    const answers = await client.checkAccess().then(
      () => true,
      () => false,
    );
    if (!answers || !isAway) return;
    isAway = false;
    onBack?.();
  }

  async function handleFailure(problem: unknown, attempt: number, signal: AbortSignal): Promise<void> {
    if (!(problem instanceof ServerProblem)) throw problem;
    if (problem.code === 'SESSION_NOT_FOUND') {
      session.leave(); // it expired, or the server lost it: the next attempt makes another one
      if (attempt === 1) return;
    }
    options.onWaiting(problem.message);
    await sleep(toBackOff(attempt), undefined, { signal }).catch(() => {}); // anyone who leaves waits for nothing
  }
}

/** Undefined where the package lacks what is practised: the server may have it. */
async function makeOffline(
  offline: OfflineRounds | undefined,
  setup: SessionSetup,
): Promise<NewRound | undefined> {
  const round = await offline?.next(setup).catch(() => undefined);
  return round === undefined ? undefined : { session: offlineSession, ...round };
}
