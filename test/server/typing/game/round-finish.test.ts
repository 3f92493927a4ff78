import { expect, it } from 'vitest';
import { localPlayer } from '../../../../src/server/stores/player.ts';
import { openTestGame, typedSession, typeRound } from './test-game.ts';

it('a crash between storing a round and updating its session is repaired by repeating the timing', async () => {
  let isCut = true;
  const { game, rounds } = await openTestGame((stored) => ({
    async add(...args) {
      const added = await stored.add(...args);
      if (isCut) throw new Error('the reply is lost');
      return added;
    },
  }));
  const id = await typedSession(game);
  await expect(game.timing(id, 99)).rejects.toThrow('the reply is lost');
  isCut = false;
  await expect(game.timing(id, 98)).rejects.toThrow('INVALID_REQUEST');
  expect(await game.sessionStatistics(id)).not.toMatchObject({ time_seconds: 0.099 });
  for (let times = 0; times < 3; times += 1) expect(await game.timing(id, 99)).toEqual({ success: true });
  // As they were before the round: it is the first.
  expect(await game.sessionStatistics(id)).toMatchObject({
    time_seconds: 0.099,
    is_new_best_wpm: true,
    is_new_best_accuracy: true,
    is_new_best_time: true,
  });
  expect((await rounds.history(localPlayer)).rounds).toBe(1);
});

it('a round that could not be stored has no timing, and can be finished later', async () => {
  let isFull = true;
  const { game, rounds } = await openTestGame((stored) => ({
    async add(...args) {
      if (isFull) throw new Error('no room');
      return stored.add(...args);
    },
  }));
  const id = await typedSession(game);
  await expect(game.timing(id, 99)).rejects.toThrow('no room');
  expect((await rounds.history(localPlayer)).rounds).toBe(0);
  isFull = false;
  expect(await game.timing(id, 50)).toEqual({ success: true });
  expect((await rounds.history(localPlayer)).rounds).toBe(1);
});

it('a round that is finished while its session is being removed is stored, or refused', async () => {
  const { game, rounds } = await openTestGame();
  const count = async () => (await rounds.history(localPlayer)).rounds;
  for (let times = 0; times < 20; times += 1) {
    const id = await typedSession(game);
    const before = await count();
    const finish = game.timing(id, 50 + times).then(
      () => 1,
      () => 0,
    );
    if (times % 2 === 0) await Promise.resolve();
    const [added] = await Promise.all([finish, game.deleteSession(id)]);
    expect((await game.call('GET', `/sessions/${id}/state`)).status).toBe(404);
    expect(await count()).toBe(before + added);
  }
});

it('nothing of a player that is forgotten while a round is finished comes back', async () => {
  const { game, rounds } = await openTestGame();
  for (let times = 0; times < 20; times += 1) {
    const id = await typedSession(game);
    await game.timing(id, 99);
    await typeRound(game, id);
    const finish = game.timing(id, 99).catch(() => undefined);
    for (let turn = 0; turn < times; turn += 1) await Promise.resolve();
    await Promise.all([game.call('DELETE', '/player'), finish]);
    expect((await rounds.history(localPlayer)).rounds).toBe(0);
    expect(await game.sessions()).toEqual([]);
  }
});
