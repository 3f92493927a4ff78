import type { Input } from '../../round/round.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import type { DeliveryRequest, RequestTarget } from './delivery-requests.ts';
import type { DeliveryStatus } from './delivery-state.ts';
import { createWholeDelivery, type WholeDeliveryOptions } from './whole-delivery.ts';

export interface RescuedDeliveryOptions extends RequestTarget, WholeDeliveryOptions {
  readonly words: readonly string[];
  /** Called with true before the first request that may complete the round on the server, and with false if that refuses it. */
  readonly onSent: (mayBeComplete: boolean) => void;
}

/**
 * Delivers a round through the session that it was begun in, and in one piece if the server has lost that session, as one that was killed
 * may: but only if it cannot have the complete round, which would count twice.
 */
export function createRescuedDelivery(options: RescuedDeliveryOptions): Delivery {
  const { words, onSent, onStatus } = options;
  let inputs: readonly Input[] = [];
  let spaces = 0;
  /** The first request that may have completed the round. */
  let last: DeliveryRequest | undefined;
  let onRescue: () => void = () => undefined;
  const rescued = new Promise<void>((resolve) => {
    onRescue = resolve;
  });
  const listeners = { onStatus: takeStatus, onSend: takeRequest, onRefusal: takeRefusal };
  const begun = createDelivery({ ...options, ...listeners });
  let current = begun;
  return {
    offer(all) {
      for (const { type } of all.slice(inputs.length)) if (type === 'space') spaces += 1;
      inputs = all;
      current.offer(all);
    },
    async finish(timing) {
      const first = current;
      const receipt = await first.finish(timing);
      return current === first ? receipt : current.finish(timing);
    },
    get status() {
      return current.status;
    },
    get isDone() {
      return current.isDone;
    },
    get isUnanswered() {
      return current.isUnanswered === true;
    },
    get isWhole() {
      return current.isWhole === true;
    },
    async awaitAbsence() {
      await Promise.race([rescued, begun.awaitAbsence?.()]);
    },
    stop() {
      begun.stop();
      current.stop();
    },
  };

  /** Only the end of the last word completes a round, or the end of its time. */
  function takeRequest(request: DeliveryRequest): void {
    const { type } = request;
    const isLast = type === 'timing' || (type === 'input' && spaces >= words.length - 1);
    if (!isLast || last !== undefined) return;
    last = request;
    onSent(true);
  }

  function takeRefusal(request: DeliveryRequest): void {
    if (request !== last) return;
    last = undefined;
    onSent(false);
  }

  function takeStatus(status: DeliveryStatus): void {
    if (status.lost !== '' && last === undefined) {
      current = createWholeDelivery(options);
      current.offer(inputs);
      onRescue();
    }
    onStatus(current.status);
  }
}
