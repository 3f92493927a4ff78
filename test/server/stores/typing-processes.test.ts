import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { InputEvent } from '../../../src/contract/request-types.ts';
import { type RunningProcess, startServeProcess } from '../../support/typebadge-process.ts';
import { createTypingClient, flawless, playRound, type TypingClient } from '../../support/typing-client.ts';
import { readRounds } from './stored-rounds.ts';

let dir: string;
const servers = new Set<RunningProcess>();
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-kill-'));
});
afterEach(async () => {
  for (const server of servers) await kill(server);
  await rm(dir, { recursive: true, force: true });
});

async function start(
  data: string,
  ...args: string[]
): Promise<{ client: TypingClient; server: RunningProcess }> {
  const server = await startServeProcess(['--data', join(dir, data), ...args]);
  servers.add(server);
  return { client: createTypingClient(server.port), server };
}

async function kill(server: RunningProcess): Promise<void> {
  servers.delete(server);
  const gone = once(server.child, 'exit');
  if (server.child.kill('SIGKILL')) await gone;
}

it('kill -9 in a storm of saves loses no acknowledged round and counts none twice', async () => {
  const begun: number[] = [];
  const acknowledged: number[] = [];
  let nextDuration = 60_000;

  /** Plays and saves rounds, each with a duration of its own, until the server dies under it. */
  const play = async (client: TypingClient) => {
    const id = await client.createSession();
    for (;;) {
      const { words } = await client.startRound(id);
      await client.input(id, flawless(words));
      const duration = nextDuration++;
      begun.push(duration);
      await client.timing(id, duration);
      await client.save(id);
      acknowledged.push(duration);
    }
  };
  for (let storm = 1; storm <= 3; storm++) {
    const { client, server } = await start('data');
    const players = Array.from({ length: 6 }, () => play(client).catch(() => undefined));
    await expect.poll(() => acknowledged.length, { timeout: 120_000 }).toBeGreaterThan(storm * 25);
    await kill(server);
    await Promise.all(players);
  }

  const { client, server } = await start('data');
  const { total_sessions, average_time } = await client.history(await client.createSession());
  server.child.kill('SIGTERM');
  expect((await server.finished).code).toBe(0);
  const durations = (await readRounds(join(dir, 'data'))).map(({ timing }) => timing.duration);
  expect(new Set(durations).size).toBe(durations.length);
  expect(acknowledged.filter((duration) => !durations.includes(duration))).toEqual([]);
  expect(durations.filter((duration) => !begun.includes(duration))).toEqual([]);
  expect(total_sessions).toBe(durations.length);
  const sum = durations.reduce((total, duration) => total + duration, 0);
  expect(average_time).toBeCloseTo(sum / durations.length / 1000, 6);
});

it('a client that continues from last_seq after three kills gets the statistics of an undisturbed round', async () => {
  // The same seed gives both servers the same words.
  let { client, server } = await start('disturbed', '--seed', '11');
  const id = await client.createSession();
  const { words } = await client.startRound(id);
  const events = withMistakes(words);

  let sent = 0;
  for (const share of [0.2, 0.5, 0.9]) {
    const end = Math.floor(events.length * share);
    while (sent < end) await sendOne(client, id, events[sent++] as InputEvent);
    // One more is on its way when the server dies: nobody knows whether it was taken.
    const lost = sendOne(client, id, events[sent] as InputEvent).catch(() => undefined);
    await kill(server);
    await lost;
    ({ client, server } = await start('disturbed', '--seed', '11'));
    const state = await client.state(id);
    expect(state.words).toEqual(words);
    expect(state.last_seq).toBeGreaterThanOrEqual(sent);
    expect(state.last_seq).toBeLessThanOrEqual(sent + 1);
    sent = state.last_seq;
  }
  await client.input(id, events.slice(sent));
  await client.timing(id, 75_000);

  const calm = (await start('undisturbed', '--seed', '11')).client;
  const calmId = await calm.createSession();
  expect((await calm.startRound(calmId)).words).toEqual(words);
  await calm.input(calmId, events);
  await calm.timing(calmId, 75_000);
  expect(await client.sessionStatistics(id)).toEqual(await calm.sessionStatistics(calmId));
  // The two are different rounds of the same words.
  expect({ ...(await client.state(id)), round_id: '' }).toEqual({
    ...(await calm.state(calmId)),
    round_id: '',
  });
  expect(await client.history(id)).toEqual(await calm.history(calmId));
});

it('two servers on one folder, 200 rounds each: 400 in the history of both, and of a third that starts later', async () => {
  const playAndSave = async (client: TypingClient) => {
    const id = await client.createSession();
    for (let round = 0; round < 25; round++) {
      await playRound(client, id, 50_000 + round);
      // Some save each round, some several at once.
      if (round % 3 === 0) await client.save(id);
    }
    await client.save(id);
  };
  const totalOf = async ({ client }: { client: TypingClient }) =>
    (await client.history(await client.createSession())).total_sessions;
  const both = await Promise.all([start('shared'), start('shared')]);
  await Promise.all(both.flatMap(({ client }) => Array.from({ length: 8 }, () => playAndSave(client))));
  expect(await Promise.all(both.map(totalOf))).toEqual([400, 400]);
  const third = await start('shared');
  expect(await totalOf(third)).toBe(400);
  for (const { server } of [...both, third]) {
    server.child.kill('SIGTERM');
    expect(await server.finished).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining('damaged'),
    });
  }
});

/** Types the words with a wrong key and its correction now and then, at changing speed. */
function withMistakes(words: readonly string[]): InputEvent[] {
  const events = flawless(words).flatMap((event, at): InputEvent[] =>
    event.type === 'keystroke' && at % 23 === 7
      ? [{ type: 'keystroke', char: '#', seek_time_ms: 77 }, { type: 'backspace' }, event]
      : [{ ...event, seek_time_ms: 60 + ((at * 37) % 190) } as InputEvent],
  );
  return events.map((event, at) => ({ ...event, seq: at + 1 }));
}

function sendOne(client: TypingClient, id: string, event: InputEvent): Promise<unknown> {
  if (event.type === 'keystroke') return client.keystroke(id, event);
  return event.type === 'space' ? client.space(id, event) : client.backspace(id, event);
}
