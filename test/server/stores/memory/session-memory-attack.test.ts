import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import type * as wireAnswers from '../../../../src/contract/answer-types.ts';
import type * as requests from '../../../../src/contract/request-types.ts';
import { packageFile } from '../../../../src/kit/package-files.ts';
import { type Answer, send } from '../../../support/http-client.ts';
import { openMemoryLimit } from '../../../support/memory-limit.ts';
import {
  type ProcessOptions,
  type RunningProcess,
  startServeProcess,
} from '../../../support/typebadge-process.ts';
import { createTypingClient, flawless, type TypingClient } from '../../../support/typing-client.ts';

let dir: string;
let server: RunningProcess | undefined;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-memory-'));
});
afterEach(async () => {
  if (server !== undefined) await kill(server);
  await rm(dir, { recursive: true, force: true });
});

async function kill(running: RunningProcess): Promise<void> {
  server = undefined;
  const gone = once(running.child, 'exit');
  if (running.child.kill('SIGKILL')) await gone;
}

/** The longest character that is taken, typed and deleted again and again, with the longest times. */
const longest = `a${'\u0301'.repeat(31)}`;
const flood: requests.InputEvent[] = Array.from({ length: 360 }, (_, at) =>
  at % 2 === 0 ? { type: 'keystroke', char: longest, seek_time_ms: 3_600_000 } : { type: 'backspace' },
);

/** A round takes as many bytes as its text allows. */
const longText = { mode: { type: 'text', text: 'abcdefghi '.repeat(100) } };

/** Opens 700 sessions, types into each as many inputs as are allowed, and finishes its round where that is possible. */
async function attack(client: TypingClient): Promise<Map<number, number>> {
  const answers = new Map<number, number>();
  const call = async <T>(method: string, path: string, body?: unknown) => {
    const answer = await client.call<T>(method, path, body);
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
    return answer;
  };
  const fill = async (id: string) => {
    const { status, body } = await call<wireAnswers.Round>('POST', `/sessions/${id}/round`);
    if (status !== 200) return;
    while ((await call('POST', `/sessions/${id}/input`, { events: flood })).status === 200);
    const events = flawless(body.words).map(({ seq: _, ...event }) => event);
    for (let at = 0; at < events.length; at += 500) {
      await call('POST', `/sessions/${id}/input`, { events: events.slice(at, at + 500) });
    }
    const end_time_unix_ms = 1_700_000_060_000;
    await call('POST', `/sessions/${id}/timing`, {
      start_time_unix_ms: 1_700_000_000_000,
      end_time_unix_ms,
      duration_ms: 60_000,
    });
  };
  let opened = 0;
  const open = async () => {
    while (opened++ < 700) {
      const { status, body } = await call<wireAnswers.SessionCreated>('POST', '/sessions', longText);
      if (status === 201) await fill(body.session_id);
    }
  };
  await Promise.all(Array.from({ length: 8 }, open));
  return answers;
}

/** Where no session with a long text fits any more, short ones may: opens them until the first that is refused. */
async function fillWithSmallSessions(port: number): Promise<Answer> {
  for (let left = 2_000; ; left--) {
    const reply = await send(port, { method: 'POST', path: '/api/sessions' });
    if (reply.status !== 201 || left === 0) return reply;
  }
}

/** What must hold within these bounds, whatever they are. Without a limit of requests the attack is harder than at the shipped one. */
async function expectSurvival(options: ProcessOptions): Promise<void> {
  const start = async () => {
    server = await startServeProcess(
      ['--data', join(dir, 'data'), '--content', packageFile('content')],
      options,
    );
    return { client: createTypingClient(server.port), running: server };
  };
  const { client, running } = await start();
  const typist = await client.createSession();
  const { words } = await client.startRound(typist);
  const keys = flawless(words);
  await client.input(typist, keys.slice(0, 50));

  const answers = await attack(client);
  expect([...answers.keys()].sort()).toEqual(expect.arrayContaining([200, 201, 503]));
  expect([...answers.keys()].filter((status) => status >= 500)).toEqual([503]);
  const refusal = await fillWithSmallSessions(running.port);
  expect(refusal).toMatchObject({ status: 503, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
  expect(JSON.parse(refusal.body.toString()).code).toBe('SESSION_LIMIT_REACHED');
  expect((await send(running.port, { path: '/content/history.json' })).status).toBe(200);

  // Somebody in the middle of a round notices nothing, even with twice as many keys as the text has.
  for (const event of keys.slice(50)) {
    await client.input(typist, [event]);
    if (event.type !== 'keystroke' || (event.seq ?? 0) % 3 > 0) continue;
    await client.keystroke(typist, { char: 'x' }).catch(() => undefined);
    await client.backspace(typist);
  }
  expect(await client.timing(typist, 60_000)).toEqual({ success: true });
  const statistics = await client.sessionStatistics(typist);
  const { length } = await client.sessions();
  // Longer than a change may wait before it is written.
  await sleep(1_000);
  await kill(running);

  const { client: again, running: second } = await start();
  expect(await again.sessions()).toHaveLength(length);
  expect(await again.sessionStatistics(typist)).toEqual(statistics);
  expect((await send(second.port, { path: '/content/history.json' })).status).toBe(200);
  expect(await again.save(typist)).toEqual({ success: true });
  second.child.kill('SIGTERM');
  expect((await second.finished).code).toBe(0);
}

it('700 sessions of maximum size stop neither a server with a heap of 256 MB nor its restart', async () => {
  await expectSurvival({ env: { NODE_OPTIONS: '--max-old-space-size=256' } });
}, 900_000);

const unit = await readFile(packageFile('deploy', 'typebadge.service'), 'utf8');
const memoryMax = Number(/^MemoryMax=(\d+)M$/m.exec(unit)?.[1]) * 2 ** 20;
const limit = await openMemoryLimit(memoryMax);
if (limit === undefined)
  console.warn('No control group can be made here: the attack within the unit’s MemoryMax is left out.');

afterAll(() => limit?.close());

it.runIf(limit !== undefined)(
  'nor one within the MemoryMax of the shipped unit',
  () => expectSurvival({ under: limit?.under ?? [] }),
  900_000,
);
