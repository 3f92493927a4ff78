import type { Log } from '../settings/log.ts';
import type { Awaitable } from '../stores/content/content.ts';
import { type OutboxState, settle, type WebhookDelivery } from './outbox-state.ts';
import { sendWebhook } from './send-webhook.ts';
import type { WebhookTarget } from './webhook-target.ts';

/** Changes the outbox; `change` may run several times. Resolves to the new state. */
export type OutboxUpdate = (change: (state: OutboxState) => Awaitable<OutboxState>) => Promise<OutboxState>;

export interface DeliveringOptions {
  readonly secret: Buffer;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Log;
  /** Aborts the attempt under way. */
  readonly signal: AbortSignal;
  readonly update: OutboxUpdate;
}

/** Makes one attempt, and records its result in the outbox; rejects if that fails. */
export type Deliver = (target: WebhookTarget, delivery: WebhookDelivery) => Promise<void>;

export function createDelivering({ secret, clock, log, signal, update }: DeliveringOptions): Deliver {
  return async (target, { id, body, lease, attempts }) => {
    const sent = await sendWebhook(target, { id, body }, { secret, now: clock(), signal });
    const result = sent === 'aborted' ? 'released' : 'status' in sent ? 'delivered' : 'failed';
    if (typeof sent === 'object' && 'problem' in sent && isWorthALine(attempts + 1)) {
      log.warn(`a webhook was not delivered: ${sent.problem}; it is kept and tried again`, {
        receiver: target.name,
        webhook: id,
        attempt: attempts + 1,
      });
    }
    await update((state) => settle(state, { id, target: target.key, lease, result, now: clock() }));
  };
}

/** Logs attempts 1, 2, 4, 8 and so on. */
function isWorthALine(attempts: number): boolean {
  return (attempts & (attempts - 1)) === 0;
}
