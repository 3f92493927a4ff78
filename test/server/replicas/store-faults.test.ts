import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GameState } from '../../../src/contract/answer-types.ts';
import { packageFile } from '../../../src/kit/package-files.ts';
import { parseStoreUrl } from '../../../src/server/settings/store-url.ts';
import { type Answer, send } from '../../support/http-client.ts';
import { eventually, hasRedis, type RedisProcess, startRedis } from '../../support/redis/redis-process.ts';
import { highLimits, lasting, startTestServer, type TestServer } from '../../support/test-server.ts';
import { createTypingClient } from '../../support/typing-client.ts';

interface Route {
  readonly method: string;
  /** With `:id` for a session's. */
  readonly path: string;
}

/** Every documented route; those that remove something come last. */
async function readRoutes(): Promise<Route[]> {
  const text = await readFile(packageFile('dist', 'openapi.json'), 'utf8');
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, unknown>> };
  const routes = Object.entries(paths).flatMap(([path, { servers, ...operations }]) =>
    Object.keys(operations).map((method) => ({
      method: method.toUpperCase(),
      path: `${servers === undefined ? '/api' : ''}${path.replace('{session_id}', ':id').replace('{brand}', 'typebadge')}`,
    })),
  );
  return routes.sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
}

const bodies: Readonly<Record<string, unknown>> = {
  '/api/sessions': {},
  '/api/sessions/:id/keystroke': { char: 'a', seek_time_ms: 100 },
  '/api/sessions/:id/input': { events: [{ type: 'keystroke', char: 'b', seek_time_ms: 100 }] },
  '/api/sessions/:id/timing': {
    start_time_unix_ms: 1_700_000_000_000,
    end_time_unix_ms: 1_700_000_060_000,
    duration_ms: 60_000,
  },
};

/** Routes whose answers come from this server alone, whatever becomes of the store. */
const isLocal = ({ path }: Route) =>
  !path.startsWith('/api/') || /^\/api\/(?:health|openapi\.json|languages|layouts)$/.test(path);
/** Routes that must ask the store; a round that is uploaded is checked before. */
const needsStore = ({ method, path }: Route) =>
  /^\/api\/(?:sessions|rounds|player)(?:\/|$)/.test(path) && !(method === 'POST' && path === '/api/rounds');
/** Routes that the store refuses when it takes no writes. */
const isSurelyWrite = ({ method, path }: Route) =>
  method === 'POST' && /^\/api\/sessions(?:\/:id\/(?:round|keystroke|backspace|space|input))?$/.test(path);

/** Every route is asked again and again. */
const badgeLimits = highLimits;
const user = 'typebadge';
const secret = 'first-secret';
/** Milliseconds for a test; each waits for several things that may take a minute on a busy machine. */
const patience = 300_000;
/** Milliseconds after which our own client gives a request up; on the way there the machine may be busy. */
const clientPatience = 10_000;

async function failAfter(milliseconds: number, message: string): Promise<never> {
  await sleep(milliseconds, undefined, { ref: false });
  throw new Error(message);
}

