import { expect, test } from 'vitest';
import {
  createRateLimiter,
  createSharedLimiter,
  createTokenBuckets,
  type SharedBucket,
} from '../../../../src/server/http/rate-limiter.ts';

const policy = { name: 'api', rate: 10, burst: 5 };

/** Buckets of several servers, in memory, with a count of the trips to them. */
function newCommon() {
  let time = 0;
  let trips = 0;
  let isAway = false;
  const own = createTokenBuckets({ rate: policy.rate, burst: policy.burst, maxBuckets: 100 });
  const wide = createTokenBuckets({ rate: 160, burst: 80, maxBuckets: 100 });
  const meter = async ([client, block]: readonly SharedBucket[], cost: number) => {
    trips += 1;
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
    trips: () => trips,
    leave: () => {
      isAway = true;
    },
  };
}

test('a client gets the same verdicts and headers as from a limiter of one server', async () => {
  const common = newCommon();
  const servers = [common.open(), common.open(), common.open()];
  let time = 0;
  const alone = createRateLimiter({ ...policy, now: () => time });
  for (let at = 0; at < 60; at += 1) {
    const client = at % 4 === 0 ? '2001:db8:1:2::/64' : '192.0.2.1';
    const cost = 1 + (at % 3);
    expect(await servers[at % 3]?.take(client, cost)).toEqual(alone.take(client, cost));
    common.pass(70);
    time += 70;
  }
});

test('a refused client costs no round trip until it may come again', async () => {
  const common = newCommon();
  const limiter = common.open();
  for (let at = 0; at < 5; at += 1) await limiter.take('192.0.2.1');
  expect((await limiter.take('192.0.2.1')).allowed).toBe(false);
  expect(common.trips()).toBe(6);
  common.pass(99);
  for (let at = 0; at < 1_000; at += 1) expect((await limiter.take('192.0.2.1')).allowed).toBe(false);
  expect(common.trips()).toBe(6);
  common.pass(1);
  expect((await limiter.take('192.0.2.1')).allowed).toBe(true);
});

test('a refusal of many tokens is not a refusal of a few', async () => {
  const common = newCommon();
  const limiter = common.open();
  await limiter.take('192.0.2.1', 3);
  expect((await limiter.take('192.0.2.1', 4)).allowed).toBe(false);
  expect((await limiter.take('192.0.2.1', 2)).allowed).toBe(true);
});

test('a million refused clients are remembered in bounded memory', async () => {
  const common = newCommon();
  const limiter = common.open();
  for (let at = 0; at < 5; at += 1) await limiter.take('first');
  await limiter.take('first');
  const before = common.trips();
  for (let client = 0; client < 60; client += 1) {
    for (let at = 0; at < 6; at += 1) await limiter.take(`client ${client}`);
  }
  // The first was forgotten, so it is asked for again, and refused as before.
  expect((await limiter.take('first')).allowed).toBe(false);
  expect(common.trips()).toBe(before + 60 * 6 + 1);
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
