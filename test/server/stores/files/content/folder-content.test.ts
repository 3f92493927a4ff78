import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withFolderLock } from '../../../../../src/kit/files/folder-lock.ts';
import { createFolderContent } from '../../../../../src/server/stores/files/content/folder-content.ts';
import { describeContent } from '../../content-contract.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-content-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describeContent('the content of a folder', async () => createFolderContent(dir));

test('only the owner can read the editors, even after a change', async () => {
  const content = createFolderContent(dir);
  for (const text of ['{}', '{"editors":[]}']) {
    await content.update('editors.json', () => ({ text, result: undefined }));
    expect((await stat(join(dir, 'editors.json'))).mode & 0o777).toBe(0o600);
  }
  expect(await readdir(dir)).toEqual(['editors.json']);
});

test('while another program changes the folder for longer than one waits, it is said that nothing was changed', async () => {
  const content = createFolderContent(dir, { wait: 50 });
  await withFolderLock(dir, async () => {
    const change = content.update('history.json', () => ({ text: '{}', result: undefined }));
    await expect(change).rejects.toThrow(/\. Nothing was changed: try again$/);
    await expect(change).rejects.not.toThrow(/cannot be written/);
  });
  expect(await content.read('history.json')).toBeUndefined();
});

test('a file that cannot be read is named, with the reason', async () => {
  await mkdir(join(dir, 'history.json'));
  const content = createFolderContent(dir);
  await expect(content.read('history.json')).rejects.toThrow(/history\.json cannot be read: it is /);
  await expect(content.update('history.json', () => ({ text: '{}', result: undefined }))).rejects.toThrow(
    /history\.json cannot be read: it is /,
  );
});
