import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockLease, withFolderLock } from '../../../src/kit/files/folder-lock.ts';
import { canUseContainers, containerCommand } from '../../support/container.ts';
import { bundleScript, finished, type ScriptProcess } from './files/script-process.ts';

let dir: string;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-containers-'));
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await rm(dir, { recursive: true, force: true });
});

async function bundle(name: string) {
  const script = await bundleScript(new URL(name, import.meta.url));
  ends.push(() => script.remove());
  return script;
}

/** A process in a container of its own that holds the lock of the folder, and its file there. */
async function startHolder(): Promise<{ holder: ScriptProcess; file: string }> {
  const holder = (await bundle('./content/lock-holder.ts')).startBehind(containerCommand, dir);
  const whole = finished(holder);
  ends.unshift(() => {
    holder.kill('SIGKILL');
    return whole;
  });
  await once(holder.stdout, 'data');
  const [token = ''] = await readdir(join(dir, 'history.lock'));
  return { holder, file: join(dir, 'history.lock', token) };
}

describe.runIf(canUseContainers)('two containers with one host name and one folder', () => {
  test('leave the lock to its holder, and take it over once the holder’s container is gone', async () => {
    const { holder, file } = await startHolder();
    const taken = () => withFolderLock(dir, async () => 'taken', { wait: 500 });
    await expect(taken()).rejects.toThrow(/being changed by process 1 on/);
    holder.kill('SIGKILL');
    await once(holder, 'close');
    await expect(taken(), 'a dead container looks like a living one for a while').rejects.toThrow();
    const silent = new Date(Date.now() - lockLease);
    await utimes(file, silent, silent);
    expect(await taken()).toBe('taken');
  });

  test('publish at the same time without losing a change', async () => {
    const script = await bundle('./content/change-loop.ts');
    const both = ['ada', 'ben'].map((name) =>
      script.startBehind(containerCommand, dir, name, 'publish', '20'),
    );
    expect((await Promise.all(both.map(finished))).map(({ err }) => err)).toEqual(['', '']);
    const { announcements } = JSON.parse(await readFile(join(dir, 'history.json'), 'utf8'));
    expect(new Set(announcements.map(({ id }: { id: string }) => id)).size).toBe(40);
  });
});
