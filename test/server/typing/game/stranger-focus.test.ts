import { expect, it } from 'vitest';
import { createMemorySessions } from '../../../../src/server/stores/memory/memory-sessions.ts';
import type { Rounds } from '../../../../src/server/stores/ports.ts';
import { createGame } from '../../../../src/server/typing/typing-service.ts';
import { defaultPractice } from '../../../../src/typing/modes/practice.ts';
import { newHistory } from '../../../../src/typing/statistics/history.ts';

it("the words of a round are chosen by the history of the player who asks for it, not of the session's owner", async () => {
  const asked: string[] = [];
  const rounds: Rounds = {
    history(player) {
      asked.push(player);
      return newHistory();
    },
    unread: () => 0,
    note: () => undefined,
    keep: async () => undefined,
    list: async () => undefined,
    forget: async () => undefined,
  };
  const sessions = createMemorySessions({ ttl: 60_000, limit: 9 });
  const game = createGame({ stores: { sessions, rounds, addressKey: '' }, seed: 7, clock: () => 0 });
  const [owner, stranger] = ['a', 'b'].map((digit) => ({
    player: `address-${digit.repeat(64)}`,
    client: digit,
  })) as [{ player: string; client: string }, { player: string; client: string }];
  const practice = { ...defaultPractice, mode: { type: 'drill', on: 'bigrams' } } as const;
  const created = await game.createSession(owner, practice);
  const id = 'id' in created ? created.id : '';
  await game.entriesOfRound(stranger, id);
  expect(await game.startRound(stranger, id)).toBeDefined();
  expect(new Set(asked)).toEqual(new Set([stranger.player]));
});
