import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLog } from '../../../src/server/settings/log.ts';
import { openFileStores } from '../../../src/server/stores/open-stores.ts';
import type { Sessions } from '../../../src/server/stores/sessions.ts';
import { createLocalClient, flawless } from '../../support/typing-client.ts';
import { openGame } from './game/test-game.ts';

/** A store that runs every change twice, as one with compare-and-set does that was overtaken. */
function runTwice(sessions: Sessions): Sessions {
  return {
    ...sessions,
    update: (id, change) =>
      sessions.update(id, (session) => {
        change(structuredClone(session));
        return change(session);
      }),
  };
}

it('a store that runs changes twice gives the same rounds, inputs and history', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-twice-'));
  const played = async (name: string, wrap: (sessions: Sessions) => Sessions) => {
    const stores = await openFileStores({
      contentDir: dir,
      dataDir: join(dir, name),
      sessionTtl: 60_000,
      maxSessions: 9,
      roundQuota: 2 ** 30,
      clock: () => 1_700_000_000_000,
      log: createLog({ format: 'off' }),
    });
    const game = createLocalClient(
      openGame({ ...stores, sessions: wrap(stores.sessions) }, () => 1_700_000_000_000),
    );
    const id = await game.createSession(true);
    const told: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      const { words } = await game.startRound(id);
      const keys = flawless(words).map((key, at) => ({ ...key, seq: at + 1 }));
      told.push(words, await game.input(id, keys.slice(0, 1)), await game.input(id, keys.slice(1)));
      told.push(await game.timing(id, 60_000), await game.sessionStatistics(id));
    }
    const { round_id: _, ...state } = await game.state(id);
    told.push(state, await game.history(id));
    await stores.close();
    return told;
  };
  const once = await played('once', (sessions) => sessions);
  expect(await played('twice', runTwice)).toEqual(once);
  expect(once.at(-1)).toMatchObject({ total_sessions: 3 });
  await rm(dir, { recursive: true });
});
