import { readInputs } from '../../typing/round.ts';
import { type RoundView, timingOf } from '../round/round-view.ts';
import { ServerProblem } from './answers.ts';
import type { SessionApi } from './session.ts';
import { inputEvent, timingRequest } from './sync.ts';

/**
 * Sends input to a server during the round: a word at a time, or after a quarter of a second. Nothing
 * depends on it: after the first failure it sends no more of the round, which is then handed over whole.
 */
export interface LiveInput {
  /** The round so far. */
  offer(round: RoundView): void;
  /** Sends the rest and the timing. Resolves to whether the server has saved the round. */
  finish(round: RoundView): Promise<boolean>;
  /** Sends nothing more. */
  stop(): void;
}

export interface LiveInputOptions {
  readonly api: SessionApi;
  readonly session: string;
  /** The server has failed. */
  readonly onProblem: (problem: ServerProblem) => void;
}

/** Maximum number of inputs that the API accepts at once. */
const maxBatch = 500;
const letterWait = 250;

export function createLiveInput({ api, session, onProblem }: LiveInputOptions): LiveInput {
  let latest: RoundView | undefined;
  let sent = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();

  return {
    offer(round) {
      if (isStopped || round === latest) return;
      const hasWordEnd = round.progress.wordIndex > (latest?.progress.wordIndex ?? 0);
      latest = round;
      if (hasWordEnd) send();
      else timer ??= setTimeout(send, letterWait);
    },
    async finish(round) {
      latest = round;
      send();
      await sending;
      if (isStopped) return false;
      try {
        await api.finish(session, timingRequest(timingOf(round)));
        return true;
      } catch (problem) {
        fail(problem);
        return false;
      }
    },
    stop,
  };

  function send(): void {
    clearTimeout(timer);
    timer = undefined;
    sending = sending.then(sendRest).catch(fail);
  }

  async function sendRest(): Promise<void> {
    while (latest !== undefined && sent < latest.inputCount && !isStopped) {
      const batch = readInputs(latest)
        .map(inputEvent)
        .slice(sent, sent + maxBatch);
      await api.sendInput(session, batch);
      sent += batch.length;
    }
  }

  function stop(): void {
    isStopped = true;
    clearTimeout(timer);
  }

  function fail(problem: unknown): void {
    if (isStopped) return;
    stop();
    if (problem instanceof ServerProblem) onProblem(problem);
  }
}
