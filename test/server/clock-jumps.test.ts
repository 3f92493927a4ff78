import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canSetClock, createFalseClock, type FalseClock } from '../support/false-clock.ts';
import { send } from '../support/http-client.ts';
import { lasting } from '../support/test-server.ts';
import { type RunningProcess, startServeProcess } from '../support/typebadge-process.ts';
import { createTypingClient, flawless, type TypingClient } from '../support/typing-client.ts';

const hour = 3600;
const day = 24 * hour;
const jumps = [hour, -hour, 3 * day, -3 * day, 0] as const;

let dir: string;
let clock: FalseClock;
let server: RunningProcess;
let client: TypingClient;

const iso = (secondsFromNow: number) =>
  `${new Date(Date.now() + secondsFromNow * 1000).toISOString().slice(0, 19)}Z`;

async function start(...args: string[]): Promise<void> {
  const folders = ['--content', join(dir, 'content'), '--data', join(dir, 'data')];
  server = await startServeProcess([...folders, ...args], { env: clock.env });
  client = createTypingClient(server.port);
}

async function stop(): Promise<void> {
  server.child.kill('SIGTERM');
  expect(await server.finished).toMatchObject({ code: 0 });
}

/** The date as the server has it. */
const serverDate = async () =>
  Date.parse((await send(server.port, { path: '/health' })).headers.date as string);

/** Sets the clock and waits until the server's answers carry the new date, which node renews once a second. */
async function jumpTo(seconds: number): Promise<void> {
  clock.jumpTo(seconds);
  await expect
    .poll(async () => Math.abs((await serverDate()) - Date.now() - seconds * 1000), { timeout: 120_000 })
    .toBeLessThan(5 * 60_000);
}

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-clock-'));
  clock = createFalseClock(dir);
  await mkdir(join(dir, 'content'));
});
afterEach(async () => {
  server.child.kill('SIGKILL');
  await server.finished;
  await rm(dir, { recursive: true, force: true });
});

async function writeHistory(...entries: Partial<typeof lasting>[]): Promise<void> {
  const announcements = entries.map((entry) => ({ ...lasting, ...entry }));
  await writeFile(join(dir, 'content', 'history.json'), JSON.stringify({ announcements }));
}

describe.skipIf(!canSetClock)('a server whose clock is set while it runs', () => {
  it('neither locks out a client nor gives one more than its share', async () => {
    await writeHistory({});
    await start();
    const ask = async () => (await send(server.port, { path: '/content/history.json' })).status;
    for (const jump of jumps) {
      await jumpTo(jump);
      const begun = performance.now();
      // Well within the limit and its burst: enough to empty what was left, and to see that no jump fills the bucket twice.
      const statuses = await Promise.all(Array.from({ length: 60 }, ask));
      const seconds = (performance.now() - begun) / 1000;
      const granted = statuses.filter((status) => status === 200).length;
      expect(granted).toBeLessThanOrEqual(20 + Math.ceil(seconds * 10) + 1);
      expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
      // A token comes back after a tenth of a second, whatever the date says.
      await expect.poll(ask, { timeout: 120_000, interval: 200 }).toBe(200);
    }
  });

  it('shows each announcement by the wall clock, forwards and backwards', async () => {
    await writeHistory(
      { id: 'now', published: iso(-day / 2), expires: iso(day / 2) },
      { id: 'tomorrow', published: iso(2 * day), expires: iso(4 * day) },
      { id: 'before', published: iso(-4 * day), expires: iso(-2 * day) },
    );
    await start();
    const current = async () => {
      const { status, body } = await send(server.port, { path: '/content/announcement.json' });
      return status === 200 ? JSON.parse(body.toString()).id : status;
    };
    for (const [jump, shown] of [
      [0, 'now'],
      [day, 404],
      [3 * day, 'tomorrow'],
      [5 * day, 404],
      [3 * day, 'tomorrow'],
      [-3 * day, 'before'],
      [-10 * day, 404],
      [0, 'now'],
    ] as const) {
      clock.jumpTo(jump);
      await expect.poll(current, { timeout: 120_000, interval: 250 }).toBe(shown);
    }
  });

  it('keeps every session in use, ends unused ones in time, and counts rounds as they were typed', async () => {
    await writeHistory({});
    await start('--session-ttl', '1h');
    const id = await client.createSession();
    const { words } = await client.startRound(id);
    const events = flawless(words);
    const share = Math.ceil(events.length / jumps.length);
    for (const [at, jump] of jumps.entries()) {
      await jumpTo(jump);
      await client.input(id, events.slice(at * share, (at + 1) * share));
      expect((await client.sessions()).map((session) => session.id)).toEqual([id]);
    }
    await client.timing(id, 60_000);
    const { time_seconds, total_chars } = await client.sessionStatistics(id);
    expect(time_seconds).toBe(60);
    expect(total_chars).toBe(words.join('').length);
    expect((await client.history(id)).total_sessions).toBe(1);

    // Three seconds of a clock that never jumps, whatever happens to the other one.
    await stop();
    await start('--session-ttl', '3s');
    const brief = await client.createSession();
    await jumpTo(-3 * day);
    await expect
      .poll(async () => (await client.sessions()).some((session) => session.id === brief), {
        timeout: 120_000,
        interval: 500,
      })
      .toBe(false);
    await stop();
  });

  it('finds what was used after a correction of its clock, also after a restart', async () => {
    await writeHistory({});
    await start();
    const id = await client.createSession();
    await client.startRound(id);
    await jumpTo(3 * day);
    const { words } = await client.startRound(id);
    await client.input(id, flawless(words).slice(0, 7));
    await stop();
    await start();
    expect(await client.state(id)).toMatchObject({ words, last_seq: 7 });
    expect((await client.sessions()).map((session) => session.id)).toEqual([id]);
    await stop();
  });

  it('keeps the rounds of players if its clock was ahead at the start, and is corrected before it cleans up', async () => {
    await writeHistory({});
    const exposed = ['--host', '0.0.0.0', '--keep-rounds', '30d'];
    await start(...exposed);
    const id = await client.createSession();
    const { words } = await client.startRound(id);
    await client.input(id, flawless(words));
    await client.timing(id, 60_000);
    await stop();
    clock.jumpTo(500 * day);
    await start(...exposed);
    await jumpTo(0);
    expect(await client.call('GET', '/rounds')).toMatchObject({ body: { rounds: [{ time_seconds: 60 }] } });
    const next = await client.createSession();
    await client.input(next, flawless((await client.startRound(next)).words));
    await client.timing(next, 60_000);
    expect((await client.history(next)).total_sessions).toBe(2);
    await stop();
  });

  it('finds its sessions after a restart with a clock that was set back', async () => {
    await writeHistory({});
    clock.jumpTo(2 * day);
    await start();
    const id = await client.createSession();
    const { words } = await client.startRound(id);
    await client.input(id, flawless(words).slice(0, 7));
    await stop();
    clock.jumpTo(-day);
    await start();
    expect(await client.state(id)).toMatchObject({ words, last_seq: 7 });
    await client.input(id, flawless(words).slice(7));
    await client.timing(id, 60_000);
    expect((await client.history(id)).total_sessions).toBe(1);
    await stop();
  });
});
