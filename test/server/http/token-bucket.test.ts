import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRateLimiter } from '../../../src/server/http/token-bucket.ts';

function createClock() {
  let time = 0;
  return { now: () => time, pass: (milliseconds: number) => (time += milliseconds) };
}

const headerOf = (headers: readonly string[], name: string) => headers[headers.indexOf(name) + 1];

test('a fresh client may send the burst at once, and not one more', () => {
  const clock = createClock();
  const limiter = createRateLimiter({ name: 'content', rate: 10, burst: 20, now: clock.now });
  const verdicts = Array.from({ length: 21 }, () => limiter.take('a'));
  expect(verdicts.map(({ allowed }) => allowed)).toEqual([...Array(20).fill(true), false]);
});

test('the headers count down and tell the policy', () => {
  const limiter = createRateLimiter({ name: 'content', rate: 10, burst: 3, now: () => 0 });
  const seen = Array.from({ length: 4 }, () => limiter.take('a').headers);
  expect(seen.map((headers) => headerOf(headers, 'RateLimit'))).toEqual([
    '"content";r=2;t=1',
    '"content";r=1;t=1',
    '"content";r=0;t=1',
    '"content";r=0;t=1',
  ]);
  expect(headerOf(seen[0] ?? [], 'RateLimit-Policy')).toBe('"content";q=3;w=1');
  expect(seen.map((headers) => headers.includes('Retry-After'))).toEqual([false, false, false, true]);
});

test('whoever waits as long as Retry-After says passes', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.05, max: 50, noNaN: true }),
      fc.integer({ min: 1, max: 60 }),
      (rate, burst) => {
        const clock = createClock();
        const limiter = createRateLimiter({ name: 'x', rate, burst, now: clock.now });
        for (let i = 0; i < burst; i += 1) limiter.take('a');
        const { allowed, headers } = limiter.take('a');
        if (allowed) return false;
        const seconds = Number(headerOf(headers, 'Retry-After'));
        clock.pass(seconds * 1000);
        return Number.isInteger(seconds) && seconds >= 1 && limiter.take('a').allowed;
      },
    ),
  );
});

test('over any stretch of time no more than burst + rate × seconds pass, and a patient client loses nothing', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (waits) => {
      const clock = createClock();
      const limiter = createRateLimiter({ name: 'x', rate: 10, burst: 20, now: clock.now });
      let passed = 0;
      let tokens = 20;
      for (const wait of waits) {
        clock.pass(wait);
        tokens = Math.min(20, tokens + wait / 100);
        const owed = tokens >= 1 - 1e-9;
        const { allowed } = limiter.take('a');
        // At the very edge the two sums of fractions may disagree by a rounding error.
        if (allowed !== owed && Math.abs(tokens - 1) > 1e-6) return false;
        if (!allowed) continue;
        tokens -= 1;
        passed += 1;
      }
      return passed <= 20 + (clock.now() / 1000) * 10 + 1e-6;
    }),
  );
});

test('clients do not disturb each other', () => {
  const limiter = createRateLimiter({ name: 'x', rate: 1, burst: 2, now: () => 0 });
  limiter.take('a');
  limiter.take('a');
  expect(limiter.take('a').allowed).toBe(false);
  expect(limiter.take('b').allowed).toBe(true);
});

test('the client that was not seen for longest is forgotten first', () => {
  const limiter = createRateLimiter({ name: 'x', rate: 1, burst: 1, maxClients: 2, now: () => 0 });
  limiter.take('a');
  limiter.take('b');
  limiter.take('a');
  limiter.take('c');
  expect(limiter.take('a').allowed).toBe(false);
  expect(limiter.take('b').allowed).toBe(true);
});

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
