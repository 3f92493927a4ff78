import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parseProcessIdentity, processLife, readProcessIdentity } from '../../src/kit/process-life.ts';
import { createZombie } from '../support/zombie.ts';

const own = readProcessIdentity();
const isLinux = process.platform === 'linux';

test('this process is alive, one that has ended is dead, and so is one whose pid was reused', () => {
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  expect(processLife(own)).toBe('alive');
  expect(processLife({ ...own, pid: gone })).toBe('dead');
  expect(processLife({ ...own, pid: gone, place: 'another boot or container' })).toBe('unknown');
  if (isLinux) expect(processLife({ ...own, started: '1' })).toBe('dead');
});

test.runIf(isLinux)('a killed process that its parent has not collected is dead', async () => {
  const { pid, started, end } = await createZombie();
  expect([started, ''].map((each) => processLife({ ...own, pid, started: each }))).toEqual(['dead', 'dead']);
  end();
});

test('text of anybody does not identify a process', () => {
  const foreign = [{ pid: 0, host: 'h' }, { pid: '7', host: 'h' }, { pid: 7, host: 'h', place: 3 }, null];
  expect(foreign.map(parseProcessIdentity)).toEqual(foreign.map(() => undefined));
  expect(parseProcessIdentity({ pid: 7, host: 'h' })).toMatchObject({ pid: 7, host: 'h' });
});
