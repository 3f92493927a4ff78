import type { RoundView } from '../round/round-view.ts';
import type { NewRound, SessionApi } from './session.ts';

/** How long a letter waits for others, ms. */
const letterWait = 250;

export type LiveInput = ReturnType<typeof createLiveInput>;

/**
 * Sends the keys of a round to its session, a word at a time, so that the server's state follows the typist.
 * Best effort: the first failure ends it, because the whole round is uploaded at its end anyway.
 */
export function createLiveInput(api: SessionApi, begun: NewRound) {
  let latest: RoundView | undefined;
  let sent = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();

  function stop(): void {
    isStopped = true;
    clearTimeout(timer);
  }

  function send(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending = sending.then(sendRest).catch(stop);
    return sending;
  }

  async function sendRest(): Promise<void> {
    if (latest === undefined || sent === latest.inputCount || isStopped) return;
    const { log, inputCount } = latest;
    await api.sendInput(begun, log.slice(sent), sent);
    sent = inputCount;
  }

  return {
    /** The round so far. */
    offer(round: RoundView): void {
      if (isStopped) return;
      const isWordDone = round.progress.wordIndex > (latest?.progress.wordIndex ?? 0);
      latest = round;
      if (isWordDone) void send();
      else timer ??= setTimeout(send, letterWait);
    },
    /** Sends at once what was offered. */
    flush: send,
    stop,
  };
}
