import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as answers from '../../../src/contract/answer-types.ts';
import type * as wireStatistics from '../../../src/contract/answer-types.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { createTypingClient, flawless, type TypingClient } from '../../support/typing-client.ts';

/** All letters of "typed", by the left index finger; those of "on" by the right hand, on the home row. */
const rows = [[...'typed'], [...'on'], [...'qw'], [...'12']];
const fingers = { t: 3, y: 3, p: 3, e: 3, d: 3, o: 6, n: 7 };
const own = { name: 'My board', rows, fingers };

let data: string;
let server: TestServer;
let client: TypingClient;

async function start() {
  server = await startTestServer({ data });
  client = createTypingClient(server.port);
}

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'typebadge-own-layout-'));
  await start();
});

afterAll(async () => {
  await server.close();
  await rm(data, { recursive: true, force: true });
});

const create = (layout: unknown) =>
  client.call<answers.SessionCreated & answers.ErrorBody>('POST', '/sessions', { layout });

test('a round on the player’s own layout names it, and the layout survives a restart', async () => {
  const { status, body } = await create(own);
  expect(status).toBe(201);
  const round = (await client.call<answers.Round>('POST', `/sessions/${body.session_id}/round`)).body;
  expect(round.layout).toMatch(/^own-[0-9a-f]{16}$/);
  await server.close();
  await start();
  const state = (await client.call<answers.GameState>('GET', `/sessions/${body.session_id}/state`)).body;
  expect(state.layout).toBe(round.layout);
});

test('fingers, rows and hands of a round follow it, even after a restart', async () => {
  const words = ['typed', 'on'];
  const round = {
    id: randomUUID(),
    words,
    mode: { type: 'text' },
    layout: own,
    events: flawless(words),
    start_time_unix_ms: 1_700_000_000_000,
    end_time_unix_ms: 1_700_000_006_000,
    duration_ms: 6000,
  };
  expect((await client.call('POST', '/rounds', round)).status).toBe(201);
  const { session_id: id } = (await create(own)).body;
  const { layout } = (await client.call<answers.Round>('POST', `/sessions/${id}/round`)).body;
  const read = async () =>
    (
      await client.call<wireStatistics.HistoricalStatistics>(
        'GET',
        `/sessions/${id}/stats/historical?mode=text&layout=${layout}`,
      )
    ).body;
  const statistics = await read();
  expect(statistics.total_sessions).toBe(1);
  expect(Object.keys(statistics.finger_stats)).toEqual(['3', '6', '7']);
  expect(Object.keys(statistics.row_stats)).toEqual(['0', '1']);
  await server.close();
  await start();
  expect(await read()).toEqual(statistics);
  const { rounds } = (await client.call<wireStatistics.RoundList>('GET', '/rounds?limit=1')).body;
  expect(rounds[0]?.layout).toBe(layout);
});

test('keys without a finger have that of standard touch typing, and the name does not make another layout', async () => {
  const idOf = async (layout: object) => {
    const { session_id: id } = (await create(layout)).body;
    return (await client.call<answers.Round>('POST', `/sessions/${id}/round`)).body.layout;
  };
  expect(await idOf({ ...own, name: 'Other name' })).toBe(await idOf(own));
  expect(await idOf({ name: 'x', rows })).not.toBe(await idOf(own));
});

test.each([
  ['no name', { rows }, 'name'],
  ['the same key twice', { ...own, rows: [['a', 'a'], [], [], []], fingers: {} }, 'twice'],
  ['an unknown id', 'own-0123456789abcdef', 'layout must be one of'],
])('%s is refused in a sentence that says what is wrong', async (_, layout, said) => {
  const { status, body } = await create(layout);
  expect(status).toBe(400);
  expect(body.code).toBe('INVALID_REQUEST');
  expect(body.error).toContain('layout');
  expect(body.error).toContain(said);
});
