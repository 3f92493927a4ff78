import { toBlock } from '../../../kit/client-block.ts';

/** The memory that the bodies of all requests together may use while they are read. */
export interface BodyBudget {
  /** Reserves this many more bytes for a client. False: there is no room, and nothing is reserved. */
  take(client: string, bytes: number): boolean;
  giveBack(client: string, bytes: number): void;
}

/**
 * A client, together with its block, may hold this fraction (one in so many parts) of what stays free for others. So however much
 * is taken, a client that comes later still gets a share of the rest.
 */
const parts = 4;

/** @param maxBytes limit of all large bodies together. Default: 32 MiB. */
export function createBodyBudget(maxBytes = 32 * 1024 * 1024): BodyBudget {
  let taken = 0;
  /** Bytes by client, for those that are sending large bodies now. */
  const takenBy = new Map<string, number>();
  return {
    take(client, bytes) {
      const block = toBlock(client) ?? client;
      const own = (takenBy.get(block) ?? 0) + bytes;
      if (own > (maxBytes - taken - bytes) / parts) return false;
      taken += bytes;
      takenBy.set(block, own);
      return true;
    },
    giveBack(client, bytes) {
      if (bytes === 0) return;
      const block = toBlock(client) ?? client;
      const own = (takenBy.get(block) ?? 0) - bytes;
      taken -= bytes;
      if (own > 0) takenBy.set(block, own);
      else takenBy.delete(block);
    },
  };
}
