import { setTimeout as sleep } from 'node:timers/promises';
import type { RoundUpload, TimingRequest } from '../../../contract/request-types.ts';
import { toBackOff } from '../session/back-off.ts';
import type { SessionClient } from '../session/session-client.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryStatus } from './delivery-state.ts';
import { toEvent } from './input-event.ts';
import {
  newWholeDelivery,
  reduceWholeDelivery,
  toWholeStatus,
  type WholeDeliveryEvent,
} from './whole-delivery-state.ts';

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
  const stopping = new AbortController();
  const { signal } = stopping;
  let state = newWholeDelivery;

  return {
    offer: (inputs) => take({ type: 'offer', inputs }),
    async finish(timing) {
      take({ type: 'finish', isOffline });
      onStatus(toWholeStatus(state));
      await deliver(timing);
      if (!signal.aborted) onStatus(toWholeStatus(state));
      return undefined;
    },
    get status() {
      return toWholeStatus(state);
    },
    isWhole: true,
    get isDone() {
      return state.isDone;
    },
    stop: () => stopping.abort(),
  };

  function take(event: WholeDeliveryEvent): void {
    state = reduceWholeDelivery(state, event);
  }

  async function deliver(timing: TimingRequest): Promise<void> {
    for (let attempt = 1; state.isTrying && !signal.aborted; attempt += 1) {
      try {
        await client.addRound({ ...head, ...timing, events: state.inputs.map(toEvent) });
        take({ type: 'delivered' });
      } catch (problem) {
        take({ type: 'problem', problem });
        if (state.isTrying) await sleep(toBackOff(attempt), undefined, { signal }).catch(() => {});
      }
    }
  }
}
