import type { RoundUpload } from '../../contract/request-types.ts';
import type { Input } from '../round/round.ts';
import { toBackOff } from './back-off.ts';
import type { Delivery } from './delivery.ts';
import { type DeliveryStatus, serverNotWanted, toEvent } from './delivery-state.ts';
import { ServerProblem } from './server-problem.ts';
import type { SessionClient } from './session-client.ts';

/** A round without what happens in it. */
export type UploadHead = Omit<
  RoundUpload,
  'events' | 'start_time_unix_ms' | 'end_time_unix_ms' | 'duration_ms'
>;

export interface WholeDeliveryOptions {
  readonly client: SessionClient;
  readonly head: UploadHead;
  /** Whether there is no server to try: the round stays on disk for a later start. */
  readonly isOffline: boolean;
  readonly onStatus: (status: DeliveryStatus) => void;
}

/**
 * Delivers a round that no server has begun: nothing while it is typed, and all of it when it is complete. Its id makes
 * any retry harmless.
 */
export function createWholeDelivery({ client, head, isOffline, onStatus }: WholeDeliveryOptions): Delivery {
  let inputs: readonly Input[] = [];
  let [isDone, isStopped, lost, away] = [false, false, '', ''];
  let wake: (() => void) | undefined;
  const toStatus = (): DeliveryStatus => ({
    confirmed: isDone ? inputs.length : 0,
    total: inputs.length,
    away,
    lost,
  });

  return {
    offer(all) {
      inputs = all;
    },
    async finish(timing) {
      away = isOffline ? serverNotWanted : 'the round was typed without a server';
      onStatus(toStatus());
      for (let attempt = 1; !isStopped && !isOffline; attempt += 1) {
        try {
          await client.addRound({ ...head, ...timing, events: inputs.map(toEvent) });
          isDone = true;
          away = '';
          break;
        } catch (problem) {
          if (!(problem instanceof ServerProblem) || problem.code === 'INVALID_REQUEST') {
            lost = problem instanceof Error ? problem.message : String(problem);
            away = '';
            break;
          }
          if (problem.kind === 'refused') break; // a key, say, may be put right before a later start
          await pause(toBackOff(attempt));
        }
      }
      if (!isStopped) onStatus(toStatus());
      return undefined;
    },
    get status() {
      return toStatus();
    },
    isWhole: true,
    get isDone() {
      return isDone;
    },
    stop() {
      isStopped = true;
      wake?.();
    },
  };

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
