import { createHash } from 'node:crypto';
import * as v from 'valibot';
import {
  type ActiveEvent,
  firstSeen,
  followActive,
  type SeenActive,
} from '../../announcements/active-events.ts';
import type { HistoryFile } from '../../announcements/announcement.ts';

/** A message on its way to one receiver. */
export interface WebhookDelivery {
  /** Names the message for its receivers: the same on every attempt. */
  readonly id: string;
  /** Whose it is: a hash of the receiver's address, which may itself be a secret. */
  readonly target: string;
  readonly body: string;
  /** Attempts that failed. */
  readonly attempts: number;
  /** Epoch milliseconds: not sent before. */
  readonly due: number;
  /** Epoch milliseconds until which one server alone may send it, and a name for that attempt. */
  readonly leasedUntil: number;
  readonly lease: string;
}

/** All of it in one text, so that what was seen and what is to be sent never disagree. */
export interface OutboxState {
  readonly version: 1;
  /** Random; tells the messages of this outbox from those of others. */
  readonly scope: string;
  readonly seen: SeenActive;
  /** The oldest first. */
  readonly deliveries: readonly WebhookDelivery[];
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const stateSchema = v.object({
  version: v.literal(1),
  scope: v.string(),
  seen: v.object({
    changes: count,
    at: v.pipe(v.string(), v.isoTimestamp()),
    active: v.array(v.looseObject({ id: v.string() })),
  }),
  deliveries: v.array(
    v.object({
      id: v.string(),
      target: v.string(),
      body: v.string(),
      attempts: count,
      due: count,
      leasedUntil: count,
      lease: v.string(),
    }),
  ),
});

/** Undefined where the text is not an outbox. */
export function parseOutbox(text: string): OutboxState | undefined {
  try {
    return v.parse(stateSchema, JSON.parse(text)) as unknown as OutboxState;
  } catch {
    return undefined;
  }
}

export interface Surroundings {
  readonly history: HistoryFile;
  /** Hashes of the addresses of all receivers. */
  readonly targets: readonly string[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What was active before the first webhook is nothing new to anybody. */
export function newOutbox(scope: string, { history, now }: Surroundings): OutboxState {
  return { version: 1, scope, seen: firstSeen(history, now), deliveries: [] };
}

/** Deliveries kept at most, and bytes of their bodies. */
const mostDeliveries = 1_000;
const mostBytes = 4 * 1024 * 1024;

/** Adds a delivery for each event and receiver. The same state where nothing happened. */
export function enlist(state: OutboxState, surroundings: Surroundings): OutboxState {
  const { history, targets, now } = surroundings;
  const { events, seen } = followActive(history, state.seen, now);
  const isKnown = events.length === 0 && seen.changes === state.seen.changes;
  if (isKnown) return state;
  const added = events.flatMap((event) =>
    targets.map((target) => newWebhookDelivery(state.scope, event, target, now)),
  );
  return { ...state, seen, deliveries: bounded([...state.deliveries, ...added]) };
}

function newWebhookDelivery(scope: string, event: ActiveEvent, target: string, now: number): WebhookDelivery {
  const { type, at, announcement } = event;
  const body = JSON.stringify({ type: `announcement.${type}`, timestamp: at, data: announcement });
  return { id: toMessageId(scope, event), target, body, attempts: 0, due: now, leasedUntil: 0, lease: '' };
}

/** Follows from what happened, so that an outbox restored from yesterday's backup names a message as before. */
function toMessageId(scope: string, { type, at, changes, announcement }: ActiveEvent): string {
  const hash = createHash('sha256').update(JSON.stringify([scope, type, at, changes, announcement]));
  return `msg_${hash.digest('base64url').slice(0, 32)}`;
}

function bounded(deliveries: readonly WebhookDelivery[]): readonly WebhookDelivery[] {
  let bytes = 0;
  let kept = 0;
  for (const { body } of deliveries.toReversed()) {
    bytes += body.length;
    if (kept === mostDeliveries || bytes > mostBytes) break;
    kept += 1;
  }
  return deliveries.slice(deliveries.length - kept);
}

export interface Claim {
  readonly targets: readonly string[];
  readonly now: number;
  /** How long nobody else sends it, in milliseconds. */
  readonly leaseFor: number;
  /** Names this attempt. */
  readonly lease: string;
}

/** Takes one delivery that is due for each of these receivers, unless one is on its way to it already. */
export function claim(state: OutboxState, { targets, now, leaseFor, lease }: Claim): OutboxState {
  const busy = new Set(
    state.deliveries.filter(({ leasedUntil }) => leasedUntil > now).map(({ target }) => target),
  );
  const free = new Set(targets.filter((target) => !busy.has(target)));
  let isNew = false;
  const deliveries = state.deliveries.map((delivery) => {
    if (!free.has(delivery.target) || delivery.due > now) return delivery;
    free.delete(delivery.target);
    isNew = true;
    return { ...delivery, leasedUntil: now + leaseFor, lease };
  });
  return isNew ? { ...state, deliveries } : state;
}

export interface Settlement {
  readonly id: string;
  readonly target: string;
  readonly lease: string;
  /** `released`: it was not tried to the end, so it does not count. */
  readonly result: 'delivered' | 'failed' | 'released';
  readonly now: number;
}

/** What came of an attempt. A receiver that answers again gets at once what else is waiting for it. */
export function settle(state: OutboxState, settlement: Settlement): OutboxState {
  const { id, target, lease, result, now } = settlement;
  const isIt = (delivery: WebhookDelivery) => delivery.id === id && delivery.target === target;
  if (result === 'delivered') {
    const deliveries = state.deliveries
      .filter((delivery) => !isIt(delivery))
      .map((delivery) =>
        delivery.target === target && delivery.leasedUntil <= now && delivery.due > now
          ? { ...delivery, due: now }
          : delivery,
      );
    return { ...state, deliveries };
  }
  // Whose lease has run out meanwhile has nothing to say any more.
  const deliveries = state.deliveries.map((delivery) => {
    if (!isIt(delivery) || delivery.lease !== lease) return delivery;
    const free = { ...delivery, leasedUntil: 0, lease: '' };
    if (result === 'released') return free;
    const attempts = delivery.attempts + 1;
    return { ...free, attempts, due: now + backOff(attempts) };
  });
  return { ...state, deliveries };
}

const day = 24 * 60 * 60 * 1000;

/** Milliseconds to the next attempt: 1 s after the first, twice as long each time, at most a day. */
export function backOff(attempts: number): number {
  return Math.min(1_000 * 2 ** Math.min(attempts - 1, 30), day);
}

/** Removes what nobody sends any more: messages for addresses that no server has been configured with for a day. */
export function forgetStrangers(state: OutboxState, targets: readonly string[], now: number): OutboxState {
  const deliveries = state.deliveries.filter(
    ({ target, due }) => targets.includes(target) || due > now - day,
  );
  return deliveries.length === state.deliveries.length ? state : { ...state, deliveries };
}
