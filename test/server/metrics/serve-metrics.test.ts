import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseStoreUrl } from '../../../src/server/settings/store-url.ts';
import { send, sendRaw } from '../../support/http-client.ts';
import { freePort, hasRedis, type RedisProcess, startRedis } from '../../support/redis/redis-process.ts';
import { lasting, startTestServer, type TestServer } from '../../support/test-server.ts';
import { type RunningProcess, runTypebadge, startServeProcess } from '../../support/typebadge-process.ts';
import { createTypingClient, playRound } from '../../support/typing-client.ts';
import { until } from '../../support/until.ts';
import { scrape, total } from './scrape.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-metrics-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const children: RunningProcess[] = [];
afterEach(async () => {
  for (const { child, finished } of children.splice(0)) {
    child.kill('SIGKILL');
    await finished;
  }
});

/** The real program with metrics on a free port. */
async function serve(...options: string[]) {
  const metricsPort = await freePort();
  const folders = { data: join(dir, `data-${metricsPort}`), content: join(dir, `content-${metricsPort}`) };
  await mkdir(folders.content);
  const server = await startServeProcess([
    ...['--metrics', `127.0.0.1:${metricsPort}`],
    ...['--data', folders.data, '--content', folders.content],
    ...options,
  ]);
  children.push(server);
  return { ...server, metrics: `http://127.0.0.1:${metricsPort}/metrics` };
}

describe('serve --metrics', () => {
  test('counts what a typist and a reader do, by the route and never by the path', async () => {
    const server = await serve();
    const client = createTypingClient(server.port);
    const id = await client.createSession();
    await playRound(client, id);
    await client.save(id);
    await send(server.port, { path: '/content/announcement.json' });
    await send(server.port, { path: '/content/announcement.json', method: 'HEAD' });
    await until(async () => total(await scrape(server.metrics), 'typebadge_requests_total', '"HEAD"') === 1);
    const samples = await scrape(server.metrics);
    const counted = (route: string, method: string, status: number) =>
      samples.get(`typebadge_requests_total{route="${route}",method="${method}",status="${status}"}`);
    expect(counted('/content/announcement.json', 'GET', 200)).toBe(1);
    expect(counted('/api/sessions/:id/input', 'POST', 200)).toBe(1);
    expect(samples.get('typebadge_keys_total')).toBe(180);
    expect(samples.get('typebadge_rounds_total')).toBe(1);
    expect(samples.get('typebadge_open_sessions{scope="server"}')).toBe(1);
    expect(samples.get('typebadge_ready')).toBe(1);
    expect(total(samples, 'typebadge_info', 'version=')).toBe(1);
    expect(samples.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
    const callsOf = (operation: string) =>
      total(samples, 'typebadge_store_duration_seconds_count', `"${operation}"`);
    expect([callsOf('rounds.add'), callsOf('pulse.save')]).toEqual([1, 0]);
    expect(callsOf('content.versions')).toBeGreaterThan(0);
    expect([...samples.keys()].join('\n')).not.toContain(id);
    // A timing that is sent again is the same round.
    await client.timing(id, 60_000);
    expect((await scrape(server.metrics)).get('typebadge_rounds_total')).toBe(1);
  });

  test('hostile paths and methods create no new figures', async () => {
    const server = await serve('--api-limit', '1000:1000');
    const methods = ['GET', 'HEAD', 'POST', 'PROPFIND', 'MKCOL', 'REPORT', 'PURGE', 'SUBSCRIBE', 'QUERY'];
    const flood = async (round: number) => {
      for (let at = 0; at < 54; at += 1) {
        const method = methods[at % methods.length] as string;
        const path = [`/${round}-${at}`, `/api/${round}x${at}`, `/api/sessions/${round}-${at}/state`][at % 3];
        await send(server.port, { method, path: path as string, headers: { 'X-Forwarded-For': `${at}` } });
      }
      await sendRaw(server.port, [`M${round} / HTTP/1.1\r\nHost: x\r\n\r\n`]);
      return scrape(server.metrics);
    };
    const once = await flood(1);
    const names = (samples: ReadonlyMap<string, number>) =>
      [...samples.keys()].filter((name) => name.startsWith('typebadge_')).sort();
    const again = await flood(2);
    expect(total(again, 'typebadge_requests_total')).toBeGreaterThanOrEqual(108);
    expect(names(again)).toEqual(names(once));
    expect(names(again).length).toBeLessThan(300);
  });

  test('refusals count for their limit, and a client that leaves without an answer is a 499', async () => {
    const server = await serve();
    await Promise.all(Array.from({ length: 30 }, () => send(server.port, { path: '/demo' })));
    await until(async () => total(await scrape(server.metrics), 'typebadge_requests_total', '/demo') === 30);
    const samples = await scrape(server.metrics);
    const refused = total(samples, 'typebadge_requests_total', 'status="429"');
    expect(refused).toBeGreaterThan(0);
    expect(samples.get('typebadge_limiter_refusals_total{group="pages"}')).toBe(refused);
    // Refusals take no part in the times.
    expect(total(samples, 'typebadge_request_duration_seconds_count', '/demo')).toBe(30 - refused);
    // A body that never comes whole, and a client that gives up.
    await sendRaw(
      server.port,
      [
        'POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      ],
      300,
    );
    await until(
      async () => total(await scrape(server.metrics), 'typebadge_requests_total', 'status="499"') === 1,
    );
  });

  test('an address that cannot be used ends the start with one sentence', async () => {
    const server = await serve();
    const taken = new URL(server.metrics).host;
    await mkdir(join(dir, 'second-content'));
    const second = await runTypebadge(
      ['serve', '--port', '0', '--metrics', taken, '--data', join(dir, 'second')],
      {
        env: { TYPEBADGE_CONTENT: join(dir, 'second-content') },
      },
    );
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining(`${taken} (EADDRINUSE)`)]);
  });

  test('the figures of workers are added up, and stay when workers are replaced or killed', async () => {
    const server = await serve('--workers', '2', '--typing', 'off');
    const requestsOf = async () =>
      total(await scrape(server.metrics), 'typebadge_requests_total', 'route="/health"');
    const ask = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          send(server.port, { path: '/health', headers: { Connection: 'close' } }),
        ),
      );
    await ask(40);
    await until(async () => (await requestsOf()) === 40);
    const before = await scrape(server.metrics);
    expect(before.get('typebadge_ready')).toBe(1);
    expect(total(before, 'process_resident_memory_bytes')).toBeGreaterThan(60 * 1024 * 1024);

    server.child.kill('SIGUSR2');
    await server.said(/all workers were replaced/);
    await ask(10);
    await until(async () => (await requestsOf()) === 50);

    const [pid] = await workersOf(server.child.pid as number);
    process.kill(pid as number, 'SIGKILL');
    await server.said(/is being replaced/);
    expect(await requestsOf()).toBe(50);
  });
});

