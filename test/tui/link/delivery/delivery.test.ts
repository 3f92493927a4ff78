import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageFile } from '../../../../src/kit/package-files.ts';
import { createDelivery } from '../../../../src/tui/link/delivery/delivery.ts';
import type { DeliveryStatus } from '../../../../src/tui/link/delivery/delivery-state.ts';
import { createSessionClient, type SessionClient } from '../../../../src/tui/link/session/session-client.ts';
import { offlineSession } from '../../../../src/tui/link/source/offline-rounds.ts';
import { createRoundSource } from '../../../../src/tui/link/source/round-source.ts';
import { usualPractised } from '../../../../src/tui/round/practised.ts';
import { isComplete, type LocalRound, newLocalRound, toTiming } from '../../../../src/tui/round/round.ts';
import { toScore } from '../../../../src/tui/round/scoring.ts';
import { defaultRules } from '../../../../src/typing/rules/rules.ts';
import { startTestServer, type TestServer } from '../../../support/test-server.ts';
import { startServeProcess } from '../../../support/typebadge-process.ts';
import { typeText } from '../../round/round-picture.ts';
import { type BadLine, startBadLine } from '../bad-line.ts';
import { type DrippingServer, startDrippingServer } from '../dripping-server.ts';

let server: TestServer;
let line: BadLine;
let client: SessionClient;
let session: string;
let words: readonly string[];

beforeEach(async () => {
  server = await startTestServer();
  line = await startBadLine(server.port);
  client = createSessionClient(new URL(line.url), { timeout: 2000 });
  session = await client.createSession({ punctuation: false, isStrict: true });
  ({ words } = await client.startRound(session));
});

afterEach(async () => {
  await client.close();
  await line.close();
  await server.close();
});

/** A whole round with a slip in every word; the round after each key. */
function typeSlowly(): LocalRound[] {
  const rounds: LocalRound[] = [newLocalRound(words)];
  for (const key of words.map((word) => `${word[0]}#<${word} `).join('')) {
    rounds.push(typeText(rounds.at(-1) as LocalRound, key, rounds.length * 100));
  }
  return rounds;
}

