import { createTokenBuckets } from '../../http/limits/token-buckets.ts';
import type { Asking } from '../../stores/player.ts';

/** How much of the disk each client may fill with finished rounds. All clients of one IPv6 block are one. */
export interface RoundAllowance {
  /** Throws `AllowanceUsedUpError` where this client may not begin another round now. */
  expectLeft(asking: Asking): void;
  /** Counts a finished round of so many bytes, whether they are left or not. `isFirst`: the player has no other. */
  charge(asking: Asking, bytes: number, isFirst: boolean): void;
}

export interface RoundAllowanceOptions {
  /** Bytes that the rounds of everybody may take. */
  readonly quota: number;
  /** A clock that never jumps, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/** A client has kept as many bytes of rounds as it may for now. */
export class AllowanceUsedUpError extends Error {
  /** After which it may begin another one. */
  readonly seconds: number;

  constructor(seconds: number) {
    super('this client has used up its allowance of rounds');
    this.name = 'AllowanceUsedUpError';
    this.seconds = seconds;
  }
}

/** Parts of the quota that one client may fill at once, and in an hour in the long run. */
const burstPart = 1 / 32;
const hourlyPart = 1 / 128;
/** What a new file takes of a disk, however little is in it. */
const fileBytes = 4096;
const mostClients = 10_000;

/** A client without a name, as on a server that only this machine can reach, may fill everything. */
export function createRoundAllowance(options: RoundAllowanceOptions): RoundAllowance {
  const { quota, now = () => performance.now() } = options;
  const rate = (quota * hourlyPart) / 3600;
  const buckets = createTokenBuckets({ rate, burst: quota * burstPart, maxBuckets: mostClients });
  const ownerOf = ({ client, block }: Asking) => block ?? client;
  return {
    expectLeft(asking) {
      const owner = ownerOf(asking);
      if (owner === '') return;
      const left = buckets.take(owner, 0, now());
      if (left < 0) throw new AllowanceUsedUpError(Math.max(1, Math.ceil(-left / rate)));
    },
    charge(asking, bytes, isFirst) {
      const owner = ownerOf(asking);
      if (owner !== '') buckets.spend(owner, bytes + (isFirst ? fileBytes : 0), now());
    },
  };
}
