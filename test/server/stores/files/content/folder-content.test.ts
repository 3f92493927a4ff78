import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
