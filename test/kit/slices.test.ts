import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inSlices, type Steps } from '../../src/kit/slices.ts';

/** Milliseconds of work in one step, and in one turn of the event loop. */
const stepLength = 2;
const allowance = 8;

function work(): void {
  const end = performance.now() + stepLength;
  while (performance.now() < end);
}

/** Counts the steps of each turn of the event loop while these jobs are done. */
async function stepsOfTurns(start: (onStep: () => void) => Promise<unknown>[]): Promise<number[]> {
  const turns = [0];
  let isDone = false;
  const jobs = Promise.all(start(() => (turns[turns.length - 1] as number)++)).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await nextTurn();
    turns.push(0);
  }
  await jobs;
  return turns;
}

function* job(count: number, onStep: () => void): Steps<number> {
  for (let at = 0; at < count; at++) {
    work();
    onStep();
    yield;
  }
  return count;
}

test('many jobs at once keep a turn of the event loop no longer than one does', async () => {
  const count = 10;
  const turns = await stepsOfTurns((onStep) =>
    Array.from({ length: count }, () => inSlices(job(20, onStep))),
  );
  expect(turns.reduce((sum, steps) => sum + steps)).toBe(count * 20);
  // The step in which the allowance ends is finished; and what began before the first turn counts as part of it.
  expect(Math.max(...turns)).toBeLessThanOrEqual(2 * (allowance / stepLength + 1));
});

test('jobs take turns, so that a short one does not wait for the end of a long one', async () => {
  const ended: string[] = [];
  await Promise.all([
    inSlices(job(60, () => undefined)).then(() => ended.push('long')),
    inSlices(job(1, () => undefined)).then(() => ended.push('short')),
  ]);
  expect(ended).toEqual(['short', 'long']);
});

test('jobs that have begun go on although new ones come all the time', async () => {
  let isDone = false;
  const first = inSlices(job(20, () => undefined)).finally(() => {
    isDone = true;
  });
  const others: Promise<unknown>[] = [];
  while (!isDone) {
    for (let at = 0; at < 2; at += 1) others.push(inSlices(job(1, () => undefined)));
    await nextTurn();
  }
  expect(others.length).toBeLessThan(1_000);
  await Promise.all([first, ...others]);
});

test('jobs that together fit into the allowance begin and end at once', async () => {
  await nextTurn();
  let steps = 0;
  function* short(): Steps<number> {
    yield;
    return ++steps;
  }
  const results = [inSlices(short()), inSlices(short())];
  expect(steps).toBe(2);
  expect(await Promise.all(results)).toEqual([1, 2]);
});

test('a job that fails rejects with its error, and the others go on', async () => {
  function* failing(): Steps<never> {
    for (let at = 0; at < 10; at++) {
      work();
      yield;
    }
    throw new Error('failed');
  }
  const settled = await Promise.allSettled([inSlices(failing()), inSlices(job(10, () => undefined))]);
  expect(settled).toEqual([
    { status: 'rejected', reason: new Error('failed') },
    { status: 'fulfilled', value: 10 },
  ]);
});
