import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { HttpError } from '../../../src/server/http/errors.ts';
import { localContext } from '../../../src/server/http/local-transport.ts';
import type { RateLimiter } from '../../../src/server/http/rate-limiter.ts';
import { storesOn } from '../../../src/server/stores/open-stores.ts';
import { playerOfKey } from '../../../src/server/stores/player.ts';
import { createMemoryRecords } from '../../../src/server/stores/records/memory-records.ts';
import type { Records } from '../../../src/server/stores/records/records.ts';
import { createTypingRoutes } from '../../../src/server/typing/typing-routes.ts';
import { flawless } from '../../support/typing-client.ts';
import { newStoredRound, toRoundId } from '../stores/stored-rounds.ts';

const log = { info() {}, warn() {}, error() {} };
const bounds = { sessionTtl: 1_000, maxSessions: 10, roundQuota: 1e9 };
const options = { dataDir: '', contentDir: '', ...bounds, log, clock: Date.now };

/** The route `/api/rounds` of a server that has just started on these records. */
function routeOn(records: Records, verb: 'GET' | 'POST') {
  return routesOn(records)(verb, '/api/rounds');
}

function routesOn(records: Records) {
  const stores = { ...storesOn(records, options), addressKey: '', problem: () => undefined };
  const routes = createTypingRoutes({ stores, isExposed: true, seed: 1, log, clock: Date.now });
  return (verb: string, name: string) => routes.find(({ method, path }) => method === verb && path === name);
}

