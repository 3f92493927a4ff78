import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageFile } from '../../../src/server/package-files.ts';
import { isComplete, newRun, type Run, toTiming } from '../../../src/tui/game/run.ts';
import { toScore } from '../../../src/tui/game/scoring.ts';
import { createDelivery, type DeliveryStatus } from '../../../src/tui/link/delivery.ts';
import { createSessionClient, type SessionClient } from '../../../src/tui/link/session-client.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { startServeProcess } from '../../support/typebadge-process.ts';
import { typeText } from '../game/run-picture.ts';
import { type BadLine, startBadLine } from './bad-line.ts';

let server: TestServer;
let line: BadLine;
let client: SessionClient;
let session: string;
let words: readonly string[];

beforeEach(async () => {
  server = await startTestServer();
  line = await startBadLine(server.port);
  client = createSessionClient(new URL(line.url), { timeout: 2000 });
  session = await client.createSession(false);
  words = await client.startRound(session);
});

afterEach(async () => {
  await client.close();
  await line.close();
  await server.close();
});

/** A whole round with a slip in every word; the run after each key. */
function typeSlowly(): Run[] {
  const runs: Run[] = [newRun(words)];
  for (const key of words.map((word) => `${word[0]}#<${word} `).join('')) {
    runs.push(typeText(runs.at(-1) as Run, key, runs.length * 100));
  }
  return runs;
}

describe('a run on its way to the server', () => {
  test('arrives complete, and the server counts what the client counted', async () => {
    const delivery = createDelivery({ client, session, words });
    const runs = typeSlowly();
    for (const run of runs) delivery.offer(run.inputs);
    const run = runs.at(-1) as Run;
    expect(isComplete(run)).toBe(true);
    const receipt = await delivery.finish(toTiming(run));
    const score = toScore(run);
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

  test('arrives once and in order over a line that loses every third answer and breaks every fifth request', async () => {
    line.setFaults({ dropAnswer: 3, breakRequest: 5 });
    const delivery = createDelivery({ client, session, words, delay: () => 1 });
    const runs = typeSlowly();
    for (const run of runs) {
      delivery.offer(run.inputs);
      if (run.inputs.length % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const run = runs.at(-1) as Run;
    const receipt = await delivery.finish(toTiming(run));
    expect(receipt?.statistics.total_chars).toBe(run.total);
    expect(receipt?.statistics.correct_chars).toBe(run.correct);
    expect(receipt?.history.total_sessions).toBe(1);
    expect(line.faults).toBeGreaterThan(3);
  });

  test('waits while the server is away, says how many keys wait, and goes on by itself', async () => {
    const seen: DeliveryStatus[] = [];
    const delivery = createDelivery({
      client,
      session,
      words,
      delay: () => 5,
      onStatus: (status) => seen.push(status),
    });
    const runs = typeSlowly();
    line.setDown(true);
    for (const run of runs.slice(0, 20)) delivery.offer(run.inputs);
    await until(() => delivery.status.away !== '');
    expect(delivery.status).toMatchObject({ confirmed: 0, total: runs[19]?.inputs.length });
    line.setDown(false);
    await until(() => delivery.status.confirmed === delivery.status.total);
    expect(delivery.status.away).toBe('');
    expect(seen.some(({ away }) => away !== '')).toBe(true);
    expect((await client.readState(session)).last_seq).toBe(delivery.status.total);
  });

  test('sends again what a server has forgotten that came back from an older state', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'typebadge-older-'));
    const serve = (name: string) =>
      startServeProcess(['--data', join(folder, name), '--content', packageFile('content')]);
    const before = await serve('data');
    line.setPort(before.port);
    client = createSessionClient(new URL(line.url));
    const mine = await client.createSession(false);
    words = await client.startRound(mine);
    const runs = typeSlowly();
    const delivery = createDelivery({ client, session: mine, words, delay: () => 1 });
    delivery.offer(runs[20]?.inputs ?? []);
    await until(() => delivery.status.confirmed === delivery.status.total);
    await new Promise((resolve) => setTimeout(resolve, 1500)); // a server writes its sessions within a second
    await cp(join(folder, 'data'), join(folder, 'older'), { recursive: true });
    delivery.offer(runs[90]?.inputs ?? []);
    await until(() => delivery.status.confirmed === delivery.status.total);
    before.child.kill('SIGKILL');
    await before.finished;
    const after = await serve('older');
    line.setPort(after.port);
    const direct = createSessionClient(new URL(after.url));
    expect((await direct.readState(mine)).last_seq).toBe(runs[20]?.inputs.length);
    await direct.close();

    const run = runs.at(-1) as Run;
    delivery.offer(run.inputs);
    const receipt = await delivery.finish(toTiming(run));
    expect(receipt?.statistics).toMatchObject({ total_chars: run.total, correct_chars: run.correct });
    expect(receipt?.history.total_sessions).toBe(1);
    after.child.kill('SIGTERM');
    await after.finished;
    await rm(folder, { recursive: true });
  });

  test('gives up with a reason when another round was started in the session', async () => {
    const delivery = createDelivery({ client, session, words, delay: () => 1 });
    const runs = typeSlowly();
    delivery.offer(runs[5]?.inputs ?? []);
    await until(() => delivery.status.confirmed === delivery.status.total);
    await client.startRound(session);
    delivery.offer(runs[9]?.inputs ?? []);
    await until(() => delivery.status.lost !== '');
    expect(delivery.status.lost).toContain('another round was started');
  });

  test('gives up with a reason when the session is gone', async () => {
    const delivery = createDelivery({ client, session, words, delay: () => 1 });
    await client.deleteSession(session);
    const runs = typeSlowly();
    delivery.offer(runs[5]?.inputs ?? []);
    expect(await delivery.finish(toTiming(runs.at(-1) as Run))).toBeUndefined();
    expect(delivery.status.lost).not.toBe('');
    expect(delivery.isDone).toBe(false);
  });

  test('stops at once when it is told to, also in the middle of a wait', async () => {
    line.setDown(true);
    const delivery = createDelivery({ client, session, words, delay: () => 60_000 });
    const run = typeSlowly().at(-1) as Run;
    delivery.offer(run.inputs);
    const ending = delivery.finish(toTiming(run));
    await until(() => delivery.status.away !== '');
    delivery.stop();
    expect(await ending).toBeUndefined();
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 2));
}
