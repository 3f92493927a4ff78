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

test.for([
  [{ pid: 7, host: 'h' }, true],
  [{ pid: 7, host: 'h', started: '5', place: 'b n' }, true],
  [{ pid: 0, host: 'h' }, false],
  [{ pid: '7', host: 'h' }, false],
  [{ pid: 7, host: 'h', place: 3 }, false],
  [null, false],
] as const)('%j identifies a process: %s', ([value, isIdentity]) => {
  expect(parseProcessIdentity(value) !== undefined).toBe(isIdentity);
});
