import { expect, test } from 'vitest';
import { createRateLimiter } from '../../../../src/server/http/rate-limiter.ts';

test('a million different clients grow memory by less than 10 MB', () => {
  const limiter = createRateLimiter({ name: 'x', rate: 10, burst: 20 });
  const collect = globalThis.gc as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 1_000_000; i += 1)
    limiter.take(`2001:db8:${(i >> 16).toString(16)}:${(i & 0xffff).toString(16)}::/64`);
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 * 1024 * 1024);
  expect(limiter.take('one more').allowed).toBe(true);
});