test('a client that asks for many histories that are not cached delays another client by one of them', async () => {
  const records = createMemoryRecords();
  const keys = Array.from({ length: 20 }, (_, at) => String(at).padStart(22, 'k'));
  const { rounds } = storesOn(records, options);
  for (const [at, key] of keys.entries()) await rounds.add(playerOfKey(key), newStoredRound(toRoundId(at)));
  const list = routeOn(records, 'GET');
  const answered: string[] = [];
  const ask = async (key: string, client: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const request = { ...localContext({ method: 'GET', path: '/api/rounds', headers }), client };
    expect((await list?.handler(request, {}))?.body).toMatch(/"rounds":\[\{"id":/);
    answered.push(client);
  };
  await Promise.all(keys.map((key, at) => ask(key, at < 19 ? '203.0.113.1' : '203.0.113.2')));
  expect(answered.indexOf('203.0.113.2')).toBeLessThan(3);
});

test('of the lists that a client asks for at once, only some wait for their turn, and others are answered', async () => {
  const list = routeOn(createMemoryRecords(), 'GET');
  const ask = (client: string) => {
    const request = { ...localContext({ method: 'GET', path: '/api/rounds' }), client };
    return Promise.resolve(list?.handler(request, {})).then(
      (reply) => reply?.status,
      ({ code }: HttpError) => code,
    );
  };
  const asked = Array.from({ length: 200 }, () => ask('203.0.113.1'));
  expect(await ask('203.0.113.2')).toBe(200);
  const answers = await Promise.all(asked);
  expect(answers.filter((answer) => answer === 200)).toHaveLength(128);
  expect(answers.filter((answer) => answer === 'RATE_LIMITED')).toHaveLength(72);
  expect(await ask('203.0.113.1')).toBe(200);
});

test('uploads of all clients are parsed one at a time, also of one that is gone and has no address any more', async () => {
  const upload = routeOn(createMemoryRecords(), 'POST');
  let [inWork, mostInWork] = [0, 0];
  const send = async (client: string) => {
    const json = async () => {
      inWork += 1;
      mostInWork = Math.max(mostInWork, inWork);
      await nextTurn();
      inWork -= 1;
      return {};
    };
    const request = { ...localContext({ method: 'POST', path: '/api/rounds' }), client, json };
    await expect(upload?.handler(request, {})).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  };
  await Promise.all(['203.0.113.1', '', '203.0.113.2'].map(send));
  expect(mostInWork).toBe(1);
});

test('few uploads of one site arrive or wait at a time, and they leave room for others', async () => {
  const upload = routeOn(createMemoryRecords(), 'POST');
  let arrive = () => {};
  const slow = new Promise<Buffer>((resolve) => (arrive = () => resolve(Buffer.from('{}'))));
  const send = (client: string, body = slow) => {
    const context = localContext({ method: 'POST', path: '/api/rounds' });
    const request = { ...context, client, receive: () => body, json: async () => ({}) };
    return Promise.resolve(upload?.handler(request, {})).then(String, ({ code }: HttpError) => code);
  };
  const codesOf = async (answers: readonly Promise<string>[]) => {
    const counts: Record<string, number> = {};
    for (const code of await Promise.all(answers)) counts[code] = (counts[code] ?? 0) + 1;
    return counts;
  };
  // Each of another client of the same IPv6 /48.
  const own = Array.from({ length: 20 }, (_, at) => send(`2001:db8:1:${at}::/64`));
  const others = Array.from({ length: 300 }, (_, at) => send(`203.0.${at >> 8}.${at & 255}`));
  await nextTurn();
  arrive();
  expect(await codesOf(own)).toEqual({ INVALID_REQUEST: 4, RATE_LIMITED: 16 });
  expect(await codesOf(others)).toEqual({ INVALID_REQUEST: 252, RATE_LIMITED: 48 });
  // They have made room.
  expect(await send('203.0.0.199')).toBe('INVALID_REQUEST');
});

test('who deletes everything keeps nothing that was uploaded before, even what still waits for its turn', async () => {
  const records = createMemoryRecords();
  const route = routesOn(records);
  const call = (method: 'POST' | 'DELETE', path: string, body?: object) =>
    route(method, path)?.handler({ ...localContext({ method, path, body }), client: '203.0.113.1' }, {});
  const upload = (at: number) =>
    call('POST', '/api/rounds', {
      id: toRoundId(at),
      words: ['ab'],
      events: flawless(['ab']),
      ...{ start_time_unix_ms: 1, end_time_unix_ms: 9_001, duration_ms: 9_000 },
    });
  const uploaded = [1, 2, 3, 4].map(upload);
  await nextTurn();
  expect(await call('DELETE', '/api/player')).toMatchObject({ status: 204 });
  expect(await Promise.all(uploaded)).toMatchObject(Array(4).fill({ status: 201 }));
  for await (const id of records.ids('rounds/')) expect(id).toBe('none');
});

test('a long session that is not in memory costs more, and is read in slices, between which others have their turn', async () => {
  const records = createMemoryRecords();
  let taken = 0;
  const take = async (_: string, tokens: number) => {
    taken += tokens;
    return { allowed: true, headers: [] };
  };
  const limiter: RateLimiter = { name: 'typing', take };
  const callOn =
    (route: ReturnType<typeof routesOn>, id = '') =>
    async (method: 'GET' | 'POST', path: string, body?: object) => {
      const context = { ...localContext({ method, path, body }), limiter };
      return JSON.parse(String((await route(method, path)?.handler(context, { id }))?.body));
    };
  const text = Array(2_000).fill('abcd').join(' ');
  const { session_id: id } = await callOn(routesOn(records))('POST', '/api/sessions', {
    mode: { type: 'text', text },
  });
  const call = callOn(routesOn(records), id);
  await call('POST', '/api/sessions/:id/round');
  const events = flawless(Array(100).fill('abcd')).map(({ seq: _, ...event }) => event);
  for (let at = 0; at < 19; at += 1) await call('POST', '/api/sessions/:id/input', { events });
  const inMemory = taken;
  await call('GET', '/api/sessions/:id/state');
  expect(taken).toBe(inMemory);
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const state = await callOn(routesOn(records), id)('GET', '/api/sessions/:id/state');
  clearImmediate(timer);
  expect(state.current_word_idx).toBe(1_900);
  expect(turns).toBeGreaterThan(3);
  expect(taken).toBe(inMemory + 4);
});
