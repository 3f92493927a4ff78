import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createLog } from '../../../../src/server/settings/log.ts';
import { createFileRounds } from '../../../../src/server/stores/files/rounds/file-rounds.ts';
import { createMemorySessions } from '../../../../src/server/stores/memory/memory-sessions.ts';
import { askingLocally } from '../../../../src/server/stores/player.ts';
import { createGame } from '../../../../src/server/typing/typing-service.ts';
import { defaultPractice } from '../../../../src/typing/modes/practice.ts';
import { newInput } from '../../../../src/typing/round-input.ts';

const dir = await mkdtemp(join(tmpdir(), 'typebadge-removal-'));
afterAll(() => rm(dir, { recursive: true, force: true }));

it('a round that is finished while its session is being removed is saved, or refused', async () => {
  const sessions = createMemorySessions({ ttl: 60_000, limit: 9 });
  const rounds = createFileRounds({ dataDir: dir, log: createLog({ format: 'off' }) });
  rounds.findUnsavedBy(sessions.unsavedOf);
  const stores = { sessions, rounds, addressKey: '' };
  const game = createGame({ stores, seed: 7, clock: () => 1_700_000_000_000 });
  const created = await game.createSession(askingLocally, {
    ...defaultPractice,
    mode: { type: 'text', text: 'a' },
  });
  const id = 'id' in created ? created.id : '';
  const type = async () => {
    await game.startRound(askingLocally, id);
    await game.inputBatch(askingLocally, id, [newInput('a'), newInput(' ', 9)]);
  };
  const finish = () => game.finishRound(askingLocally, id, { start: 1, end: 100, duration: 99 });
  await type();
  expect(await finish()).toBe(true);
  await type();
  // Saving the first round takes a write to disk, and the second one is finished before its end.
  const [isRemoved, isFinished] = await Promise.all([game.deleteSession(askingLocally, id), finish()]);
  expect([isRemoved, isFinished]).toEqual([true, true]);
  expect(await game.hasSession(askingLocally, id)).toBe(false);
  const kept = await game.listRounds(askingLocally, { limit: 9, after: undefined });
  expect(kept?.rounds).toHaveLength(2);
  await rounds.settle();
});
