import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseTrustProxy } from '../../../src/server/settings/config-parsers.ts';
import { createPlayerClient, type PlayerOptions } from '../../support/player-client.ts';
import { startTestServer } from '../../support/test-server.ts';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'typebadge-restarts-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

const exposed = { trustProxy: parseTrustProxy('127.0.0.1') };
const here = { address: '203.0.113.7' };
const key = { key: 'k'.repeat(22) };

/** Starts a server on the folder, asks, and stops it. */
async function during<T>(
  config: Partial<typeof exposed>,
  work: (as: (who: PlayerOptions) => ReturnType<typeof createPlayerClient>) => Promise<T>,
): Promise<T> {
  const server = await startTestServer({ ...config, data });
  try {
    return await work((who) => createPlayerClient(() => server.port, who));
  } finally {
    await server.close();
  }
}

const play = (who: PlayerOptions) => (as: (who: PlayerOptions) => ReturnType<typeof createPlayerClient>) =>
  as(who)
    .open()
    .then(async (id) => {
      await as(who).play(id);
      return id;
    });

it('rounds typed while the server was local are hidden from strangers once they can reach it, and come back later', async () => {
  const local = await during({}, play({}));
  await during(exposed, async (as) => {
    for (const stranger of [here, key]) {
      expect(await as(stranger).sessions()).toEqual([]);
      expect(await as(stranger).rounds()).toEqual({ rounds: [] });
      expect(await as(stranger).total(await as(stranger).open())).toBe(0);
    }
  });
  await during({}, async (as) => {
    expect(await as({}).sessions()).toEqual([local]);
    expect(await as({}).total(local)).toBe(1);
  });
});

it('players find their sessions and rounds after a restart, by key and by address', async () => {
  const byAddress = await during(exposed, play(here));
  const byKey = await during(exposed, play(key));
  await during(exposed, async (as) => {
    expect([await as(here).sessions(), await as(here).total(byAddress)]).toEqual([[byAddress], 1]);
    const elsewhere = { ...key, address: '198.51.100.4' };
    expect([await as(elsewhere).sessions(), await as(elsewhere).total(byKey)]).toEqual([[byKey], 1]);
  });
});

it('a session still counts towards the limit of its client after a restart', async () => {
  const open = (as: (who: PlayerOptions) => ReturnType<typeof createPlayerClient>, count: number) =>
    Promise.all(Array.from({ length: count }, () => as(here).ask('POST', '/sessions')));
  await during(exposed, (as) => open(as, 49));
  const statuses = await during(exposed, async (as) => {
    const first = await open(as, 1);
    return [...first, ...(await open(as, 1))].map(({ status }) => status);
  });
  expect(statuses).toEqual([201, 429]);
});
