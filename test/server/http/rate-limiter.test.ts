import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createRateLimiter,
  createSharedLimiter,
  createTokenBuckets,
} from '../../../src/server/http/rate-limiter.ts';
import type { LimitPolicy } from '../../../src/server/settings/limits.ts';

function createClock() {
  let time = 0;
  return { now: () => time, pass: (milliseconds: number) => (time += milliseconds) };
}

const headerOf = (headers: readonly string[], name: string) => headers[headers.indexOf(name) + 1];

test('the headers count down and contain the policy', () => {
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

test('a client that waits as long as Retry-After says is allowed', () => {
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
  // About as fast as tokens come, so that the bucket is empty most of the time.
  const steps = fc.array(fc.integer({ min: 0, max: 190 }), { minLength: 50, maxLength: 200 });
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

test('a request may cost several tokens: it takes all of them or none', () => {
  const clock = createClock();
  const limiter = createRateLimiter({ name: 'api', rate: 10, burst: 20, now: clock.now });
  expect(limiter.take('a', 15).allowed).toBe(true);
  const { allowed, headers } = limiter.take('a', 8);
  expect([allowed, headerOf(headers, 'RateLimit'), headerOf(headers, 'Retry-After')]).toEqual([
    false,
    '"api";r=5;t=2',
    '1',
  ]);
  expect(limiter.take('a', 5).allowed).toBe(true);
  expect(limiter.take('a').allowed).toBe(false);
});

test('a request that costs more than the burst is allowed if the bucket is full, and empties it', () => {
  const clock = createClock();
  const limiter = createRateLimiter({ name: 'api', rate: 10, burst: 20, now: clock.now });
  expect(limiter.take('a', 1_000).allowed).toBe(true);
  expect(limiter.take('a').allowed).toBe(false);
  const { allowed, headers } = limiter.take('a', 1_000);
  expect([allowed, headerOf(headers, 'Retry-After')]).toEqual([false, '2']);
  clock.pass(2_000);
  expect(limiter.take('a', 1_000).allowed).toBe(true);
});

test('all clients in one /48 of IPv6 together get what sixteen clients get, and the next /48 has its own', () => {
  const limiter = createRateLimiter({ name: 'x', rate: 10, burst: 20, now: () => 0 });
  let allowed = 0;
  for (let site = 0; site < 1_000; site += 1) {
    for (let asked = 0; asked < 20; asked += 1) {
      if (limiter.take(`2001:db8:1:${site.toString(16)}::/64`).allowed) allowed += 1;
    }
  }
  expect(allowed).toBe(16 * 20);
  expect(limiter.take('2001:db8:1:ffff::/64').allowed).toBe(false);
  expect(limiter.take('2001:db8:2:0::/64').allowed).toBe(true);
  expect(limiter.take('2001:db81:0:0::/64').allowed).toBe(true);
});

test('a client over its own limit takes nothing from its neighbours in the /48', () => {
  const limiter = createRateLimiter({ name: 'x', rate: 10, burst: 20, now: () => 0 });
  for (let asked = 0; asked < 10_000; asked += 1) limiter.take('2001:db8:1:1::/64');
  const neighbours = Array.from({ length: 15 * 20 }, (_, at) =>
    limiter.take(`2001:db8:1:${2 + (at % 15)}::/64`),
  );
  expect(neighbours.every(({ allowed }) => allowed)).toBe(true);
});

test('law: the limiter remembers the clients seen last, and forgets others sooner or later', () => {
  const clients = fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 100 });
  fc.assert(
    fc.property(clients, fc.integer({ min: 1, max: 6 }), (caller, maxClients) => {
      const limiter = createRateLimiter({ name: 'x', rate: 1, burst: 1, maxClients, now: () => 0 });
      let seen: number[] = [];
      for (const client of caller) {
        const { allowed } = limiter.take(String(client));
        const age = seen.indexOf(client);
        if (age >= 0 && age < maxClients) expect(allowed).toBe(false);
        if (age < 0 || age >= 2 * maxClients) expect(allowed).toBe(true);
        seen = [client, ...seen.filter((other) => other !== client)];
      }
    }),
  );
});

const policy = { name: 'api', rate: 10, burst: 5 };

/** Buckets of several servers, in memory. */
function newCommon() {
  let time = 0;
  let isAway = false;
  const own = createTokenBuckets({ rate: policy.rate, burst: policy.burst, maxBuckets: 100 });
  const wide = createTokenBuckets({ rate: 160, burst: 80, maxBuckets: 100 });
  const meter = async ([client, block]: readonly LimitPolicy[], cost: number) => {
    if (isAway || client === undefined) return undefined;
    const left = own.take(client.name, cost, time);
    if (left < 0) return { allowed: false, left: left + cost, wait: (-left / policy.rate) * 1_000 };
    if (block !== undefined && wide.take(block.name, cost, time) < 0)
      return { allowed: false, left: 0, wait: 6 };
    return { allowed: true, left, wait: 0 };
  };
  return {
    open: () => createSharedLimiter({ ...policy, meter, maxClients: 50, now: () => time }),
    alone: () => createRateLimiter({ ...policy, now: () => time }),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    leave: () => {
      isAway = true;
    },
  };
}

test('clients without IPv6 have no bucket in common, however many there are', async () => {
  const { open } = newCommon();
  for (const { take } of [open(), createRateLimiter(policy)])
    for (let host = 1; host <= 40; host += 1)
      for (let left = policy.burst; left > 0; left -= 1)
        expect((await take(`192.0.2.${host}`, 1)).allowed, `192.0.2.${host}`).toBe(true);
});

test('law: a client gets the same verdicts and headers from several servers as from one', async () => {
  const client = fc.oneof(
    fc.constantFrom('192.0.2.1', '192.0.2.2', '2001:db8:2:1::/64'),
    fc.nat(30).map((site) => `2001:db8:1:${site}::/64`),
  );
  const cost = fc.integer({ min: 1, max: 7 });
  const paid = fc.oneof(fc.constant(0), fc.nat(6));
  // Seldom, so that all clients of a block together reach its limit.
  const pause = fc.oneof({ weight: 19, arbitrary: fc.constant(0) }, fc.nat(200));
  const step = fc.tuple(client, cost, paid, pause);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 200 }), async (steps) => {
      const common = newCommon();
      const servers = [common.open(), common.open(), common.open()];
      const alone = common.alone();
      for (const [at, [client, cost, paid, pause]] of steps.entries()) {
        expect(await servers[at % 3]?.take(client, cost, paid)).toEqual(alone.take(client, cost, paid));
        common.pass(pause);
      }
    }),
  );
});

test('while the buckets cannot be reached, each server counts on its own', async () => {
  const common = newCommon();
  common.leave();
  const [one, other] = [common.open(), common.open()];
  for (const limiter of [one, other]) {
    const verdicts = [];
    for (let at = 0; at < 8; at += 1) verdicts.push((await limiter.take('192.0.2.1')).allowed);
    expect(verdicts.filter(Boolean)).toHaveLength(policy.burst);
  }
});

test.each([
  ['one server', (common: ReturnType<typeof newCommon>) => common.alone()],
  ['several servers', (common: ReturnType<typeof newCommon>) => common.open()],
])(
  'of %s: the cost of one request in parts can be paid by a full bucket, at the time that a refusal names',
  async (_, open) => {
    const common = newCommon();
    const limiter = open(common);
    const ask = async () => {
      const parts = [
        await limiter.take('192.0.2.1', 1, 0),
        await limiter.take('192.0.2.1', 2, 1),
        await limiter.take('192.0.2.1', 40, 3),
      ];
      return parts.find(({ allowed }) => !allowed);
    };
    expect(await ask()).toBeUndefined();
    const refused = await ask();
    expect(refused).toBeDefined();
    common.pass(1_000);
    expect(await ask()).toBeUndefined();
  },
);