describe('metrics of a server', () => {
  let server: TestServer;
  afterEach(() => server.close());

  test('the content revision grows with each change, and with a broken file the server is not ready', async () => {
    server = await startTestServer({ metrics: { host: '127.0.0.1', port: 0 } });
    const read = async (name: string) =>
      Number(new RegExp(`^${name} (.*)$`, 'm').exec((await server.metrics?.text()) ?? '')?.[1]);
    const first = await read('typebadge_content_revision');
    await server.writeContent('history.json', {
      announcements: [{ ...lasting, message: 'Another release is here' }],
    });
    await until(async () => (await read('typebadge_content_revision')) === first + 1);
    expect(await read('typebadge_ready')).toBe(1);
    await writeFile(join(server.contentDir, 'origins.json'), '{');
    await until(async () => (await read('typebadge_ready')) === 0);
    expect(await read('typebadge_content_revision')).toBe(first + 1);
  });

  test.skipIf(!hasRedis)('a store that dies is counted, and the scrape goes on', async () => {
    const redis: RedisProcess = await startRedis(join(dir, 'redis'));
    try {
      server = await startTestServer({
        metrics: { host: '127.0.0.1', port: 0 },
        store: parseStoreUrl(redis.url),
        apiLimit: { rate: 1_000, burst: 1_000 },
      });
      const textOf = async () => (await server.metrics?.text()) ?? '';
      const client = createTypingClient(server.port);
      const id = await client.createSession();
      await client.startRound(id);
      // What a caller gets wrong is not an error of the store.
      const gap = { events: [{ type: 'space', seq: 7 }] };
      expect((await client.call('POST', `/sessions/${id}/input`, gap)).status).toBe(400);
      const before = await textOf();
      expect(before).toContain('typebadge_open_sessions{scope="store"} 1');
      expect(before).toMatch(/^typebadge_store_duration_seconds_count\{operation="limits\.take"\} 3$/m);
      expect(before).toMatch(
        /^typebadge_store_duration_seconds_count\{operation="content\.versions"\} \d+$/m,
      );
      expect(before).not.toContain('typebadge_store_errors_total{operation="sessions.update"}');
      await redis.kill();
      expect((await client.call('GET', `/sessions/${id}/state`)).status).toBe(503);
      await send(server.port, { path: `/pulse?event=click&id=${lasting.id}` });
      const failed = (text: string) =>
        ['content.versions', 'limits.take', 'pulse.save'].every((name) =>
          text.includes(`typebadge_store_errors_total{operation="${name}"}`),
        );
      await until(async () => failed(await textOf()));
      const text = await textOf();
      expect(text).toMatch(/^typebadge_store_errors_total\{operation="sessions\.read"\} 1$/m);
      expect(text).toContain('typebadge_ready 0');
      expect(text).not.toContain('typebadge_open_sessions{');
      await expect(server.close()).rejects.toThrow('they are lost');
      server = { ...server, close: async () => {} };
    } finally {
      await redis.kill();
    }
  });
});

async function workersOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(
    pids.map(async (pid) => [pid, await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')] as const),
  );
  return stats
    .filter(([, stat]) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent)
    .map(([pid]) => pid);
}
