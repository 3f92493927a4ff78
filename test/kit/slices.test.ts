import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inSlices, type Steps } from '../../src/kit/slices.ts';

/** Steps of two milliseconds, each more than a slice. */
function* job(count: number, onStep: () => void = () => undefined): Steps<number> {
  for (let at = 0; at < count; at++) {
    const end = performance.now() + 2;
    while (performance.now() < end);
    onStep();
    yield;
  }
  return count;
}

test('long work lets the event loop turn after each slice, and several jobs take turns', async () => {
  const ended: string[] = [];
  let [steps, turns, isOver] = [0, 0, false];
  const jobs = Promise.all([
    inSlices(job(20, () => steps++)).then(() => ended.push('long')),
    inSlices(job(1)).then(() => ended.push('short')),
  ]).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await nextTurn();
    turns++;
  }
  await jobs;
  expect(ended).toEqual(['short', 'long']);
  expect(turns).toBeGreaterThanOrEqual(steps - 1);
});

test('short work is done at once, and what fails rejects with its error', async () => {
  let steps = 0;
  function* short(): Steps<number> {
    steps++;
    yield;
    return steps;
  }
  const result = inSlices(short());
  expect(steps).toBe(1);
  expect(await result).toBe(1);
  // biome-ignore lint/correctness/useYield: it fails before
  const failing = (function* (): Steps<never> {
    throw new Error('failed');
  })();
  await expect(inSlices(failing)).rejects.toThrow('failed');
});
