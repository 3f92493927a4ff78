import { createHash } from 'node:crypto';
import * as v from 'valibot';
import {
  type ActiveEvent,
  type EventCursor,
  followActive,
  newEventCursor,
} from '../../announcements/active-events.ts';
import type { HistoryFile } from '../../announcements/announcement.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const deliverySchema = v.object({
  /** Identifies the message for its receivers: the same on every attempt. */
  id: v.string(),
  /** The receiver: a hash of its URL, which may itself be a secret. */
  target: v.string(),
  body: v.string(),
  attempts: count,
  /** Epoch milliseconds before which it is not sent: because it failed, or because a server is sending it. */
  due: count,
  /** A name for the attempt that is under way; empty if there is none. */
  lease: v.string(),
});

export type WebhookDelivery = Readonly<v.InferOutput<typeof deliverySchema>>;

const cursorSchema = v.object({
  changes: count,
  at: v.pipe(v.string(), v.isoTimestamp()),
  active: v.array(v.looseObject({ id: v.string() })),
}) as unknown as v.GenericSchema<unknown, EventCursor>;

const stateSchema = v.object({
  version: v.literal(1),
  /** Random; distinguishes the messages of this outbox from those of others. */
  scope: v.string(),
  seen: cursorSchema,
  /** Oldest first. */
  deliveries: v.pipe(v.array(deliverySchema), v.readonly()),
});

/** The whole outbox in one text, so that what was seen and what must be sent never contradict each other. */
export type OutboxState = Readonly<v.InferOutput<typeof stateSchema>>;

/** Undefined if the text is not a valid outbox. */
export function parseOutbox(text: string): OutboxState | undefined {
  try {
    return v.parse(stateSchema, JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Announcements that are already active when the first webhook is set up are not reported. */
export function newOutbox(scope: string, history: HistoryFile, now: number): OutboxState {
  return { version: 1, scope, seen: newEventCursor(history, now), deliveries: [] };
}

/** Maximum number of deliveries, and of the bytes of their bodies. */
const maxDeliveries = 1_000;
const maxBytes = 4 * 1024 * 1024;

/**
 * Adds a delivery for each event and receiver. Returns the same state if nothing happened.
 *
 * @param targets hashes of the URLs of all receivers
 * @param now epoch milliseconds
 */
export function addEvents(
  state: OutboxState,
  history: HistoryFile,
  targets: readonly string[],
  now: number,
): OutboxState {
  const { events, seen } = followActive(history, state.seen, now);
  if (events.length === 0 && seen.changes === state.seen.changes) return state;
  const added = events.flatMap((event) => {
    const { type, at, announcement } = event;
    const body = JSON.stringify({ type: `announcement.${type}`, timestamp: at, data: announcement });
    const id = messageId(state.scope, event);
    return targets.map((target) => ({ id, target, body, attempts: 0, due: now, lease: '' }));
  });
  return { ...state, seen, deliveries: bounded([...state.deliveries, ...added]) };
}

/** Derived from the event, so that an outbox restored from a backup gives a message the same id again. */
function messageId(scope: string, { type, at, changes, announcement }: ActiveEvent): string {
  const hash = createHash('sha256').update(JSON.stringify([scope, type, at, changes, announcement]));
  return `msg_${hash.digest('base64url').slice(0, 32)}`;
}

function bounded(deliveries: readonly WebhookDelivery[]): readonly WebhookDelivery[] {
  let bytes = 0;
  let kept = 0;
  for (const { body } of deliveries.toReversed()) {
    bytes += body.length;
    if (kept === maxDeliveries || bytes > maxBytes) break;
    kept += 1;
  }
  return deliveries.slice(deliveries.length - kept);
}

interface Claim extends Pick<WebhookDelivery, 'lease'> {
  readonly targets: readonly string[];
  readonly now: number;
  /** How long the lease lasts, in milliseconds. */
  readonly leaseFor: number;
}

/**
 * Leases one due delivery for each of these receivers, unless another one to the same receiver is under way.
 */
export function claim(state: OutboxState, { targets, now, leaseFor, lease }: Claim): OutboxState {
  const free = new Set(targets);
  for (const { target, due, lease } of state.deliveries) if (lease !== '' && due > now) free.delete(target);
  const deliveries = state.deliveries.map((delivery) =>
    delivery.due > now || !free.delete(delivery.target)
      ? delivery
      : { ...delivery, due: now + leaseFor, lease },
  );
  const isNew = deliveries.some((delivery, at) => delivery !== state.deliveries[at]);
  return isNew ? { ...state, deliveries } : state;
}

export interface Settlement extends Pick<WebhookDelivery, 'id' | 'target' | 'lease'> {
  /** `released`: the attempt was aborted, so it does not count. */
  readonly result: 'delivered' | 'failed' | 'released';
  readonly now: number;
}

/**
 * Applies the result of an attempt; that of one whose lease has expired in the meantime only if it was
 * delivered. Once a receiver answers again, its other pending deliveries become due at once.
 */
export function settle(state: OutboxState, { id, target, lease, result, now }: Settlement): OutboxState {
  const deliveries = state.deliveries.flatMap((delivery) => {
    if (delivery.target !== target) return delivery;
    const isIt = delivery.id === id;
    if (result === 'delivered') {
      if (isIt) return [];
      return delivery.lease === '' ? { ...delivery, due: Math.min(delivery.due, now) } : delivery;
    }
    if (!isIt || delivery.lease !== lease) return delivery;
    if (result === 'released') return { ...delivery, due: now, lease: '' };
    const attempts = delivery.attempts + 1;
    return { ...delivery, attempts, due: now + backOff(attempts), lease: '' };
  });
  return { ...state, deliveries };
}

const day = 24 * 60 * 60 * 1000;

/** Milliseconds until the next attempt: 1 s after the first, doubled each time, at most a day. */
export function backOff(attempts: number): number {
  return Math.min(1_000 * 2 ** Math.min(attempts - 1, 30), day);
}
