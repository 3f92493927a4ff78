import { expect, it } from 'vitest';
import { localCaller, localPlayer } from '../../../../src/server/stores/player.ts';
import { openTestGame, typedSession, typeRound } from './test-game.ts';

const timing = { start: 1, end: 100, duration: 99 };
const all = { limit: 9, after: undefined };

it('a crash after the round was stored, and before its session knows, is mended by the same timing', async () => {
  let isCut = true;
  const { game, rounds } = await openTestGame((stored) => ({
    async add(...args) {
      const added = await stored.add(...args);
      if (isCut) throw new Error('the reply is lost');
      return added;
    },
  }));
  const id = await typedSession(game);
  await expect(game.finishRound(localCaller, id, timing)).rejects.toThrow('the reply is lost');
  isCut = false;
  expect(await game.finishRound(localCaller, id, { ...timing, duration: 98 })).toMatchObject({
    problem: { code: 'INVALID_REQUEST' },
  });
  expect(await game.sessionStatistics(localCaller, id)).not.toMatchObject({ milliseconds: 99 });
  for (let times = 0; times < 3; times += 1)
    expect(await game.finishRound(localCaller, id, timing)).toBe(true);
  // As they were before the round: it is the first.
  expect(await game.sessionStatistics(localCaller, id)).toMatchObject({
    milliseconds: 99,
    newBests: { wpm: true, accuracy: true, time: true },
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
  await expect(game.finishRound(localCaller, id, timing)).rejects.toThrow('no room');
  expect((await rounds.history(localPlayer)).rounds).toBe(0);
  isFull = false;
  expect(await game.finishRound(localCaller, id, { ...timing, duration: 50 })).toBe(true);
  expect((await rounds.history(localPlayer)).rounds).toBe(1);
});

it('a round that is finished while its session is being removed is stored, or refused', async () => {
  const { game } = await openTestGame();
  for (let times = 0; times < 20; times += 1) {
    const id = await typedSession(game);
    const before = (await game.listRounds(localCaller, { ...all, limit: 99 }))?.rounds.length ?? 0;
    const finish = game.finishRound(localCaller, id, { ...timing, duration: 50 + times });
    if (times % 2 === 0) await Promise.resolve();
    const [isFinished, isRemoved] = await Promise.all([finish, game.deleteSession(localCaller, id)]);
    expect(isRemoved).toBe(true);
    expect(await game.hasSession(localCaller, id)).toBe(false);
    const after = (await game.listRounds(localCaller, { ...all, limit: 99 }))?.rounds.length;
    expect(after).toBe(before + (isFinished === true ? 1 : 0));
  }
});

it('nothing of a player that is forgotten while a round is finished comes back', async () => {
  const { game, rounds } = await openTestGame();
  for (let times = 0; times < 20; times += 1) {
    const id = await typedSession(game);
    await game.finishRound(localCaller, id, timing);
    await typeRound(game, id);
    const finish = game.finishRound(localCaller, id, timing);
    for (let turn = 0; turn < times; turn += 1) await Promise.resolve();
    await Promise.all([game.forgetPlayer(localCaller), finish]);
    expect((await rounds.history(localPlayer)).rounds).toBe(0);
    expect(await game.listSessions(localCaller, all)).toEqual({ sessions: [] });
  }
});
