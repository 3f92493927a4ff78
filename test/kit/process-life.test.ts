import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { processIdentity, processLife } from '../../src/kit/process-life.ts';
import { createZombie } from '../support/zombie.ts';

const [, started = '', ...place] = processIdentity().split(' ');
const isLinux = process.platform === 'linux';
const lifeOf = (pid: number, start: string) => processLife([pid, start, ...place].join(' '));

test('this process is alive, one that has ended is dead, and so is one whose pid was reused', () => {
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  expect(processLife(processIdentity())).toBe('alive');
  expect(lifeOf(gone, started)).toBe('dead');
  expect(processLife(`${gone} ${started} another boot or container`)).toBe('unknown');
  for (const text of ['', '0', `${process.pid}`, 'null']) expect(processLife(text)).toBe('unknown');
  if (isLinux) expect(lifeOf(process.pid, '1')).toBe('dead');
});

test.runIf(isLinux)('a killed process that its parent has not collected is dead', async () => {
  const zombie = await createZombie();
  expect([zombie.started, ''].map((each) => lifeOf(zombie.pid, each))).toEqual(['dead', 'dead']);
  zombie.end();
});
