import { spawnSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { parseProcessIdentity, processLife, readProcessIdentity } from '../../src/kit/process-life.ts';
import { createZombie } from '../support/zombie.ts';

const gone = spawnSync(process.execPath, ['-e', '']).pid;
const isLinux = process.platform === 'linux';

test('this process is alive, one that has ended is dead, and so is one whose pid was reused', () => {
  expect(processLife(readProcessIdentity())).toBe('alive');
  expect(processLife({ ...readProcessIdentity(), pid: gone })).toBe('dead');
  if (isLinux) expect(processLife({ ...readProcessIdentity(), started: '1' })).toBe('dead');
});

let zombie: Awaited<ReturnType<typeof createZombie>> | undefined;
afterEach(() => zombie?.end());

test.runIf(isLinux)('a killed process that its parent has not collected is dead, with any mark', async () => {
  zombie = await createZombie();
  const { pid, started } = zombie;
  const own = readProcessIdentity();
  expect(processLife({ ...own, pid, started })).toBe('dead');
  expect(processLife({ ...own, pid, started: null })).toBe('dead');
});

test.runIf(isLinux).each([
  ['in another container', { namespace: 'pid:[1]' }],
  ['before the machine started again', { boot: 'another' }],
  ['of an unknown boot and container', { boot: null, namespace: null }],
  ['that may not read its boot id, on another computer', { boot: null, host: 'elsewhere' }],
])('a process %s is unknown', (_, place) => {
  expect(processLife({ ...readProcessIdentity(), pid: gone, ...place })).toBe('unknown');
});

test.each([
  [{ pid: 7, host: 'h', started: null }, true],
  [{ pid: 7, host: 'h', started: '5', boot: 'b', namespace: 'n' }, true],
  [{ pid: 0, host: 'h', started: null }, false],
  [{ pid: -1, host: 'h', started: null }, false],
  [{ pid: 7.5, host: 'h', started: null }, false],
  [{ pid: '7', host: 'h', started: null }, false],
  [{ pid: 7, host: 'h' }, false],
  [{ pid: 7, host: 'h', started: null, boot: 3 }, false],
  [{ ended: true }, false],
  ['text', false],
  [null, false],
])('%j is a mark: %s', (value, isMark) => {
  expect(parseProcessIdentity(value) !== undefined).toBe(isMark);
});
