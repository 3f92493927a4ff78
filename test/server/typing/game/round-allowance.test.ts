import { expect, it } from 'vitest';
import type { HttpError } from '../../../../src/server/http/errors.ts';
import { createRoundAllowance } from '../../../../src/server/typing/round-allowance.ts';

const gibibyte = 2 ** 30;
const caller = (address: string, block?: string) => ({
  player: 'key',
  address,
  ...(block !== undefined && { block }),
});

function open(quota: number) {
  let time = 0;
  const allowance = createRoundAllowance(quota, () => time);
  return {
    ...allowance,
    pass: (ms: number) => {
      time += ms;
    },
    /** Seconds to wait before the next round; 0 where none. */
    wait(who: ReturnType<typeof caller>) {
      try {
        allowance.requireLeft(who);
        return 0;
      } catch (error) {
        const { status, headers } = error as HttpError;
        expect([status, headers[0]]).toEqual([429, 'Retry-After']);
        return Number(headers[1]);
      }
    },
  };
}

it('a class of 30 behind one address that types all day, a round a minute each, never reaches the limit', () => {
  const { charge, wait, pass } = open(gibibyte);
  const school = caller('school');
  for (let minute = 0; minute < 8 * 60; minute++) {
    for (let typist = 0; typist < 30; typist++) {
      expect(wait(school)).toBe(0);
      charge(school, 3_300, minute === 0);
    }
    pass(60_000);
  }
});

it('one address that invents a player for each round fills a thirty-second of the quota, and then a share each hour', () => {
  const { charge, wait, pass } = open(gibibyte);
  const stranger = caller('stranger');
  let bytes = 0;
  for (let minute = 0; minute < 24 * 60; minute++) {
    while (wait(stranger) === 0) {
      charge(stranger, 20_000, true);
      bytes += 20_000;
    }
    pass(60_000);
  }
  expect(bytes).toBeGreaterThan(gibibyte / 32);
  expect(bytes).toBeLessThan(gibibyte / 32 + (24 * gibibyte) / 128);
  expect(wait(caller('somebody else'))).toBe(0);
});

it('all addresses of one block share one allowance, and a first round costs a file', () => {
  const { charge, wait } = open(32 * 5_500);
  charge(caller('a', 'block'), 1_000, true);
  expect(wait(caller('b', 'block'))).toBe(0);
  charge(caller('b', 'block'), 1_000, false);
  expect(wait(caller('c', 'block'))).toBeGreaterThan(1);
  expect(wait(caller('c', 'other block'))).toBe(0);
});

it('no address, as on a server that only this machine can reach, has no limit', () => {
  const { charge, wait } = open(32);
  charge(caller(''), 1e9, true);
  expect(wait(caller(''))).toBe(0);
});
