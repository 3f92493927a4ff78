import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSessionTurns } from '../../../../../src/server/stores/redis/sessions/session-turns.ts';

test('work on one session is done in order, work on others meanwhile, and nothing is left at the end', async () => {
  const turns = createSessionTurns();
  const order: string[] = [];
  const work = (name: string, ms: number) => async () => {
    order.push(`${name} begins`);
    await sleep(ms);
    order.push(`${name} ends`);
    return name;
  };
  const done = [
    turns.take('a', work('a1', 30)),
    turns.take('a', async () => {
      order.push('a2 fails');
      throw new Error('refused');
    }),
    turns.take('a', work('a3', 0)),
    turns.take('b', work('b1', 0)),
  ];
  expect(turns.count()).toBe(2);
  const outcomes = await Promise.allSettled(done);
  expect(outcomes.map((each) => (each.status === 'fulfilled' ? each.value : 'failed'))).toEqual([
    'a1',
    'failed',
    'a3',
    'b1',
  ]);
  expect(order.filter((each) => each.startsWith('a'))).toEqual([
    'a1 begins',
    'a1 ends',
    'a2 fails',
    'a3 begins',
    'a3 ends',
  ]);
  expect(order.indexOf('b1 ends')).toBeLessThan(order.indexOf('a1 ends'));
  await expect.poll(() => turns.count()).toBe(0);
});
