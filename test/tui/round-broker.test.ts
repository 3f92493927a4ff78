import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AppEvent } from '../../src/tui/app/app-events.ts';
import { createSessionClient, type SessionClient } from '../../src/tui/link/session/session-client.ts';
import { usualPractised } from '../../src/tui/round/practised.ts';
import { isComplete, newLocalRound } from '../../src/tui/round/round.ts';
import { createRoundBroker } from '../../src/tui/round-broker.ts';
import { handleUnsentRounds } from '../../src/tui/unsent-rounds.ts';
import { defaultRules } from '../../src/typing/rules/rules.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { until } from '../support/until.ts';
import { typeText } from './round/round-picture.ts';

let server: TestServer;
let proxy: TcpProxy;
let client: SessionClient;
let folder: string;

beforeEach(async () => {
  server = await startTestServer();
  proxy = await startTcpProxy(server.port);
  client = createSessionClient(new URL(`http://127.0.0.1:${proxy.port}`), { timeout: 1000 });
  folder = await mkdtemp(join(tmpdir(), 'typebadge-broker-'));
});

afterEach(async () => {
  await client.close();
  await proxy.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const setup = { punctuation: false, isStrict: false, mode: { type: 'words', count: 10 } } as const;
const shipped = { words: ['the', 'cat'], rules: defaultRules, practised: usualPractised };

test('nobody who asks for the next round waits for a server that fell silent just before the end of the last one', async () => {
  const starts: (readonly string[])[] = [];
  const onEvent = (event: AppEvent) => {
    if (event.type === 'words') starts.push(event.words);
  };
  const offline = { next: async () => shipped, readCatalog: () => client.readCatalog() };
  const name = `http://127.0.0.1:${proxy.port}`;
  let sessions = 0;
  const counted: SessionClient = {
    ...client,
    createSession(setup) {
      sessions += 1;
      return client.createSession(setup);
    },
  };
  const broker = createRoundBroker({ client: counted, server: name, unsentFolder: folder, offline, onEvent });
  await broker.begin(setup);
  const words = starts[0] as readonly string[];
  const typed = typeText(newLocalRound(words), words.slice(0, -1).join(' '));
  broker.offer(typed);
  proxy.hold();
  const round = typeText(typed, ` ${words.at(-1)}`, 10_000);
  expect(isComplete(round)).toBe(true);
  broker.finish(round);
  await broker.begin(setup); // at once: the server was not found to be away yet
  expect(starts).toEqual([words, shipped.words]);
  expect(sessions).toBe(1); // and it asked for nothing that would be waited for, too
  expect(await readdir(folder)).toHaveLength(2);

  proxy.mend();
  await until(async () => {
    const { delivered } = await handleUnsentRounds({ folder, client, server: name });
    return delivered === 1;
  });
  await broker.close({ grace: 1000, keepUnfinished: false });
}, 30_000);
