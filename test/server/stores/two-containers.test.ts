import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { lockLease, withFolderLock } from '../../../src/kit/files/folder-lock.ts';
import { canUseContainers, containerCommand } from '../../support/container.ts';
import { bundleScript, finished } from './files/script-process.ts';

const dir = await mkdtemp(join(tmpdir(), 'typebadge-containers-'));
const script = await bundleScript(new URL('./content/lock-holder.ts', import.meta.url));
afterAll(async () => {
  await script.remove();
  await rm(dir, { recursive: true, force: true });
});

describe.runIf(canUseContainers)('two containers with one host name and one folder', () => {
  test('leave the lock to its holder, and take it over once the holder’s container is gone', async () => {
    const holder = script.startBehind(containerCommand, dir);
    const whole = finished(holder);
    await once(holder.stdout, 'data');
    const [token = ''] = await readdir(join(dir, 'history.lock'));
    const file = join(dir, 'history.lock', token);
    const taken = () => withFolderLock(dir, async () => 'taken', { wait: 500 });
    await expect(taken()).rejects.toThrow(/being changed by process 1 on/);
    holder.kill('SIGKILL');
    await whole;
    await expect(taken(), 'a dead container looks like a living one for a while').rejects.toThrow();
    const silent = new Date(Date.now() - lockLease);
    await utimes(file, silent, silent);
    expect(await taken()).toBe('taken');
  });

  test('publish at the same time without losing a change', async () => {
    const changes = await bundleScript(new URL('./content/change-loop.ts', import.meta.url));
    const folder = await mkdtemp(join(dir, 'content-'));
    const both = ['ada', 'ben'].map((name) =>
      changes.startBehind(containerCommand, folder, name, 'publish', '20'),
    );
    expect((await Promise.all(both.map(finished))).map(({ err }) => err)).toEqual(['', '']);
    await changes.remove();
    const { announcements } = JSON.parse(await readFile(join(folder, 'history.json'), 'utf8'));
    expect(new Set(announcements.map(({ id }: { id: string }) => id)).size).toBe(40);
  });
});
