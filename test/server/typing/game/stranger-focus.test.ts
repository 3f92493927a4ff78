import { expect, it } from 'vitest';
import { createLocalClient } from '../../../support/typing-client.ts';
import { openGame, openGameStores } from './test-game.ts';

it("the words of a round are chosen by the history of the player who asks for it, not of the session's owner", async () => {
  const asked = new Set<string>();
  const stores = await openGameStores(({ history }) => ({
    history(player) {
      asked.add(player);
      return history(player);
    },
  }));
  const game = openGame(stores, Date.now, true);
  const owner = createLocalClient(game);
  const stranger = createLocalClient(game, { authorization: `Bearer ${'s'.repeat(30)}` });
  const mode = { type: 'drill', on: 'bigrams' };
  const { body } = await owner.call<{ session_id: string }>('POST', '/sessions', { mode });
  expect((await stranger.startRound(body.session_id)).words).not.toEqual([]);
  expect([...asked]).toEqual([expect.stringMatching(/^key-/)]);
});
