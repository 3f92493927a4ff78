import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../../../../src/server/settings/log.ts';
import { openFileStores } from '../../../../../src/server/stores/files/file-stores.ts';
import { localPlayer } from '../../../../../src/server/stores/player.ts';
import { newSession } from '../../../../../src/server/stores/session.ts';
import { defaultPractice } from '../../../../../src/typing/modes/practice.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'typebadge-file-sessions-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

it('the sessions of a player are not reported as gone while that cannot be written down', async () => {
  const stores = await openFileStores({
    dataDir,
    contentDir: join(dataDir, 'content'),
    roundQuota: 1e9,
    sessionTtl: 60_000,
    maxSessions: 9,
    clock: Date.now,
    sessionMemory: 1e9,
    log: createLog({ format: 'off' }),
  });
  await stores.sessions.create(newSession('one', defaultPractice, 0));
  await rm(join(dataDir, 'sessions'), { recursive: true });
  await writeFile(join(dataDir, 'sessions'), 'no folder');
  await expect(stores.sessions.forget(localPlayer)).rejects.toThrow('could not be written to disk');
  await rm(join(dataDir, 'sessions'));
  await stores.close();
});
