import { HttpError } from '../http/errors.ts';
import { createTokenBuckets } from '../http/rate-limiter.ts';
import type { Caller } from '../stores/player.ts';

export type RoundAllowance = ReturnType<typeof createRoundAllowance>;

/** Shares of the quota that one client may fill at once, and per hour in the long term. */
const burstPart = 1 / 32;
const hourlyPart = 1 / 128;
/** Minimum disk space of a new file, in bytes. */
const fileBytes = 4096;
const maxClients = 10_000;

/**
 * Limits how much of the disk each client may fill with finished rounds; all clients in one IPv6 block count
 * as one. The quota alone would not: all players share it, so one client could use it up for everybody. The
 * one without an address, on a server that only this machine can reach, has no limit.
 *
 * @param quota maximum size in bytes of the rounds of all players
 * @param now monotonic clock, in milliseconds
 */
export function createRoundAllowance(quota: number, now = () => performance.now()) {
  const rate = (quota * hourlyPart) / 3600;
  const buckets = createTokenBuckets({ rate, burst: quota * burstPart, maxBuckets: maxClients });
  const ownerOf = ({ address, block }: Caller) => block ?? address;
  return {
    /** Throws a 429 if this client may not start another round now. */
    requireLeft(caller: Caller): void {
      const owner = ownerOf(caller);
      if (owner === '') return;
      const left = buckets.take(owner, 0, now());
      if (left < 0) throw usedUp(Math.max(1, Math.ceil(-left / rate)));
    },
    /**
     * Counts a finished round of so many bytes, even beyond the allowance. `isFirst`: the player has no other
     * round.
     */
    charge(caller: Caller, bytes: number, isFirst: boolean): void {
      const owner = ownerOf(caller);
      if (owner !== '') buckets.spend(owner, bytes + (isFirst ? fileBytes : 0), now());
    },
  };
}

function usedUp(seconds: number): HttpError {
  const message =
    'Too many rounds were saved for this address. Running rounds continue; start or send another one after the time in Retry-After.';
  return new HttpError('RATE_LIMITED', message, ['Retry-After', String(seconds)]);
}
