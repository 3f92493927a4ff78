import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import {
  createProcessMetrics,
  type ProcessMetrics,
  type Readings,
} from '../../../src/server/metrics/metrics.ts';
import { startMetricsServer } from '../../../src/server/metrics/metrics-server.ts';
import { parseListenAddress } from '../../../src/server/settings/config-parsers.ts';
import { send, sendRaw } from '../../support/http-client.ts';

const readings: Readings = {
  version: '9.9.9',
  sessionScope: 'server',
  openSessions: () => 7,
  contentRevision: () => 3,
  problems: () => [],
};

async function open(given: Partial<Readings> = {}): Promise<ProcessMetrics> {
  const metrics = await createProcessMetrics();
  metrics.watch({ ...readings, ...given });
  return metrics;
}

const answered = (method: string, route: string | undefined, status: number, refusedBy?: string) => ({
  request: { method } as IncomingMessage,
  ...{ id: undefined, route, status, refusedBy, milliseconds: 2 },
});

test('requests are in the Prometheus text, by route, method and status', async () => {
  const { metrics, text } = await open();
  metrics.onAnswer(answered('GET', '/api/sessions/:id/state', 200));
  metrics.onAnswer(answered('GET', '/api/sessions/:id/state', 429, 'api'));
  metrics.onAnswer(answered('PROPFIND', undefined, 404));
  metrics.keys(30);
  metrics.round();
  metrics.storeCall('sessions.update', 4, true);
  metrics.storeCall('sessions.update', 500, false);
  const lines = (await text()).split('\n');
  for (const line of [
    'typebadge_requests_total{route="/api/sessions/:id/state",method="GET",status="200"} 1',
    'typebadge_requests_total{route="/api/sessions/:id/state",method="GET",status="429"} 1',
    'typebadge_requests_total{route="none",method="other",status="404"} 1',
    'typebadge_request_duration_seconds_count{route="/api/sessions/:id/state"} 1',
    'typebadge_limiter_refusals_total{group="api"} 1',
    'typebadge_keys_total 30',
    'typebadge_rounds_total 1',
    'typebadge_store_duration_seconds_count{operation="sessions.update"} 2',
    'typebadge_store_errors_total{operation="sessions.update"} 1',
    'typebadge_open_sessions{scope="server"} 7',
    'typebadge_content_revision 3',
    'typebadge_ready 1',
    'typebadge_info{version="9.9.9"} 1',
  ]) {
    expect(lines).toContain(line);
  }
  expect(lines.some((line) => line.startsWith('nodejs_eventloop_lag_p99_seconds '))).toBe(true);
  expect(lines.some((line) => line.startsWith('process_resident_memory_bytes '))).toBe(true);
});

test('a store that is away only hides its own figure', async () => {
  const { text } = await open({
    sessionScope: 'store',
    openSessions: () => Promise.reject(new Error('away')),
    problems: () => ['The store cannot be reached.'],
  });
  const scraped = await text();
  expect(scraped).toContain('typebadge_ready 0');
  expect(scraped).not.toMatch(/^typebadge_open_sessions\{/m);
});

test('the metrics have an address of their own, which serves nothing else', async () => {
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0 }, await open());
  const port = Number(new URL(server.url).port);
  const ask = async (path: string, method = 'GET', headers: Record<string, string> = {}) =>
    send(port, { path, method, headers });
  try {
    const answer = await ask('/metrics?module=all', 'GET', { Origin: 'https://example.org' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(answer.body.toString()).toContain('typebadge_open_sessions{scope="server"} 7');
    const head = await ask('/metrics', 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect((await ask('/api/sessions')).status).toBe(404);
    expect((await ask('/metrics/')).status).toBe(404);
    const post = await ask('/metrics', 'POST');
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
  } finally {
    await server.close();
  }
});

test('a page with a rebound host name reads nothing', async () => {
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0 }, await open());
  try {
    const port = Number(new URL(server.url).port);
    expect((await send(port, { path: '/metrics', headers: { Host: 'evil.example' } })).status).toBe(403);
    expect((await send(port, { path: '/metrics', headers: { Host: `localhost:${port}` } })).status).toBe(200);
    expect(await sendRaw(port, ['GET /metrics HTTP/1.0\r\n\r\n'])).toMatch(/^HTTP\/1\.1 403/);
  } finally {
    await server.close();
  }
});

test('simultaneous requests share one reading', async () => {
  let readingCount = 0;
  let finish = () => {};
  const source = {
    contentType: 'text/plain',
    text: () => {
      readingCount += 1;
      return new Promise<string>((resolve) => {
        finish = () => resolve('a 1\n');
      });
    },
  };
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0 }, source);
  try {
    const port = Number(new URL(server.url).port);
    const asked = Array.from({ length: 30 }, () => send(port, { path: '/metrics' }));
    const timer = setInterval(() => finish(), 200);
    const answers = await Promise.all(asked);
    clearInterval(timer);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(readingCount).toBeLessThan(30);
  } finally {
    await server.close();
  }
});

test.each(['127.0.0.1', ':9464', '127.0.0.1:99999', 'http://h:1', '', '[::g]:1', '[1.2.3.4]:1'])(
  '%j is not an address to listen on',
  (text) => {
    expect(() => parseListenAddress(text)).toThrow('HOST:PORT');
  },
);

test('IPv6 addresses are written in brackets', () => {
  expect(parseListenAddress('[::1]:9464')).toEqual({ host: '::1', port: 9464 });
});