describe.skipIf(!hasRedis)('every route of a server', () => {
  let dir: string;
  let redis: RedisProcess;
  let server: TestServer;
  let routes: Route[];

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-faults-'));
    // A millisecond for each command of the journal, so that loading it takes a while.
    const slowStart = ['--aof-use-rdb-preamble', 'no', '--key-load-delay', '1000'];
    const users = join(dir, 'users.acl');
    await writeFile(users, `user default on nopass ~* &* +@all\nuser ${user} on >${secret} ~* &* +@all\n`);
    redis = await startRedis(join(dir, 'redis'), [
      '--appendonly',
      'yes',
      '--appendfsync',
      'always',
      '--aclfile',
      users,
      ...slowStart,
    ]);
    const url = redis.url.replace('redis://', `redis://${user}:${secret}@`);
    server = await startTestServer({ store: parseStoreUrl(url), badgeLimits });
    routes = await readRoutes();
  });
  afterAll(async () => {
    await server.close();
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });

  const ask = ({ method, path }: Route, id: string): Promise<Answer> => {
    const query = path === '/pulse' ? `?event=click&id=${lasting.id}` : '';
    const body = method === 'POST' ? JSON.stringify(bodies[path] ?? {}) : undefined;
    const answer = send(server.port, {
      method,
      path: path.replace(':id', id) + query,
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    });
    return Promise.race([answer, failAfter(clientPatience, `${method} ${path} was not answered`)]);
  };
  const codeOf = ({ body }: Answer) => JSON.parse(body.toString()).code;
  const newSession = async () => {
    const client = createTypingClient(server.port);
    let id = '';
    await eventually(async () => {
      id = await client.createSession();
      await client.startRound(id);
      return true;
    });
    return id;
  };
  /** Asks for everything, and checks what must hold whatever is wrong with the store. Resolves to the statuses. */
  const askAll = async (id: string) => {
    const statuses = new Map<Route, number>();
    for (const route of routes) {
      const answer = await ask(route, id);
      const place = `${route.method} ${route.path}: ${answer.status} ${answer.body.toString().slice(0, 200)}`;
      expect(answer.status, place).not.toBe(500);
      if (isLocal(route) && route.path !== '/health/ready')
        expect([200, 204], place).toContain(answer.status);
      if (answer.status === 503 && route.path !== '/health/ready')
        expect([codeOf(answer), answer.headers['retry-after']], place).toEqual(['STORE_UNAVAILABLE', '1']);
      statuses.set(route, answer.status);
    }
    return statuses;
  };
  const isHealed = async () => {
    const { status } = await send(server.port, { path: '/health/ready' });
    return status === 200 && (await newSession()) !== '';
  };

  test.each([
    ['hangs', () => redis.freeze(), () => redis.thaw()],
    ['is killed', () => redis.kill(), () => redis.start()],
    [
      'no longer takes the password',
      async () => {
        await redis.command('ACL', 'SETUSER', user, 'resetpass', '>another');
        await redis.command('CLIENT', 'KILL', 'USER', user);
      },
      () => redis.command('ACL', 'SETUSER', user, 'resetpass', `>${secret}`),
    ],
  ] as const)(
    'while the store %s: typing is 503, everything else is as always',
    async (_, strike, heal) => {
      const id = await newSession();
      try {
        await strike();
        const statuses = await askAll(id);
        for (const [route, status] of statuses)
          if (needsStore(route)) expect(status, `${route.method} ${route.path}`).toBe(503);
        const [ready, health] = await Promise.all(
          ['/health/ready', '/api/health'].map((path) => send(server.port, { path })),
        );
        expect([ready?.status, JSON.parse(String(ready?.body))]).toEqual([
          503,
          { status: 'unready', reasons: [expect.stringMatching(/store/i)] },
        ]);
        expect(JSON.parse(String(health?.body))).toMatchObject({ status: 'healthy', store: 'away' });
      } finally {
        await heal();
        await eventually(isHealed);
      }
    },
    patience,
  );

  test.each([
    ['is full', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
    ['is read-only', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
    // Scripts still run: their commands are what it forbids.
    ['forbids writing', ['ACL', 'SETUSER', user, '-@write'], ['ACL', 'SETUSER', user, '+@all']],
    ['forbids keys', ['ACL', 'SETUSER', user, 'resetkeys', '~other:*'], ['ACL', 'SETUSER', user, '~*']],
  ] as const)(
    'while the store %s: what writes is 503, and nothing is acknowledged',
    async (_, strike, heal) => {
      const id = await newSession();
      const { current_input, last_seq } = await createTypingClient(server.port).state(id);
      try {
        await redis.command(...strike);
        const statuses = await askAll(id);
        for (const [route, status] of statuses)
          if (isSurelyWrite(route)) expect(status, `${route.method} ${route.path}`).toBe(503);
      } finally {
        await redis.command(...heal);
        await eventually(isHealed);
      }
      const state = await createTypingClient(server.port).call<GameState>('GET', `/sessions/${id}/state`);
      // A full store still removes what it is asked to remove.
      if (state.status === 200) expect(state.body).toMatchObject({ current_input, last_seq });
      else expect(state.status).toBe(404);
    },
    patience,
  );

  test(
    'a player can be forgotten while the store is full',
    async () => {
      const id = await newSession();
      const headers = { authorization: `Bearer ${'f'.repeat(30)}` };
      const session = await send(server.port, { method: 'POST', path: '/api/sessions', headers });
      expect(session.status).toBe(201);
      await redis.command('CONFIG', 'SET', 'maxmemory', '1');
      try {
        const forgotten = await send(server.port, { method: 'DELETE', path: '/api/player', headers });
        expect(forgotten.status).toBe(204);
        const own = await send(server.port, { path: '/api/sessions', headers });
        expect(JSON.parse(String(own.body))).toEqual({ sessions: [] });
        expect((await send(server.port, { path: `/api/sessions/${id}/state` })).status).toBe(200);
      } finally {
        await redis.command('CONFIG', 'SET', 'maxmemory', '0');
        await eventually(isHealed);
      }
    },
    patience,
  );

  test(
    'while the store loads its data, typing is 503; afterwards nothing is missing',
    async () => {
      const fill = `for at = 1, 4000 do redis.call('SET', 'filler:' .. at, 'x') end`;
      await redis.command('EVAL', fill, '0');
      for (let part = 0; part < 3_000; part += 500)
        await redis.command(
          'MSET',
          ...Array.from({ length: 500 }, (_, at) => [`more:${part + at}`, 'x']).flat(),
        );
      const id = await newSession();
      await redis.kill();
      const loaded = redis.start();
      try {
        const statuses = await askAll(id);
        for (const [route, status] of statuses)
          if (needsStore(route)) expect([200, 201, 204, 400, 404, 409, 503], route.path).toContain(status);
        expect([...statuses.values()]).toContain(503);
      } finally {
        await loaded;
        await eventually(isHealed);
      }
    },
    patience,
  );

  test(
    'a store that has forgotten its scripts gets them again, and no request fails',
    async () => {
      const id = await newSession();
      for (const route of routes) {
        await redis.command('SCRIPT', 'FLUSH');
        const { status, body } = await ask(route, id);
        expect(status, `${route.method} ${route.path} ${body}`).toBeLessThan(500);
      }
    },
    patience,
  );
});
