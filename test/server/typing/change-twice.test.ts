import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { GameState } from '../../../src/contract/answer-types.ts';
import { createLog } from '../../../src/server/settings/log.ts';
import { openFileStores } from '../../../src/server/stores/open-stores.ts';
import { localCaller } from '../../../src/server/stores/player.ts';
import type { Sessions } from '../../../src/server/stores/sessions.ts';
import { createGame } from '../../../src/server/typing/typing-routes.ts';
import { defaultPractice } from '../../../src/typing/modes/practice.ts';
import { newInput } from '../../../src/typing/round-input.ts';
import { spaceKey } from '../../../src/typing/rules/rules.ts';

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
    const game = createGame({
      stores: { ...stores, sessions: wrap(stores.sessions) },
      seed: 7,
      clock: () => 1_700_000_000_000,
    });
    const created = await game.createSession(localCaller, {
      practice: { ...defaultPractice, punctuation: true },
      clientName: undefined,
    });
    const id = 'id' in created ? created.id : '';
    const told: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      const started = await game.startRound(localCaller, id);
      if (started === undefined || 'problem' in started) throw new Error('no round');
      const { words } = started.round;
      const keys = [...`${words.join(spaceKey)}${spaceKey}`];
      const inputs = keys.map((key, at) => newInput(key, 100 + at, at + 1));
      const first = await game.input(localCaller, id, inputs[0] as (typeof inputs)[0]);
      const rest = await game.inputBatch(localCaller, id, inputs.slice(1));
      const finished = await game.finishRound(localCaller, id, { start: 1, end: 60_001, duration: 60_000 });
      told.push(words, first, rest, finished, await game.sessionStatistics(localCaller, id));
    }
    const { round_id: _, ...state } = (await game.state(localCaller, id)) as GameState;
    told.push(state, await game.historicalStatistics(localCaller, id));
    await stores.close();
    return told;
  };
  const once = await played('once', (sessions) => sessions);
  expect(await played('twice', runTwice)).toEqual(once);
  expect(once.at(-1)).toMatchObject({ rounds: 3 });
  await rm(dir, { recursive: true });
});
