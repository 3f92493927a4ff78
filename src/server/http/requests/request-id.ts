import { randomFillSync } from 'node:crypto';

const idBytes = 12;
const pool = Buffer.alloc(idBytes * 256);
let used = pool.length;

/** 96 random bits: unlike a counter, they tell a client nothing about other requests. Drawn in bulk, because that is cheaper. */
export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += idBytes;
  return pool.toString('hex', used - idBytes, used);
}
