import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createArrivals } from '../../../../../src/server/http/connections/turns/arrivals.ts';

/** How many turns of the event loop are waited for while connections arrive in the first so many of them. */
async function turnsWaited(arriving: number): Promise<number> {
  const arrivals = createArrivals();
  let isOver = false;
  arrivals.whenOver(() => {
    isOver = true;
  });
  for (let turn = 0; turn < 1_000; turn += 1) {
    if (isOver) return turn;
    if (turn < arriving) arrivals.note();
    await nextTurn();
  }
  throw new Error('waited without an end');
}

test('work waits as long as each turn brings a connection, but a flood of them does not keep it waiting for good', async () => {
  const waits = await Promise.all([1, 6, 11, 21].map(turnsWaited));
  const [least] = waits as [number];
  expect(waits.map((turns) => turns - least)).toEqual([0, 5, 10, 20]);
  expect(await turnsWaited(1_000)).toBeLessThan(50);
});
