import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryFile } from '../../announcements/announcement.ts';
import type { WebhookTarget } from '../settings/config-parsers.ts';
import type { Log } from '../settings/log.ts';
import { StoreUnavailableError } from '../stores/records/records.ts';
import type { SharedText } from '../stores/shared-text.ts';
import {
  addEvents,
  claim,
  newOutbox,
  type OutboxState,
  parseOutbox,
  settle,
  type WebhookDelivery,
} from './outbox-state.ts';
import { receiverTimeout, sendWebhook } from './send-webhook.ts';

export interface WebhooksOptions {
  readonly targets: readonly WebhookTarget[];
  readonly secret: Buffer;
  readonly outbox: SharedText;
  readonly history: () => HistoryFile;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Log;
}

/** How often to check clock, announcements and outbox, in milliseconds. */
const pollInterval = 500;
/**
 * Longer than any attempt. After a crash during an attempt, it is repeated once the lease has expired.
 */
const leaseFor = 3 * receiverTimeout;

/**
 * Follows the announcements and sends their events. Several servers may share an outbox: the first one adds
 * an event and leases its delivery. What is not delivered when it is closed stays for the next start.
 */
export function startWebhooks(options: WebhooksOptions): { close(): Promise<void> } {
  const { targets, secret, outbox, history, clock, log } = options;
  const byKey = new Map(targets.map((target) => [target.key, target]));
  const keys = [...byKey.keys()];
  const stopping = new AbortController();
  const { signal } = stopping;
  const sending = new Map<string, Promise<void>>();
  const isLate = createStaleCopyCheck();
  /** Changes the outbox, or a new one if there is none; `change` may run several times. */
  const update = (change: (state: OutboxState) => OutboxState) => {
    const scope = randomBytes(12).toString('base64url');
    return outbox.update((text) => {
      const known = text === undefined ? undefined : parseOutbox(text);
      const after = change(known ?? newOutbox(scope, history(), clock()));
      return { text: after === known ? undefined : JSON.stringify(after), result: after };
    });
  };

  const deliver = async (target: WebhookTarget, { id, body, lease, attempts }: WebhookDelivery) => {
    const sent = await sendWebhook(target, { id, body }, { secret, now: clock(), signal });
    const attempt = attempts + 1;
    // Attempts 1, 2, 4, 8 and so on.
    if (typeof sent === 'object' && (attempt & attempts) === 0)
      log.warn(`a webhook was not delivered: ${sent.problem}; it is kept and tried again`, {
        receiver: target.name,
        webhook: id,
        attempt,
      });
    const result = typeof sent === 'object' ? 'failed' : sent === 'aborted' ? 'released' : sent;
    await update((state) => settle(state, { id, target: target.key, lease, result, now: clock() }));
  };

  const poll = async () => {
    const now = clock();
    const free = keys.filter((key) => !sending.has(key));
    const lease = randomBytes(9).toString('base64url');
    const advance = (before: OutboxState) => {
      const shown = history();
      const enlisted = isLate(shown, before) ? before : addEvents(before, shown, keys, now);
      return claim(enlisted, { targets: free, now, leaseFor, lease });
    };
    const text = await outbox.read();
    const present = text === undefined ? undefined : parseOutbox(text);
    if (text !== undefined && present === undefined)
      log.error('the outbox of the webhooks cannot be read: a new one begins');
    // Reading needs no lock, and most of the time there is nothing to do.
    if (present !== undefined && advance(present) === present) return;
    const state = await update(advance);
    for (const delivery of state.deliveries.filter((candidate) => candidate.lease === lease)) {
      const target = byKey.get(delivery.target) as WebhookTarget;
      const sent = deliver(target, delivery)
        .catch(report)
        .finally(() => sending.delete(target.key));
      sending.set(target.key, sent);
    }
  };

  /** Logs once that the outbox cannot be changed, until it can be again. */
  let isFailing = false;
  const report = (error: Error) => {
    // The outage of a store is already in the log.
    if (isFailing || error instanceof StoreUnavailableError) return;
    isFailing = true;
    log.error(`webhooks cannot be saved now; trying again: ${error.message}`);
  };

  const run = async () => {
    while (!signal.aborted) {
      await poll().then(() => {
        isFailing = false;
      }, report);
      await sleep(pollInterval, undefined, { ref: false, signal }).catch(() => undefined);
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

/**
 * Milliseconds after which a log that is still shorter than the one seen must be an older one that an
 * operator has restored.
 */
const maxDelay = 30_000;

/**
 * Checks whether a server's announcements are older than those that the outbox has seen. Servers that share
 * it read a change a moment after another server has made it: a late copy would end what has just begun.
 *
 * @param ticks monotonic clock, in milliseconds: a clock that is set back would keep a copy late for too long
 */
export function createStaleCopyCheck(
  ticks = () => performance.now(),
): (history: HistoryFile, state: OutboxState) => boolean {
  let since: number | undefined;
  return (history, { seen }) => {
    const now = ticks();
    since = history.changes.length < seen.changes ? (since ?? now) : undefined;
    return since !== undefined && now - since < maxDelay;
  };
}
