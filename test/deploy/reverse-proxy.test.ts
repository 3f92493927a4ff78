import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, send } from '../support/http-client.ts';
import { type RunningProcess, runTypebadge, startServeProcess } from '../support/typebadge-process.ts';
import { canUse, readExampleSettings } from './programs.ts';
import {
  type FrontServer,
  publicName,
  startCaddy,
  startHaproxy,
  startNginx,
  startNginxForReplicas,
  type TlsQuestion,
} from './proxies.ts';

const hasOpenssl = canUse('openssl', 'version');
const hasNginx = hasOpenssl && canUse('nginx', '-v');
/** Where a file names three replicas, all three are the same server here. */
const thrice = (port: number) => [port, port, port];

const fronts = [
  {
    ...{ name: 'nginx.conf', isHere: hasNginx },
    start: (folder: string, port: number) =>
      startNginx(folder, 'nginx.conf', [['127.0.0.1:8787', `127.0.0.1:${port}`]]),
  },
  {
    ...{ name: 'nginx-replicas.conf', isHere: hasNginx },
    start: (folder: string, port: number) => startNginxForReplicas(folder, thrice(port)),
  },
  {
    ...{ name: 'haproxy.cfg', isHere: hasOpenssl && canUse('haproxy', '-v') },
    start: (folder: string, port: number) => startHaproxy(folder, thrice(port)),
  },
  { name: 'Caddyfile', isHere: canUse('caddy', 'version'), start: startCaddy },
];

/** Those for one server are asked everything, those for replicas only what an editor needs. */
const isForReplicas = (name: string) => name.includes('replicas') || name === 'haproxy.cfg';

