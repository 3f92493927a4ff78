import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Transport } from '../../../../src/contract/transport.ts';
import { createLocalTransport } from '../../../../src/server/http/local-transport.ts';
import { createLog } from '../../../../src/server/settings/log.ts';
import type { Stores } from '../../../../src/server/stores/open-stores.ts';
import { createFileRecords } from '../../../../src/server/stores/records/file-records.ts';
import { createRounds, type Rounds } from '../../../../src/server/stores/rounds.ts';
import { createSessions } from '../../../../src/server/stores/sessions.ts';
import { createTypingRoutes } from '../../../../src/server/typing/typing-routes.ts';
import { createLocalClient, type TypingClient } from '../../../support/typing-client.ts';

type GameStores = Pick<Stores, 'sessions' | 'rounds'>;

/** The typing API without a socket. An error that is not an answer rejects the call. */
export function openGame(stores: GameStores, clock = Date.now, isExposed = false): Transport {
  const about = { addressKey: 'secret', problem: () => undefined };
  const log = createLog({ format: 'off' });
  const routes = createTypingRoutes({ stores: { ...stores, ...about }, isExposed, seed: 7, log, clock });
  return createLocalTransport([{ routes, prefix: '/api/' }]);
}

/** Stores of a new data folder. `wrap` may replace what they do with rounds. */
export async function openGameStores(wrap: (rounds: Rounds) => Partial<Rounds> = () => ({})) {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-game-'));
  const records = createFileRecords({ dir });
  onTestFinished(async () => {
    await records.close();
    await rm(dir, { recursive: true, force: true });
  });
  const clock = Date.now;
  const sessions = createSessions(records, { limit: 100, limitPerClient: 50, ttl: 60_000, clock });
  const rounds = createRounds(records, { quota: 1e9, retention: undefined, clock });
  return { sessions, rounds: { ...rounds, ...wrap(rounds) } };
}

export async function openTestGame(wrap?: (rounds: Rounds) => Partial<Rounds>) {
  const stores = await openGameStores(wrap);
  return { game: createLocalClient(openGame(stores)), rounds: stores.rounds };
}

/** A session in which a round of one letter has been typed, and only its timing is missing. */
export async function typedSession(game: TypingClient): Promise<string> {
  const mode = { type: 'text', text: 'a' };
  const { body } = await game.call<{ session_id: string }>('POST', '/sessions', { mode });
  await typeRound(game, body.session_id);
  return body.session_id;
}

export async function typeRound(game: TypingClient, id: string): Promise<void> {
  await game.startRound(id);
  await game.input(id, [
    { type: 'keystroke', char: 'a' },
    { type: 'space', seek_time_ms: 9 },
  ]);
}
