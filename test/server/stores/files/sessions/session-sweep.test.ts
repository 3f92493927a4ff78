import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../../../../src/server/settings/log.ts';
import { createFileRounds } from '../../../../../src/server/stores/files/rounds/file-rounds.ts';
import { limitRounds } from '../../../../../src/server/stores/files/rounds/round-quota.ts';
import { openSessionFolder } from '../../../../../src/server/stores/files/sessions/session-folder.ts';
import { createSessionLog } from '../../../../../src/server/stores/files/sessions/session-log.ts';
import { createSessionSweep } from '../../../../../src/server/stores/files/sessions/session-sweep.ts';
import { createTakeover } from '../../../../../src/server/stores/files/sessions/session-takeover.ts';
import { createMemorySessions } from '../../../../../src/server/stores/memory/memory-sessions.ts';
import { localPlayer } from '../../../../../src/server/stores/player.ts';
import { RoundsNotKeptError } from '../../../../../src/server/stores/ports.ts';
import { newSession } from '../../../../../src/server/stores/session.ts';
import { toUnsavedRound } from '../../../../../src/server/stores/unsaved-rounds.ts';
import { defaultPractice } from '../../../../../src/typing/modes/practice.ts';
import { newJournalRound, toRoundId } from '../../journal-rounds.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'typebadge-sweep-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

it('closes all unused sessions but those with rounds that cannot be saved, and saves them when there is room', async () => {
  let time = 0;
  const quota = 4_096;
  const log = createLog({ format: 'off' });
  const rounds = limitRounds(createFileRounds({ dataDir, log }), { dataDir, quota, patience: 0 });
  const memory = createMemorySessions({ ttl: 100, limit: 9, now: () => time, ticks: () => time });
  const root = join(dataDir, 'sessions');
  const folder = await openSessionFolder(root);
  const { dir } = folder;
  const sessionLog = createSessionLog({
    dir,
    sessionOf: memory.peek,
    allIds: memory.ids,
    onProblem: () => undefined,
  });
  const parts = {
    dataDir,
    root,
    dir,
    folder,
    memory,
    rounds,
    sessionLog,
    sessionMemory: 1e9,
    sessionTtl: 100,
    log,
  };
  const sweep = createSessionSweep({ ...parts, takeover: createTakeover(parts) });

  const large = newJournalRound(toRoundId(1), Array(500).fill('word'));
  const small = newJournalRound(toRoundId(2), ['one']);
  const open = (id: string, unsaved = [] as (typeof large)[]) =>
    memory.create({ ...newSession(id, defaultPractice, 0), unsaved: unsaved.map(toUnsavedRound) });
  await open('large', [large]);
  await open('small', [small]);
  await open('empty');
  time = 100;
  await open('in use');
  await expect(sweep.removeExpired()).rejects.toBeInstanceOf(RoundsNotKeptError);
  expect([...memory.ids()]).toEqual(['large', 'in use']);
  expect((await rounds.history(localPlayer)).rounds).toBe(1);

  const roomy = createFileRounds({ dataDir, log });
  const next = createSessionSweep({ ...parts, rounds: roomy, takeover: createTakeover(parts) });
  await next.removeExpired();
  expect([...memory.ids()]).toEqual(['in use']);
  expect((await roomy.history(localPlayer)).rounds).toBe(2);
  await roomy.settle();
  await sessionLog.close();
});

it('a folder of sessions that cannot be read is reported once, and stops nothing', async () => {
  const problems: string[] = [];
  const log = createLog({ format: 'json', write: (line) => problems.push(JSON.parse(line).message) });
  const memory = createMemorySessions({ ttl: 100, limit: 9 });
  const root = join(dataDir, 'sessions');
  await writeFile(root, 'no folder');
  const dir = join(dataDir, 'own');
  await mkdir(dir);
  const sessionLog = createSessionLog({
    dir,
    sessionOf: memory.peek,
    allIds: memory.ids,
    onProblem: () => undefined,
  });
  const rounds = createFileRounds({ dataDir, log });
  const takeover = createTakeover({
    dataDir,
    root,
    dir,
    memory,
    rounds,
    sessionLog,
    sessionMemory: 1e9,
    log,
  });
  for (let times = 0; times < 3; times += 1) await takeover.run(0);
  expect(problems).toEqual([expect.stringMatching(/^abandoned sessions cannot be looked for: ENOTDIR/)]);
  expect(await takeover.settle()).toEqual({ hasLeftovers: false });
  await sessionLog.close();
});
