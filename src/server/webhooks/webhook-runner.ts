import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryFile } from '../../announcements/announcement.ts';
import type { Log } from '../settings/log.ts';
import { type Outbox, StoreUnavailableError } from '../stores/ports.ts';
import {
  claim,
  enlist,
  forgetStrangers,
  newOutbox,
  type OutboxState,
  parseOutbox,
  settle,
  type WebhookDelivery,
} from './outbox-state.ts';
import { receiverPatience, sendWebhook } from './send-webhook.ts';
import type { WebhookTarget } from './webhook-target.ts';

export interface WebhooksOptions {
  readonly targets: readonly WebhookTarget[];
  readonly secret: Buffer;
  readonly outbox: Outbox;
  /** The announcements as this server serves them now. */
  readonly history: () => HistoryFile;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Log;
}

export interface Webhooks {
  /** Stops sending; what was not delivered stays for the next start. */
  close(): Promise<void>;
}

/** How often clock, announcements and outbox are looked at, in milliseconds. */
const lookEvery = 500;
/** Longer than any attempt takes. After a crash in the middle of one, it is made again when this is over. */
const leaseFor = 3 * receiverPatience;

/**
 * Follows the announcements and sends what happened. Several servers with one outbox may do so: whoever is first enlists an event and
 * leases its delivery.
 */
export function startWebhooks(options: WebhooksOptions): Webhooks {
  const { targets, secret, outbox, history, clock, log } = options;
  const byKey = new Map(targets.map((target) => [target.key, target]));
  const keys = [...byKey.keys()];
  const stopping = new AbortController();
  const sending = new Map<string, Promise<void>>();
  let isAway = false;

  const update = (change: (state: OutboxState) => OutboxState): Promise<OutboxState> => {
    const scope = randomBytes(12).toString('base64url');
    return outbox.update((text) => {
      const known = text === undefined ? undefined : parseOutbox(text);
      const after = change(known ?? newOutbox(scope, { history: history(), targets: keys, now: clock() }));
      return { text: after === known ? undefined : JSON.stringify(after), result: after };
    });
  };

  const look = async () => {
    const now = clock();
    const free = keys.filter((key) => !sending.has(key));
    const lease = randomBytes(9).toString('base64url');
    const advance = (before: OutboxState) => {
      const enlisted = enlist(before, { history: history(), targets: keys, now });
      return claim(forgetStrangers(enlisted, keys, now), { targets: free, now, leaseFor, lease });
    };
    const text = await outbox.read();
    const present = text === undefined ? undefined : parseOutbox(text);
    if (text !== undefined && present === undefined) await setAside(text);
    // Looking needs no lock; most of the time there is nothing to do.
    if (present !== undefined && advance(present) === present) return;
    const state = await update(advance);
    for (const delivery of state.deliveries.filter((candidate) => candidate.lease === lease)) {
      const target = byKey.get(delivery.target) as WebhookTarget;
      sending.set(delivery.target, deliver(target, delivery));
    }
  };

  async function setAside(text: string): Promise<void> {
    const aside = await outbox.setAside(text);
    log.error(`the outbox of the webhooks is damaged: it is kept as ${aside}, and a new one begins`);
  }

  async function deliver(
    target: WebhookTarget,
    { id, body, lease, attempts }: WebhookDelivery,
  ): Promise<void> {
    const sent = await sendWebhook(target, { id, body }, { secret, now: clock(), signal: stopping.signal });
    const result = sent === 'aborted' ? 'released' : 'status' in sent ? 'delivered' : 'failed';
    if (typeof sent === 'object' && 'problem' in sent && isWorthALine(attempts + 1)) {
      log.warn(`a webhook was not delivered: ${sent.problem}; it is kept and tried again`, {
        receiver: target.name,
        webhook: id,
        attempt: attempts + 1,
      });
    }
    await update((state) => settle(state, { id, target: target.key, lease, result, now: clock() })).catch(
      report,
    );
    sending.delete(target.key);
  }

  /** The outage of a store is in the log already. */
  function report(error: unknown): void {
    if (error instanceof StoreUnavailableError || isAway) return;
    isAway = true;
    log.error(`webhooks cannot be saved now; trying again: ${(error as Error).message}`);
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      await look().then(() => {
        isAway = false;
      }, report);
      await sleep(lookEvery, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();

  return {
    async close() {
      stopping.abort();
      await running;
      await Promise.all(sending.values());
    },
  };
}

/** The first attempts, then each time it has become twice as many. */
function isWorthALine(attempts: number): boolean {
  return (attempts & (attempts - 1)) === 0;
}
