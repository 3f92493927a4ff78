import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SessionList } from '../../../src/contract/answer-types.ts';
import { parseTrustProxy } from '../../../src/server/settings/config-parsers.ts';
import { type Answer, send } from '../../support/http-client.ts';
import { createPlayerClient } from '../../support/player-client.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { flawless, sessionOperations } from '../../support/typing-client.ts';

const annaKey = 'A'.repeat(22);
const bertKey = 'bert_-'.repeat(8);
const trustProxy = parseTrustProxy('127.0.0.1');

/** Every way to touch a session. */
const touches = (id: string): [string, string, unknown?][] => [
  ...sessionOperations.map(
    ({ method, pathOf, body }) => [method, pathOf(id), body] as [string, string, unknown],
  ),
  ['POST', `/sessions/${id}/keystroke`, { char: 'too long' }],
];

describe.each([
  ['on a server that only this machine can reach', {}],
  ['on a server behind a proxy', { trustProxy }],
])('a player key %s', (_, config) => {
  let server: TestServer;
  const port = () => server.port;
  beforeAll(async () => {
    server = await startTestServer({ ...config, apiLimit: 'off' });
  });
  afterAll(() => server.close());

  it('reserves a session for its player: for everybody else it does not exist, whatever they try', async () => {
    const anna = createPlayerClient(port, { key: annaKey });
    const id = await anna.open();
    await anna.ask('POST', `/sessions/${id}/round`);
    const before = (await anna.ask('GET', `/sessions/${id}/state`)).json;
    const listed = (await anna.ask('GET', '/sessions')).json;
    for (const other of [createPlayerClient(port, { key: bertKey }), createPlayerClient(port, {})]) {
      for (const touch of touches(id)) {
        const { status, json } = await other.ask(...touch);
        expect([touch, status, (json as { code: string }).code]).toEqual([touch, 404, 'SESSION_NOT_FOUND']);
      }
      expect(await other.sessions()).not.toContain(id);
    }
    // Not even used by them, which would keep it open.
    expect((await anna.ask('GET', '/sessions')).json).toEqual(listed);
    expect((await anna.ask('GET', `/sessions/${id}/state`)).json).toEqual(before);
    expect(await anna.sessions()).toContain(id);
  });

  it('has a history of its own', async () => {
    const anna = createPlayerClient(port, { key: `${annaKey}history` });
    const bert = createPlayerClient(port, { key: `${bertKey}history` });
    const id = await anna.open();
    await anna.play(id);
    await anna.play(id);
    expect(await anna.total(id)).toBe(2);
    expect(await bert.total(await bert.open())).toBe(0);
    const keyless = createPlayerClient(port, {});
    expect(await keyless.total(await keyless.open())).toBe(0);
  });

  it.each([
    ['no scheme', annaKey],
    ['another scheme', `Basic ${annaKey}`],
    ['a key that is too short', `Bearer ${'A'.repeat(21)}`],
    ['a key that is too long', `Bearer ${'A'.repeat(129)}`],
    ['a character that no key has', `Bearer ${'A'.repeat(22)}=`],
    ['two keys', `Bearer ${annaKey} ${annaKey}`],
    ['nothing', ''],
  ])('of the wrong shape (%s) is 401, with or without a session', async (_, Authorization) => {
    for (const path of ['/api/sessions', `/api/v1/sessions/${'0'.repeat(32)}/state`]) {
      const { status, headers, body } = await send(server.port, { path, headers: { Authorization } });
      expect([status, JSON.parse(body.toString()).code]).toEqual([401, 'UNAUTHENTICATED']);
      expect(headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('is not needed for what everybody may read', async () => {
    for (const path of ['/api/health', '/api/openapi.json']) {
      expect((await send(server.port, { path, headers: { Authorization: 'Basic x' } })).status).toBe(200);
    }
  });

  it('is on disk only as its SHA-256', async () => {
    const anna = createPlayerClient(port, { key: annaKey });
    const id = await anna.open();
    await anna.play(id);
    expect((await anna.ask('POST', `/sessions/${id}/save`)).status).toBe(200);
    for (const text of await allFiles(server.dataDir)) expect(text).not.toContain(annaKey);
  });
});

describe('without a key, on a server that strangers can reach', () => {
  let server: TestServer;
  const port = () => server.port;
  beforeAll(async () => {
    server = await startTestServer({ trustProxy, apiLimit: 'off' });
  });
  afterAll(() => server.close());

  it('the player is the address: its list and history contain what came from there', async () => {
    const here = createPlayerClient(port, { address: '203.0.113.7' });
    const there = createPlayerClient(port, { address: '203.0.113.8' });
    const id = await here.open();
    await here.play(id);
    expect(await here.sessions()).toEqual([id]);
    expect(await here.total(id)).toBe(1);
    expect(await there.sessions()).toEqual([]);
    expect(await there.total(await there.open())).toBe(0);
  });

  it('anyone who knows the id of a session can use it from anywhere, and it still belongs to its address', async () => {
    const here = createPlayerClient(port, { address: '203.0.113.9' });
    const there = createPlayerClient(port, { address: '203.0.113.10' });
    const id = await here.open();
    expect((await there.play(id)).status).toBe(200);
    expect(await here.total(id)).toBe(1);
    expect([await there.total(id), await there.sessions()]).toEqual([0, []]);
    expect(await there.total(await there.open())).toBe(0);
  });

  it('an X-Forwarded-For sent by the client changes nothing', async () => {
    const victim = createPlayerClient(port, { address: '203.0.113.11' });
    const id = await victim.open();
    // A proxy appends the true address to whatever the client sent.
    const forger = createPlayerClient(port, { address: '203.0.113.11, 203.0.113.12' });
    expect(await forger.sessions()).toEqual([]);
    expect(await victim.sessions()).toEqual([id]);
  });

  it('no address is on disk, and only its owner can read the secret that hashes them', async () => {
    const here = createPlayerClient(port, { address: '203.0.113.77' });
    const id = await here.open();
    await here.play(id);
    await here.ask('POST', `/sessions/${id}/save`);
    for (const text of await allFiles(server.dataDir)) expect(text).not.toContain('203.0.113');
    const entries = await readdir(server.dataDir, { withFileTypes: true, recursive: true });
    const secrets = entries.filter(({ name }) => name.startsWith('address-key'));
    expect(secrets.length).toBeGreaterThan(0);
    for (const { parentPath, name } of secrets)
      expect((await stat(join(parentPath, name))).mode & 0o777).toBe(0o600);
  });
});

describe('bounds of a server that strangers can reach', () => {
  let server: TestServer;
  const port = () => server.port;
  beforeAll(async () => {
    server = await startTestServer({ trustProxy, apiLimit: 'off', maxSessions: 120 });
  });
  afterAll(() => server.close());

  it('the 51st session of a client is 429, whatever keys it makes up, and others still get theirs', async () => {
    const address = '198.51.100.1';
    const open = (key: string) => createPlayerClient(port, { key, address }).ask('POST', '/sessions');
    const opened = await Promise.all(Array.from({ length: 50 }, (_, at) => open(`${'k'.repeat(22)}${at}`)));
    expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([201]));
    const refused = await open('z'.repeat(30));
    expect([refused.status, (refused.json as { code: string }).code]).toEqual([429, 'SESSION_LIMIT_REACHED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    const other = await createPlayerClient(port, { address: '198.51.100.2' }).ask('POST', '/sessions');
    expect(other.status).toBe(201);
  });

  it('the 51st session of a player is 429 from any address; deleting one makes room', async () => {
    const from = (at: number) => createPlayerClient(port, { key: bertKey, address: `192.0.2.${at}` });
    const ids = await Promise.all(Array.from({ length: 50 }, (_, at) => from(at).open()));
    expect((await from(99).ask('POST', '/sessions')).status).toBe(429);
    expect((await from(98).ask('DELETE', `/sessions/${ids[7]}`)).status).toBe(204);
    expect((await from(97).ask('POST', '/sessions')).status).toBe(201);
  });

  it('a full server answers 503', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, at) =>
        createPlayerClient(port, { address: `198.18.0.${at}` }).ask('POST', '/sessions'),
      ),
    );
    const { status, json } = answers.find((answer) => answer.status !== 201) ?? { status: 201, json: {} };
    expect([status, (json as { code: string }).code]).toEqual([503, 'SESSION_LIMIT_REACHED']);
  });
});

it('all addresses of an IPv6 /48 get sixteen times the sessions of one client', async () => {
  const server = await startTestServer({
    trustProxy,
    apiLimit: 'off',
    maxSessionsPerClient: 2,
    maxSessions: 60,
  });
  const open = async (net: number, host: number) => {
    const address = `2001:db8:${host === 0 ? 8 : 7}:${net.toString(16)}::${host + 1}`;
    return (await createPlayerClient(() => server.port, { address }).ask('POST', '/sessions')).status;
  };
  const statuses: (number | undefined)[] = [];
  for (let net = 0; net < 20; net++) for (const host of [1, 2]) statuses.push(await open(net, host));
  expect(statuses).toEqual([...Array(32).fill(201), ...Array(8).fill(429)]);
  expect(await open(1, 0)).toBe(201);
  await server.close();
});

describe('a stranger who invents a player for each round', () => {
  let server: TestServer;
  const port = () => server.port;
  const address = '203.0.113.44';
  const inventPlayer = (at: number) =>
    createPlayerClient(port, { address, key: `invented-${String(at).padStart(20, '0')}` });
  beforeEach(async () => {
    server = await startTestServer({ trustProxy, apiLimit: 'off', roundQuota: 32 * 30_000 });
  });
  afterEach(() => server.close());

  it('fills their share of the disk, while others save their rounds', async () => {
    const early = inventPlayer(1_000);
    const running = await early.open();
    const { words } = (await early.ask('POST', `/sessions/${running}/round`)).json as { words: string[] };
    let refused: (Answer & { json: unknown }) | undefined;
    let kept = 0;
    for (; refused === undefined && kept < 40; kept++) {
      const stranger = inventPlayer(kept);
      const id = await stranger.open();
      const started = await stranger.ask('POST', `/sessions/${id}/round`);
      if (started.status === 429) refused = started;
      else {
        expect((await stranger.play(id)).status).toBe(200);
        expect((await stranger.ask('DELETE', `/sessions/${id}`)).status).toBe(204);
      }
    }
    expect(refused).toMatchObject({ status: 429, json: { code: 'RATE_LIMITED' } });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(1);
    expect(kept).toBeGreaterThan(2);
    expect(await sizeOf(server.dataDir)).toBeLessThan(40_000);

    const upload = await inventPlayer(2_000).ask('POST', '/rounds', wholeRound);
    expect([upload.status, Number(upload.headers['retry-after']) > 1]).toEqual([429, true]);
    // What runs goes on, and is kept.
    expect((await early.ask('POST', `/sessions/${running}/input`, { events: flawless(words) })).status).toBe(
      200,
    );
    const timing = { start_time_unix_ms: 1, end_time_unix_ms: 60_001, duration_ms: 60_000 };
    expect((await early.ask('POST', `/sessions/${running}/timing`, timing)).status).toBe(200);
    expect((await early.ask('POST', `/sessions/${running}/save`)).status).toBe(200);
    expect((await early.rounds()).rounds).toHaveLength(1);

    const other = createPlayerClient(port, { address: '203.0.113.45' });
    const id = await other.open();
    expect((await other.play(id)).status).toBe(200);
    expect((await other.ask('POST', `/sessions/${id}/save`)).status).toBe(200);
    expect((await other.ask('POST', '/rounds', wholeRound)).status).toBe(201);
  });
});

const wholeRound = {
  id: '00000000-0000-4000-8000-000000000000',
  words: ['two', 'words'],
  events: flawless(['two', 'words']),
  start_time_unix_ms: 1,
  end_time_unix_ms: 60_001,
  duration_ms: 60_000,
};

/** Bytes of the players' rounds, in the blocks of a disk. */
async function sizeOf(dataDir: string): Promise<number> {
  const entries = await readdir(dataDir, { withFileTypes: true, recursive: true });
  const sizes = entries
    .filter((entry) => entry.isFile() && basename(entry.parentPath) === 'rounds')
    .map(async ({ parentPath, name }) => Math.ceil((await stat(join(parentPath, name))).size / 4096) * 4096);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

it('behind a trusted proxy the API has its limit on loopback too', async () => {
  const server = await startTestServer({ trustProxy });
  const { headers } = await send(server.port, { path: '/api/health' });
  expect(headers['ratelimit-policy']).toBe('"api";q=200;w=2');
  await server.close();
});

it('a batch costs a token for every 20 inputs or part of them, and at most a full bucket', async () => {
  const server = await startTestServer({ trustProxy, apiLimit: { rate: 0.001, burst: 60 } });
  const player = createPlayerClient(() => server.port, { address: '203.0.113.1' });
  const id = await player.open();
  await player.ask('POST', `/sessions/${id}/round`);
  const type = (count: number) =>
    player.ask('POST', `/sessions/${id}/input`, { events: Array(count).fill({ type: 'space' }) });
  const left = ({ headers }: Answer) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
  expect(left(await type(1))).toBe(57);
  expect(left(await type(20))).toBe(56);
  expect(left(await type(21))).toBe(54);
  expect(left(await type(500))).toBe(29);
  expect(left(await type(500))).toBe(4);
  const refused = await type(500);
  expect([refused.status, (refused.json as { code: string }).code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1);
  expect(refused.headers['ratelimit-policy']).toBe('"api";q=60;w=60000');
  await server.close();
});

it('a text costs a token for every 1,000 characters of it, whatever they are', async () => {
  const server = await startTestServer({ trustProxy, apiLimit: { rate: 0.001, burst: 60 } });
  const player = createPlayerClient(() => server.port, { address: '203.0.113.1' });
  const left = ({ headers }: Answer) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
  const open = (mode: object) => player.ask('POST', '/sessions', { mode });
  expect(left(await open({ type: 'text', text: 'a short one' }))).toBe(59);
  expect(left(await open({ type: 'text', text: 'क़'.repeat(4_500) }))).toBe(49);
  expect(left(await open({ type: 'words', list: Array(2_000).fill('same') }))).toBe(34);
  await server.close();
});

it('a round costs a token more for every 1,000 characters that it is begun with', async () => {
  const server = await startTestServer({ trustProxy, apiLimit: { rate: 0.001, burst: 60 } });
  const player = createPlayerClient(() => server.port, { address: '203.0.113.1' });
  const left = ({ headers }: Answer) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
  const begin = async (mode: object) => {
    const { json } = await player.ask('POST', '/sessions', { mode });
    return player.ask('POST', `/sessions/${(json as { session_id: string }).session_id}/round`);
  };
  expect(left(await begin({ type: 'words' }))).toBe(58);
  expect(left(await begin({ type: 'time', seconds: 600 }))).toBe(41);
  expect(left(await begin({ type: 'text', text: 'hello '.repeat(500) }))).toBe(33);
  await server.close();
});

it('a refused batch costs as much as an accepted one, even for a session that does not exist', async () => {
  const server = await startTestServer({ trustProxy, apiLimit: { rate: 0.001, burst: 120 } });
  const player = createPlayerClient(() => server.port, { address: '203.0.113.1' });
  const id = await player.open();
  const events = [...Array(499).fill({ type: 'space' }), { type: 'nothing' }];
  const left = ({ headers }: Answer) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
  const refused = await player.ask('POST', `/sessions/${id}/input`, { events });
  expect([refused.status, left(refused)]).toEqual([400, 94]);
  const unknown = await player.ask('POST', `/sessions/${'0'.repeat(32)}/input`, { events });
  expect([unknown.status, left(unknown)]).toEqual([404, 69]);
  const upload = await player.ask('POST', '/rounds', { events });
  expect([upload.status, left(upload)]).toEqual([400, 49]);
  await server.close();
});

it('with --typing off the typing routes are 404, and badge and contract stay', async () => {
  const server = await startTestServer({ typing: 'off' });
  const statuses: Record<string, number> = {};
  for (const path of [
    '/api/sessions',
    '/api/health',
    '/api/openapi.json',
    '/health',
    '/content/announcement.json',
  ])
    statuses[path] = (await send(server.port, { path })).status;
  expect(statuses).toEqual({
    '/api/sessions': 404,
    '/api/health': 404,
    '/api/openapi.json': 200,
    '/health': 200,
    '/content/announcement.json': 200,
  });
  expect((await send(server.port, { method: 'POST', path: '/api/sessions' })).status).toBe(404);
  await server.close();
});

describe('the list of sessions', () => {
  let server: TestServer;
  const port = () => server.port;
  afterAll(() => server.close());

  it('has all in local mode, also more than a page may have, or as many as requested, page by page', async () => {
    server = await startTestServer();
    const local = createPlayerClient(port, {});
    const ids: string[] = [];
    for (let hundred = 0; hundred < 12; hundred++) {
      ids.push(...(await Promise.all(Array.from({ length: 100 }, local.open))));
    }
    const list = async (query: string) => (await local.ask('GET', `/sessions${query}`)).json as SessionList;
    const whole = await list('');
    expect(whole.next).toBeUndefined();
    expect(whole.sessions.map(({ id }) => id).sort()).toEqual(ids.sort());
    const paged: string[] = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const page: SessionList = await list(`?limit=500${next === '' ? '' : `&after=${next}`}`);
      expect(page.sessions.length).toBeLessThanOrEqual(500);
      paged.push(...page.sessions.map(({ id }) => id));
      next = page.next;
    }
    expect(paged).toEqual(whole.sessions.map(({ id }) => id));
  });

  it.each([
    ['limit=1001', 'limit must be a whole number from 1 to 1000.'],
    ['limit=1&limit=2', 'limit is given twice.'],
    ['after=x', 'after must be an id as the list shows it.'],
    [`after=${'0'.repeat(32)}`, 'after must be the id of one of your sessions'],
  ])('refuses %s, and says what would be right', async (query, sentence) => {
    const { status, body } = await send(server.port, { path: `/api/sessions?${query}` });
    expect([status, JSON.parse(body.toString())]).toEqual([
      400,
      { code: 'INVALID_REQUEST', error: expect.stringContaining(sentence) },
    ]);
  });
});

async function allFiles(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
}
