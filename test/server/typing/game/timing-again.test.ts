import { expect, it } from 'vitest';
import type { JournalRound } from '../../../../src/server/stores/journal-round.ts';
import { createMemorySessions } from '../../../../src/server/stores/memory/memory-sessions.ts';
import { askingLocally } from '../../../../src/server/stores/player.ts';
import type { Rounds } from '../../../../src/server/stores/ports.ts';
import { createGame } from '../../../../src/server/typing/typing-service.ts';
import { defaultPractice } from '../../../../src/typing/modes/practice.ts';
import { newInput } from '../../../../src/typing/round-input.ts';
import { newHistory } from '../../../../src/typing/statistics/history.ts';

it('a timing that is sent again notes its round only until that has succeeded once', async () => {
  let isAway = true;
  const noted: string[] = [];
  const rounds: Rounds = {
    history: () => newHistory(),
    unread: () => 0,
    async note(_, some: readonly JournalRound[]) {
      noted.push(...some.map(({ id }) => id));
      if (isAway) throw new Error('the store is away');
    },
    keep: async () => undefined,
    list: async () => undefined,
    forget: async () => undefined,
  };
  const sessions = createMemorySessions({ ttl: 60_000, limit: 9 });
  const game = createGame({ stores: { sessions, rounds, addressKey: '' }, seed: 7, clock: () => 0 });
  const practice = { ...defaultPractice, mode: { type: 'text', text: 'a' } } as const;
  const created = await game.createSession(askingLocally, practice);
  const id = 'id' in created ? created.id : '';
  await game.startRound(askingLocally, id);
  await game.inputBatch(askingLocally, id, [newInput('a'), newInput(' ', 9)]);
  const finish = () => game.finishRound(askingLocally, id, { start: 1, end: 100, duration: 99 });
  await expect(finish()).rejects.toThrow('the store is away');
  isAway = false;
  expect([await finish(), await finish(), await finish()]).toEqual([true, true, true]);
  expect(noted).toHaveLength(2);
});
