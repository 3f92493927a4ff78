import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withFolderLock } from '../../src/kit/files/folder-lock.ts';
import { canSetClock, createFalseClock } from '../support/false-clock.ts';
import { lasting } from '../support/test-server.ts';
import { runTypebadge } from '../support/typebadge-process.ts';

let dir: string;
let content: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-lock-clock-'));
  content = join(dir, 'content');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe.skipIf(!canSetClock)('an editor with a clock that differs from the computer’s', () => {
  test.each([
    ['a day ahead', 86_400],
    ['a day behind', -86_400],
  ])('%s waits for a living owner of the lock elsewhere', async (_, seconds) => {
    const clock = createFalseClock(dir);
    clock.jumpTo(seconds);
    await mkdir(content);
    const history = join(content, 'history.json');
    const before = JSON.stringify({ announcements: [lasting] });
    await writeFile(history, before);
    const publish = async () =>
      runTypebadge(['announce', 'publish', 'x', '--content', content], { env: clock.env });
    let publishing: ReturnType<typeof publish> | undefined;
    await withFolderLock(content, async (confirm) => {
      const [token = ''] = await readdir(join(content, 'history.lock'));
      // Only its file tells the other one that it lives.
      await writeFile(join(content, 'history.lock', token), 'process 1 on elsewhere');
      publishing = publish();
      await sleep(3_000);
      await confirm();
      expect(await readFile(history, 'utf8')).toBe(before);
    });
    expect(await publishing).toMatchObject({ code: 0 });
    expect(await readFile(history, 'utf8')).not.toBe(before);
  });
});
