import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AppEvent } from '../../src/tui/app/app-events.ts';
import { createSessionClient, type SessionClient } from '../../src/tui/link/session/session-client.ts';
import { type LocalRound, newLocalRound, toTiming } from '../../src/tui/round/round.ts';
import { createRoundBroker, type RoundBroker } from '../../src/tui/round-broker.ts';
import { handleUnsentRounds } from '../../src/tui/unsent-rounds.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { typeText } from './round/round-picture.ts';

// A server that is killed may lose a session that it has just made, and one that nobody has used for a day is gone.
let server: TestServer;
let client: SessionClient;
let folder: string;
let events: AppEvent[];
let broker: RoundBroker;
let words: readonly string[];
let session: string;

beforeEach(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'typebadge-rescue-'));
  events = [];
  await begin();
});
afterEach(async () => {
  await client.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function begin(): Promise<void> {
  client = createSessionClient(new URL(server.url), { timeout: 2_000 });
  const counted: SessionClient = {
    ...client,
    async createSession(setup) {
      session = await client.createSession(setup);
      return session;
    },
  };
  const onEvent = (event: AppEvent) => {
    events.push(event);
    if (event.type === 'words') words = event.words;
  };
  broker = createRoundBroker({ client: counted, server: server.url, unsentFolder: folder, onEvent });
  await broker.begin({ punctuation: false, isStrict: false, mode: { type: 'words', count: 10 } });
}

const typeAll = (round: LocalRound) => typeText(round, words.join(' ').slice(round.inputs.length), 5_000);
const typeHalf = () => typeText(newLocalRound(words), `${words.slice(0, 5).join(' ')} `);
const keptRounds = async () =>
  ((await (await fetch(new URL('/api/rounds', server.url))).json()) as { rounds: unknown[] }).rounds.length;
const losses = () =>
  events.flatMap((event) =>
    event.type === 'delivery' && event.status.lost !== '' ? [event.status.lost] : [],
  );
const deliverLeft = () => handleUnsentRounds({ folder, client, server: server.url });

describe('a round whose session its server loses', () => {
  test('is delivered whole when it is complete, and counts once', async () => {
    const half = typeHalf();
    broker.offer(half);
    await client.deleteSession(session);
    broker.finish(typeAll(half));
    await expect.poll(keptRounds).toBe(1);
    await expect.poll(() => readdir(folder)).toEqual([]);
    expect(losses()).toEqual([]);
  });

  test('is delivered by a later start, once, however often that is tried', async () => {
    const half = typeHalf();
    const whole = typeAll(half);
    broker.offer(half);
    await broker.close({ grace: 500, keepUnfinished: true });
    await client.close();
    await begin();
    const { left } = await deliverLeft();
    expect(left?.inputs).toHaveLength(half.inputs.length);
    await client.deleteSession(left?.head.session ?? '');
    expect((await deliverLeft()).left?.inputs).toHaveLength(half.inputs.length);
    broker.takeUp(left as NonNullable<typeof left>);
    broker.finish(whole);
    await expect.poll(keptRounds).toBe(1);
    expect(await deliverLeft()).toMatchObject({ delivered: 0, left: undefined });
    expect(await keptRounds()).toBe(1);
    expect(losses()).toEqual([]);
  });

  test('is not delivered again where the server may have it complete', async () => {
    const round = typeAll(typeHalf());
    broker.offer(round);
    await expect.poll(async () => (await client.readState(session)).last_seq).toBe(round.inputs.length);
    await client.sendTiming(session, toTiming(round));
    await client.save(session);
    await client.deleteSession(session);
    expect(await keptRounds()).toBe(1);
    broker.finish(round);
    await expect.poll(losses).not.toEqual([]);
    expect(await keptRounds()).toBe(1);
  });
});
