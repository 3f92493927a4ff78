import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { localCaller } from '../../../../src/server/stores/player.ts';
import { createFileRecords } from '../../../../src/server/stores/records/file-records.ts';
import { createRounds, type Rounds } from '../../../../src/server/stores/rounds.ts';
import { createSessions } from '../../../../src/server/stores/sessions.ts';
import { createGame } from '../../../../src/server/typing/typing-routes.ts';
import { defaultPractice } from '../../../../src/typing/modes/practice.ts';
import { newInput } from '../../../../src/typing/round-input.ts';

type TypingGame = ReturnType<typeof createGame>;

/** A game on a new data folder. `wrap` may replace what it does with rounds. */
export async function openTestGame(wrap: (rounds: Rounds) => Partial<Rounds> = () => ({})) {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-game-'));
  const records = createFileRecords({ dir });
  onTestFinished(async () => {
    await records.close();
    await rm(dir, { recursive: true, force: true });
  });
  const clock = Date.now;
  const limits = { limit: 100, limitPerClient: 50, ttl: 60_000 };
  const sessions = createSessions(records, { ...limits, clock });
  const rounds = createRounds(records, { quota: 1e9, retention: undefined, clock });
  const stores = {
    sessions,
    rounds: { ...rounds, ...wrap(rounds) },
    addressKey: '',
    problem: () => undefined,
  };
  return { game: createGame({ stores, seed: 7, clock }), rounds };
}

/** A session in which a round of one letter has been typed, and only its timing is missing. */
export async function typedSession(game: TypingGame): Promise<string> {
  const practice = { ...defaultPractice, mode: { type: 'text', text: 'a' } } as const;
  const created = await game.createSession(localCaller, { practice, clientName: 'a test' });
  if (!('id' in created)) throw new Error(created.refused);
  await typeRound(game, created.id);
  return created.id;
}

export async function typeRound(game: TypingGame, id: string): Promise<void> {
  await game.startRound(localCaller, id);
  await game.inputBatch(localCaller, id, [newInput('a'), newInput(' ', 9)]);
}