describe('the delivery of a round', () => {
  test('arrives complete, and the server counts what the client counted', async () => {
    const delivery = createDelivery({ client, session, words });
    const rounds = typeSlowly();
    for (const round of rounds) delivery.offer(round.inputs);
    const last = rounds.at(-1) as LocalRound;
    expect(isComplete(last)).toBe(true);
    const receipt = await delivery.finish(toTiming(last));
    const score = toScore(last);
    expect(receipt?.statistics).toMatchObject({
      wpm: score.wpm,
      accuracy: score.accuracy,
      time_seconds: score.seconds,
      correct_chars: score.correct,
      total_chars: score.total,
    });
    expect(receipt?.history.total_sessions).toBe(1);
    expect(receipt?.unsaved).toBe('');
    expect(delivery.isDone).toBe(true);
  });

  test('is compared with rounds of its own language and layout only', async () => {
    const other = await client.createSession({ punctuation: false, isStrict: true, layout: 'dvorak' });
    for (const [id, layout] of [
      [session, 'qwerty'],
      [other, 'dvorak'],
      [other, 'dvorak'],
    ] as const) {
      ({ words } = id === session ? { words } : await client.startRound(id));
      const kind = { language: 'en', layout };
      const delivery = createDelivery({ client, session: id, words, kind });
      const last = typeSlowly().at(-1) as LocalRound;
      delivery.offer(last.inputs);
      await delivery.finish(toTiming(last));
    }
    expect((await client.readHistory(session, { language: 'en', layout: 'qwerty' })).total_sessions).toBe(1);
    expect((await client.readHistory(other, { language: 'en', layout: 'dvorak' })).total_sessions).toBe(2);
    expect((await client.readHistory(other)).total_sessions).toBe(3);
  });

  test('arrives once and in order over a network that loses every third answer and breaks every fifth request', async () => {
    line.setFaults({ dropAnswer: 3, breakRequest: 5 });
    const delivery = createDelivery({ client, session, words, delay: () => 1 });
    const rounds = typeSlowly();
    for (const round of rounds) {
      delivery.offer(round.inputs);
      if (round.inputs.length % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const last = rounds.at(-1) as LocalRound;
    const receipt = await delivery.finish(toTiming(last));
    expect(receipt?.statistics.total_chars).toBe(last.score.totalKeys);
    expect(receipt?.statistics.correct_chars).toBe(last.score.correctKeys);
    expect(receipt?.history.total_sessions).toBe(1);
    expect(line.faults).toBeGreaterThan(3);
  });

  test('waits while the server is away, says how many keys wait, and continues automatically', async () => {
    const seen: DeliveryStatus[] = [];
    const delivery = createDelivery({
      client,
      session,
      words,
      delay: () => 5,
      onStatus: (status) => seen.push(status),
    });
    const rounds = typeSlowly();
    line.setDown(true);
    for (const round of rounds.slice(0, 20)) delivery.offer(round.inputs);
    await until(() => delivery.status.away !== '');
    expect(delivery.status).toMatchObject({ confirmed: 0, total: rounds[19]?.inputs.length });
    line.setDown(false);
    await until(() => delivery.status.confirmed === delivery.status.total);
    expect(delivery.status.away).toBe('');
    expect(seen.some(({ away }) => away !== '')).toBe(true);
    expect((await client.readState(session)).last_seq).toBe(delivery.status.total);
  });

  test('sends again what a server restored from an older state has forgotten', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'typebadge-older-'));
    const serve = (name: string) =>
      startServeProcess(['--data', join(folder, name), '--content', packageFile('content')]);
    const before = await serve('data');
    line.setPort(before.port);
    client = createSessionClient(new URL(line.url));
    const mine = await client.createSession({ punctuation: false, isStrict: true });
    ({ words } = await client.startRound(mine));
    const rounds = typeSlowly();
    const delivery = createDelivery({ client, session: mine, words, delay: () => 1 });
    delivery.offer(rounds[20]?.inputs ?? []);
    await until(() => delivery.status.confirmed === delivery.status.total);
    await new Promise((resolve) => setTimeout(resolve, 1500)); // a server writes its sessions within a second
    await cp(join(folder, 'data'), join(folder, 'older'), { recursive: true });
    delivery.offer(rounds[90]?.inputs ?? []);
    await until(() => delivery.status.confirmed === delivery.status.total);
    before.child.kill('SIGKILL');
    await before.finished;
    const after = await serve('older');
    line.setPort(after.port);
    const direct = createSessionClient(new URL(after.url));
    expect((await direct.readState(mine)).last_seq).toBe(rounds[20]?.inputs.length);
    await direct.close();

    const last = rounds.at(-1) as LocalRound;
    delivery.offer(last.inputs);
    const receipt = await delivery.finish(toTiming(last));
    expect(receipt?.statistics).toMatchObject({
      total_chars: last.score.totalKeys,
      correct_chars: last.score.correctKeys,
    });
    expect(receipt?.history.total_sessions).toBe(1);
    after.child.kill('SIGTERM');
    await after.finished;
    await rm(folder, { recursive: true });
  });

  test('gives up with a reason if another round was started in the session', async () => {
    const delivery = createDelivery({ client, session, words, delay: () => 1 });
    const rounds = typeSlowly();
    delivery.offer(rounds[5]?.inputs ?? []);
    await until(() => delivery.status.confirmed === delivery.status.total);
    await client.startRound(session);
    delivery.offer(rounds[9]?.inputs ?? []);
    await until(() => delivery.status.lost !== '');
    expect(delivery.status.lost).toContain('another round was started');
  });

  test('gives up with a reason if the session is gone', async () => {
    const delivery = createDelivery({ client, session, words, delay: () => 1 });
    await client.deleteSession(session);
    const rounds = typeSlowly();
    delivery.offer(rounds[5]?.inputs ?? []);
    expect(await delivery.finish(toTiming(rounds.at(-1) as LocalRound))).toBeUndefined();
    expect(delivery.status.lost).not.toBe('');
    expect(delivery.isDone).toBe(false);
  });

  test('stops at once on request, even in the middle of a wait', async () => {
    line.setDown(true);
    const delivery = createDelivery({ client, session, words, delay: () => 60_000 });
    const round = typeSlowly().at(-1) as LocalRound;
    delivery.offer(round.inputs);
    const ending = delivery.finish(toTiming(round));
    await until(() => delivery.status.away !== '');
    delivery.stop();
    expect(await ending).toBeUndefined();
  });
});

describe('a server whose answers drip for ever', () => {
  let dripping: DrippingServer;
  let waiting: SessionClient;

  beforeEach(async () => {
    dripping = await startDrippingServer();
    waiting = createSessionClient(new URL(`http://127.0.0.1:${dripping.port}`), { deadline: 1000 });
  });

  afterEach(async () => {
    await waiting.close();
    await dripping.close();
  });

  const setup = { punctuation: false, isStrict: true };

  test.each<[string, (client: SessionClient) => Promise<unknown>]>([
    ['may I play', (client) => client.checkAccess()],
    ['a session', (client) => client.createSession(setup)],
    ['a round', (client) => client.startRound('s')],
    ['keys', (client) => client.sendInput('s', [{ type: 'backspace', seq: 1 }])],
    ['statistics', (client) => client.readHistory('s')],
    ['languages and layouts', (client) => client.readCatalog()],
  ])('is away, not waited for: %s', async (_, ask) => {
    await expect(ask(waiting)).rejects.toMatchObject({
      name: 'ServerProblem',
      kind: 'away',
      message: expect.stringContaining('its answer took too long'),
    });
  });

  test('gets the keys again, and the typist sees that they wait', async () => {
    const delivery = createDelivery({ client: waiting, session: 's', words, delay: () => 1 });
    delivery.offer(typeSlowly().at(-1)?.inputs ?? []);
    await until(() => delivery.status.away !== '' && dripping.answers > 2);
    expect(delivery.status).toMatchObject({ confirmed: 0, lost: '' });
    delivery.stop();
  });

  test('is not needed if rounds can be made locally', async () => {
    const round = { words, rules: defaultRules, practised: usualPractised };
    const offline = { next: async () => round, readCatalog: () => waiting.readCatalog() };
    const source = createRoundSource({ client: waiting, onWaiting: () => {}, offline });
    expect(await source.next(setup, new AbortController().signal)).toMatchObject({
      session: offlineSession,
      words,
    });
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 2));
}
