import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageFile, packageRoot } from '../../../src/kit/package-files.ts';
import { createStallWatch, readClock } from '../../../src/tui/input/stall-watch.ts';

function block(ms: number): void {
  const end = readClock() + ms;
  while (readClock() < end);
}

test('if no separate thread can read the terminal, the main thread does', async () => {
  const file = packageFile('test', 'tui', 'input', 'read-without-thread.ts');
  const reading = promisify(execFile)(
    'sh',
    ['-c', '"$0" --import tsx "$1" < /dev/null', process.execPath, file],
    {
      cwd: packageRoot,
    },
  );
  const { isOffThread, texts, times } = JSON.parse((await reading).stdout);
  expect(isOffThread).toBe(false);
  expect(texts).toEqual(['a', 'bc']);
  expect(times).toHaveLength(3);
  expect(times).toEqual(times.toSorted((a: number, b: number) => a - b));
});

test('a delayed thread knows by how much, at the next key and without one', async () => {
  const stalls: number[] = [];
  const watch = createStallWatch({ onStall: (stall) => stalls.push(stall) });
  await new Promise((resolve) => setTimeout(resolve, 50));
  block(200);
  expect(watch.stamp().stall).toBeGreaterThan(150);
  block(200);
  await new Promise((resolve) => setTimeout(resolve, 50));
  watch.stop();
  expect(Math.max(...stalls)).toBeGreaterThan(150);
});

test('no timer runs while nobody types, and the first key after a pause starts it', async () => {
  const watch = createStallWatch({ onStall: () => {}, patience: 60 });
  expect(watch.isAwake).toBe(true);
  while (watch.isAwake) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 200));
  watch.stamp();
  expect(watch.isAwake).toBe(true);
  block(100);
  expect(watch.stamp().stall).toBeGreaterThan(60);
  watch.stop();
  expect(watch.isAwake).toBe(false);
});
