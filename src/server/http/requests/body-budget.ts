import { toBlock } from '../../../kit/client-block.ts';

/** The memory that the bodies of all requests together may take while they are read. */
export interface BodyBudget {
  /** Whether there is room for this many more bytes of this client; if so, they are taken. */
  take(client: string, bytes: number): boolean;
  giveBack(client: string, bytes: number): void;
}

/** Of what there is, a client and those in its block may take one part in so many. */
const parts = 4;

/** @param maxBytes of all large bodies together. Default: 32 MiB. */
export function createBodyBudget(maxBytes = 32 * 1024 * 1024): BodyBudget {
  let taken = 0;
  /** Of the clients that send large bodies now. */
  const takenBy = new Map<string, number>();
  return {
    take(client, bytes) {
      const block = toBlock(client) ?? client;
      const own = (takenBy.get(block) ?? 0) + bytes;
      if (taken + bytes > maxBytes || own > maxBytes / parts) return false;
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
