import { expect, it } from 'vitest';
import { defaultPractice } from '../../../../src/typing/modes/practice.ts';
import { openTestGame } from './test-game.ts';

it("the words of a round are chosen by the history of the player who asks for it, not of the session's owner", async () => {
  const asked: string[] = [];
  const { game } = await openTestGame(({ history }) => ({
    history(player) {
      asked.push(player);
      return history(player);
    },
  }));
  const [owner, stranger] = ['a', 'b'].map((digit) => {
    const address = `address-${digit.repeat(64)}`;
    return { player: address, client: address };
  }) as [{ player: string; client: string }, { player: string; client: string }];
  const practice = { ...defaultPractice, mode: { type: 'drill', on: 'bigrams' } } as const;
  const created = await game.createSession(owner, { practice, clientName: undefined });
  const id = 'id' in created ? created.id : '';
  expect(await game.startRound(stranger, id)).toBeDefined();
  expect(new Set(asked)).toEqual(new Set([stranger.player]));
});
