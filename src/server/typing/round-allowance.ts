import { createTokenBuckets } from '../http/rate-limiter.ts';
import type { Caller } from '../stores/player.ts';

/**
 * Limits how much of the disk each client may fill with finished rounds; all clients in one IPv6 block count
 * as one. The quota alone would not: all players share it, so one client could use it up for everybody.
 */
export interface RoundAllowance {
  /** Throws `AllowanceUsedUpError` if this client may not start another round now. */
  requireLeft(caller: Caller): void;
  /**
   * Counts a finished round of so many bytes, even beyond the allowance. `isFirst`: the player has no other
   * round.
   */
  charge(caller: Caller, bytes: number, isFirst: boolean): void;
}

export interface RoundAllowanceOptions {
  /** Maximum size in bytes of the rounds of all players. */
  readonly quota: number;
  /** Monotonic clock, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/** A client has used up its allowance of bytes for now. */
export class AllowanceUsedUpError extends Error {
  /** Seconds until it may start another round. */
  readonly seconds: number;

  constructor(seconds: number) {
    super('this client has used up its allowance of rounds');
    this.name = 'AllowanceUsedUpError';
    this.seconds = seconds;
  }
}

/** Shares of the quota that one client may fill at once, and per hour in the long term. */
const burstPart = 1 / 32;
const hourlyPart = 1 / 128;
/** Minimum disk space of a new file, in bytes. */
const fileBytes = 4096;
const maxClients = 10_000;

/** The empty client, on a server that only this machine can reach, has no limit. */
export function createRoundAllowance(options: RoundAllowanceOptions): RoundAllowance {
  const { quota, now = () => performance.now() } = options;
  const rate = (quota * hourlyPart) / 3600;
  const buckets = createTokenBuckets({ rate, burst: quota * burstPart, maxBuckets: maxClients });
  const ownerOf = ({ client, block }: Caller) => block ?? client;
  return {
    requireLeft(caller) {
      const owner = ownerOf(caller);
      if (owner === '') return;
      const left = buckets.take(owner, 0, now());
      if (left < 0) throw new AllowanceUsedUpError(Math.max(1, Math.ceil(-left / rate)));
    },
    charge(caller, bytes, isFirst) {
      const owner = ownerOf(caller);
      if (owner !== '') buckets.spend(owner, bytes + (isFirst ? fileBytes : 0), now());
    },
  };
}
