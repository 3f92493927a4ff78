import { PassThrough } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { expect, test } from 'vitest';
import { startKeySource } from '../../../src/tui/input/key-source.ts';
import type { Reading } from '../../../src/tui/input/key-timing.ts';
import { createStallWatch, readClock } from '../../../src/tui/input/stall-watch.ts';

function block(ms: number): void {
  const end = readClock() + ms;
  while (readClock() < end);
}

test('where no thread of its own can read the terminal, this one does', async () => {
  const stdin = new PassThrough();
  const readings: Reading[] = [];
  let isGone = false;
  const source = await startKeySource(stdin as unknown as ReadStream, {
    onReading: (reading) => readings.push(reading),
    onStall() {},
    onGone() {
      isGone = true;
    },
  });
  expect(source.isOffThread).toBe(false);
  const before = readClock();
  stdin.write('a');
  await new Promise(setImmediate);
  stdin.write('bc');
  await new Promise(setImmediate);
  expect(readings.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['a', 'bc']);
  const times = readings.map(({ time }) => time);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times[0]).toBeGreaterThanOrEqual(before);
  stdin.end();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isGone).toBe(true);
  await source.stop();
});

test('a thread that was held up knows by how much, at the next key and without one', async () => {
  const stalls: number[] = [];
  const watch = createStallWatch((stall) => stalls.push(stall));
  await new Promise((resolve) => setTimeout(resolve, 50));
  block(200);
  expect(watch.stamp().stall).toBeGreaterThan(150);
  block(200);
  await new Promise((resolve) => setTimeout(resolve, 50));
  watch.stop();
  expect(Math.max(...stalls)).toBeGreaterThan(150);
});
