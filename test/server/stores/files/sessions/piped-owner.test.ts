import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findAbandonedFolders } from '../../../../../src/server/stores/files/sessions/session-folder.ts';

it('a pipe in the place of the owner of a session folder keeps nobody waiting', {
  timeout: 5_000,
}, async () => {
  const root = await mkdtemp(join(tmpdir(), 'typebadge-pipe-'));
  try {
    const folder = join(root, 'left');
    await mkdir(folder);
    execFileSync('mkfifo', [join(folder, 'owner.json')]);
    expect(await findAbandonedFolders(root)).toEqual([]);
    await utimes(join(folder, 'owner.json'), 1, 1);
    expect(await findAbandonedFolders(root)).toEqual([folder]);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
