import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createKeyedQueue } from '../../src/kit/keyed-queue.ts';

test('the jobs of one key run in order, and those of other keys meanwhile', async () => {
  const queue = createKeyedQueue();
  const order: string[] = [];
  const work = (name: string, ms: number) => async () => {
    order.push(`${name} begins`);
    await sleep(ms);
    order.push(`${name} ends`);
    return name;
  };
  const done = [
    queue.run('a', work('a1', 30)),
    queue.run('a', async () => {
      order.push('a2 fails');
      throw new Error('refused');
    }),
    queue.run('a', work('a3', 0)),
    queue.run('b', work('b1', 0)),
  ];
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
});