describe.each(fronts.filter(({ isHere }) => isHere))('behind $name', ({ name, start }) => {
  let folder: string;
  let frontFolder: string;
  let server: RunningProcess;
  let front: FrontServer;
  let token: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'typebadge-proxied-'));
    frontFolder = await mkdtemp(join(tmpdir(), 'typebadge-proxy-'));
    const env = { ...(await readExampleSettings()), TYPEBADGE_DATA: join(folder, 'data') };
    server = await startServeProcess(['--allow-origin', 'https://example.org'], { cwd: folder, env });
    const { stdout } = await runTypebadge(['editors', 'add', 'anna', '--json'], { cwd: folder, env });
    token = JSON.parse(stdout).token;
    front = await start(frontFolder, server.port);
  });
  afterAll(async () => {
    await front?.stop();
    server?.child.kill('SIGTERM');
    await server?.finished;
    for (const used of [folder, frontFolder]) await rm(used, { recursive: true, force: true });
  });

  const ask = (question: TlsQuestion) => front.ask(question);

  describe('an editor', () => {
    const path = '/api/announcements';
    const toHeaders = (more: Record<string, string>) => ({
      ...{ Host: publicName, Authorization: `Bearer ${token}` },
      ...more,
    });
    const codeOf = ({ status, body }: Answer) => [status, JSON.parse(body.toString()).code];

    test.each([[{}], [{ 'X-Forwarded-Proto': 'http' }], [{ 'X-Forwarded-Proto': 'https, http' }]])(
      'reads the announcements over https, whatever the request claims: %j',
      async (forged) => {
        const answer = await ask({ path, headers: toHeaders(forged) });
        expect(codeOf(answer)).toEqual([200, undefined]);
      },
    );

    test('gets nothing over http, even with a forged X-Forwarded-Proto', async () => {
      const headers = toHeaders({ 'X-Forwarded-Proto': 'https' });
      const answer = await send(front.httpPort, { path, headers });
      expect([answer.status, answer.headers.location]).toEqual([308, `https://${publicName}${path}`]);
    });

    test('is refused with a wrong token', async () => {
      const headers = toHeaders({ Authorization: `Bearer tbe_${'x'.repeat(43)}` });
      const answer = await ask({ path, headers });
      expect(answer.status).toBe(401);
    });
  });
  if (isForReplicas(name)) return;

  /** Everything that is typebadge's to say: what one connection or one client is told stays out. */
  function toTruth({ status, headers, body }: Answer) {
    const own =
      /^(?:connection|keep-alive|date|server|via|request-id|alt-svc|ratelimit|transfer-encoding|content-length)$/;
    const kept = Object.entries(headers).filter(([name]) => !own.test(name));
    return { status, headers: Object.fromEntries(kept), body: body.toString('base64') };
  }

  const paths = [
    '/js/typebadge-inject.min.js',
    '/content/announcement.json',
    '/feed.atom',
    '/demo',
    '/health',
  ];
  const codings = ['br', 'gzip', 'identity'];
  const origins = ['https://example.org', 'https://stranger.example', undefined];
  const questions: TlsQuestion[] = [
    ...paths.flatMap((path) => codings.map((coding) => ({ path, headers: { 'Accept-Encoding': coding } }))),
    ...origins.flatMap((origin) =>
      ['GET', 'HEAD', 'OPTIONS'].map((method) => ({
        ...{ method, path: '/content/history.json' },
        headers: origin === undefined ? {} : { Origin: origin, 'Access-Control-Request-Method': 'GET' },
      })),
    ),
    ...['/nothing', '/health/', '/content/%2e%2e/health', '/a%ffb', '/demo?a=1&b=%20'].map((path) => ({
      path,
    })),
    { method: 'DELETE', path: '/content/history.json' },
    { method: 'POST', path: '/api/sessions', headers: { 'Content-Type': 'text/plain' }, body: 'a' },
    { path: '/api/openapi.json' },
  ];

  test.each(questions.map((question, at) => ({ question, from: `127.0.1.${at + 1}` })))(
    '$question.method $question.path $question.headers is answered as without it',
    async ({ question, from }) => {
      const asked = { ...question, headers: { Host: publicName, ...question.headers } };
      const [proxied, direct] = [await ask({ ...asked, from }), await send(server.port, asked)];
      expect(toTruth(proxied)).toEqual(toTruth(direct));
    },
  );

  test('a cached copy is confirmed with a 304', async () => {
    const path = '/content/announcement.json';
    const first = await ask({ path });
    const again = await ask({ path, headers: { 'If-None-Match': String(first.headers.etag) } });
    expect([first.status, again.status, again.body.length]).toEqual([200, 304, 0]);
    expect(again.headers['cache-control']).toBe('public, max-age=900, must-revalidate');
  });

  test('headers that never end close the connection', async () => {
    const socket = connectTls({
      port: front.httpsPort,
      host: '127.0.0.1',
      ca: front.ca,
      servername: publicName,
    });
    socket.on('error', () => {});
    const start = Date.now();
    socket.on('secureConnect', () => socket.write(`GET / HTTP/1.1\r\nHost: ${publicName}\r\nX: `));
    await once(socket.resume(), 'close');
    // Without the settings of the example files: a minute, or never.
    expect(Date.now() - start).toBeLessThan(40_000);
  }, 60_000);

  test('http leads to https', async () => {
    const answer = await send(front.httpPort, { path: '/demo?x=1', headers: { Host: publicName } });
    expect([answer.status, answer.headers.location]).toEqual([308, `https://${publicName}/demo?x=1`]);
    // Caddy answers for any name, which no setting of a site changes.
    if (name !== 'nginx.conf') return;
    const other = await send(front.httpPort, { path: '/demo', headers: { Host: 'evil.example' } });
    expect(other.headers.location).toBe(`https://${publicName}/demo`);
  });

  test('a limit applies to one client, whatever it claims', async () => {
    const path = '/content/announcement.json';
    /** Asks until it is told to wait; a slow machine needs more questions than the burst. */
    const exhaust = async (from: string, toHeaders: (at: number) => Record<string, string>) => {
      for (let at = 0; at < 3000; at += 25) {
        const wave = Array.from({ length: 25 }, (_, next) =>
          ask({ path, from, headers: toHeaders(at + next) }),
        );
        const refused = (await Promise.all(wave)).find(({ status }) => status === 429);
        if (refused !== undefined) return refused;
      }
      throw new Error('3000 requests were answered without a limit.');
    };
    const refused = await exhaust('127.0.0.2', () => ({}));
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(JSON.parse(refused.body.toString())).toMatchObject({ code: 'RATE_LIMITED' });
    expect((await ask({ path, from: '127.0.0.3' })).status).toBe(200);
    await exhaust('127.0.0.4', (at) => ({ 'X-Forwarded-For': `198.51.${at >> 8}.${at & 255}` }));
  });

  test('the typing API has its limit, although the server listens on loopback only', async () => {
    const answer = await ask({ path: '/api/health' });
    expect(answer.headers['ratelimit-policy']).toContain('q=200');
  });

  test('two clients see only their own sessions, and a forged X-Forwarded-For changes nothing', async () => {
    const [victim, stranger] = ['127.0.2.2', '127.0.2.3'];
    const call = async (from: string, method: string, headers: Record<string, string> = {}) =>
      JSON.parse((await ask({ method, path: '/api/sessions', from, headers })).body.toString());
    const { session_id: id } = await call(victim, 'POST');
    expect((await call(victim, 'GET')).sessions).toMatchObject([{ id }]);
    expect(await call(stranger, 'GET')).toEqual({ sessions: [] });
    for (const forged of [victim, `${victim}, 127.0.0.1`, '127.0.0.1', `[${victim}]:443`]) {
      const headers = { 'X-Forwarded-For': forged, 'X-Real-IP': victim };
      expect([forged, await call(stranger, 'GET', headers)]).toEqual([forged, { sessions: [] }]);
    }
  });

  test('a long batch of inputs arrives complete, and one that is too long is refused in JSON', async () => {
    const created = await ask({ method: 'POST', path: '/api/sessions' });
    const path = `/api/sessions/${JSON.parse(created.body.toString()).session_id}`;
    await ask({ method: 'POST', path: `${path}/round` });
    const events = Array.from({ length: 500 }, (_, at) => ({
      ...(at % 2 === 0 ? { type: 'keystroke', char: 'é' } : { type: 'backspace' }),
      ...{ seek_time_ms: 120, seq: at + 1 },
    }));
    const headers = { 'Content-Type': 'application/json' };
    const post = (body: string) => ask({ method: 'POST', path: `${path}/input`, headers, body });
    const taken = await post(JSON.stringify({ events }));
    expect([taken.status, JSON.parse(taken.body.toString()).results?.length]).toEqual([200, 500]);
    const refused = await post(JSON.stringify({ events, padding: ' '.repeat(100_000) }));
    expect([refused.status, JSON.parse(refused.body.toString()).code]).toEqual([413, 'REQUEST_TOO_LARGE']);
  });

  test('HTTP/2 is supported', async () => {
    const session = connect(`https://127.0.0.1:${front.httpsPort}`, { ca: front.ca, servername: publicName });
    const stream = session.request({ ':path': '/health', ':authority': publicName });
    const status = await new Promise((resolve, reject) => {
      session.on('error', reject);
      stream.on('response', (headers) => resolve(headers[':status']));
    });
    session.destroy();
    expect(status).toBe(200);
  });
});
