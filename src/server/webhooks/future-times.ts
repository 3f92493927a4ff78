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
 * Milliseconds between two corrections of the moment reached, as long as this server's clock is not set back:
 * servers whose clocks differ would undo each other's at every look.
 */
const restartEvery = 60 * 60_000;

const isAhead = (time: number, latest: number) => time > latest + clockSkew;

export interface Present {
  /** Epoch milliseconds. */
  readonly now: number;
  /** How long a lease lasts, in milliseconds. */
  readonly leaseFor: number;
}

/**
 * Makes deliveries due whose time or lease ends later than could have been set now. Returns the same state if
 * there are none.
 */
export function freeDeliveries(state: OutboxState, { now, leaseFor }: Present): OutboxState {
  let isNew = false;
  const free = (delivery: WebhookDelivery): WebhookDelivery => {
    const isDueLate = isAhead(delivery.due, now + backOff(delivery.attempts));
    const isLeasedLong = isAhead(delivery.leasedUntil, now + leaseFor);
    if (!isDueLate && !isLeasedLong) return delivery;
    isNew = true;
    return {
      ...delivery,
      ...(isDueLate ? { due: now } : {}),
      ...(isLeasedLong ? { leasedUntil: 0, lease: '' } : {}),
    };
  };
  const deliveries = state.deliveries.map(free);
  return isNew ? { ...state, deliveries } : state;
}

/**
 * Follows the announcements from now on if the moment reached is still to come. What had been reported too
 * early is then reported as ended, and again when it starts. A new scope, because a receiver ignores a
 * message whose id it knows.
 */
export function restartSeen(state: OutboxState, now: number): OutboxState {
  const { scope, seen } = state;
  if (!isAhead(Date.parse(seen.at), now)) return state;
  const next = createHash('sha256').update(`${scope} ${seen.at}`).digest('base64url').slice(0, scope.length);
  return { ...state, scope: next, seen: { ...seen, at: instantText(now) } };
}

export interface FutureTimes {
  /** The state without times that cannot have been set now; the same one if there are none. */
  correct(state: OutboxState, present: Present): OutboxState;
  /** Call it once a correction has been saved. */
  saved(before: OutboxState, present: Present): void;
}

/** @param ticks monotonic clock, in milliseconds */
export function createFutureTimes(log: Log, ticks = () => performance.now()): FutureTimes {
  let restartedAt = Number.NEGATIVE_INFINITY;
  let loggedAt = Number.NEGATIVE_INFINITY;
  let offset = Number.NEGATIVE_INFINITY;
  const isOver = (since: number) => ticks() - since >= restartEvery;
  const restart = (state: OutboxState, now: number) =>
    isOver(restartedAt) ? restartSeen(state, now) : state;
  const noteClock = (now: number) => {
    const before = offset;
    offset = now - ticks();
    // This server's own clock was set back, so the time that is ahead is not that of another server.
    if (isAhead(before, offset)) restartedAt = Number.NEGATIVE_INFINITY;
  };
  return {
    correct(state, present) {
      noteClock(present.now);
      return restart(freeDeliveries(state, present), present.now);
    },
    saved(before, present) {
      const isRestarted = restart(before, present.now) !== before;
      if (!isRestarted && freeDeliveries(before, present) === before) return;
      if (isRestarted) restartedAt = ticks();
      if (!isOver(loggedAt)) return;
      loggedAt = ticks();
      log.warn(
        'the outbox of the webhooks has times further ahead than could have been set now, so a clock was or is wrong: they count as passed',
      );
    },
  };
}
