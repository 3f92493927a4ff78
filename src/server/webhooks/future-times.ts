import { createHash } from 'node:crypto';
import { instantText } from '../../announcements/times/instant.ts';
import type { Log } from '../settings/log.ts';
import { backOff, type OutboxState, type WebhookDelivery } from './outbox-state.ts';

/*
 * A clock that was ahead for a moment leaves times in the outbox that are still to come after it was
 * corrected. Without a check, nothing would be sent until the clock has caught up, which may take days.
 */

/** Milliseconds that the clocks of servers with one outbox may differ. */
const clockSkew = 5 * 60_000;
/**
 * Milliseconds between two corrections: servers whose clocks differ would undo each other's at every look.
 */
const correctEvery = 60 * 60_000;

const isAhead = (time: number, latest: number) => time > latest + clockSkew;

export interface Present {
  /** Epoch milliseconds. */
  readonly now: number;
  /** How long a lease lasts, in milliseconds. */
  readonly leaseFor: number;
}

/** The state without times that cannot have been set now; the same one if there are none. */
export function withoutFuture(state: OutboxState, present: Present): OutboxState {
  const { scope, seen } = state;
  const free = state.deliveries.map((delivery) => withoutFutureTimes(delivery, present));
  const isNew = free.some((delivery, at) => delivery !== state.deliveries[at]);
  const deliveries = isNew ? free : state.deliveries;
  if (!isAhead(Date.parse(seen.at), present.now)) return isNew ? { ...state, deliveries } : state;
  // The announcements are followed from now on: what was reported too early is reported as ended, and again
  // when it starts. A new scope, because a receiver ignores a message whose id it knows.
  const next = createHash('sha256').update(`${scope} ${seen.at}`).digest('base64url').slice(0, scope.length);
  return { ...state, deliveries, scope: next, seen: { ...seen, at: instantText(present.now) } };
}

/** Makes a delivery due whose time or lease ends later than could have been set now. */
function withoutFutureTimes(delivery: WebhookDelivery, { now, leaseFor }: Present): WebhookDelivery {
  const isDueLate = isAhead(delivery.due, now + backOff(delivery.attempts));
  const isLeasedLong = isAhead(delivery.leasedUntil, now + leaseFor);
  if (!isDueLate && !isLeasedLong) return delivery;
  return {
    ...delivery,
    ...(isDueLate && { due: now }),
    ...(isLeasedLong && { leasedUntil: 0, lease: '' }),
  };
}

export interface FutureTimes {
  /** See `withoutFuture`, at most once an hour. */
  correct(state: OutboxState, present: Present): OutboxState;
  /** Call it once a correction has been saved. */
  saved(before: OutboxState, present: Present): void;
}

/** @param ticks monotonic clock, in milliseconds */
export function createFutureTimes(log: Log, ticks = () => performance.now()): FutureTimes {
  let correctedAt = Number.NEGATIVE_INFINITY;
  const correct = (state: OutboxState, present: Present) =>
    ticks() - correctedAt < correctEvery ? state : withoutFuture(state, present);
  return {
    correct,
    saved(before, present) {
      if (correct(before, present) === before) return;
      correctedAt = ticks();
      log.warn(
        'the webhook outbox has times in the future, so a clock was or is wrong: they count as passed',
      );
    },
  };
}
