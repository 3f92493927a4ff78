import { expect, test } from 'vitest';
import { createMetricsRegistry } from '../../../src/server/metrics/metrics.ts';
import { parseMetricsAddress, startMetricsServer } from '../../../src/server/metrics/metrics-server.ts';

const open = () =>
  createMetricsRegistry({ version: '9.9.9', openSessions: () => 7, contentRevision: () => 3 });

test('what happened is in the Prometheus text, by route and status', async () => {
  const { metrics, text } = await open();
  metrics.request('/api/sessions/:id/state', 'GET', 200, 2);
  metrics.request('/api/sessions/:id/state', 'GET', 429, 0.1);
  metrics.refusal('api');
  metrics.keys(30);
  metrics.round();
  metrics.store('update', 4, true);
  metrics.store('update', 500, false);
  const lines = (await text()).split('\n');
  for (const line of [
    'typebadge_request_duration_seconds_count{route="/api/sessions/:id/state",method="GET",status="200"} 1',
    'typebadge_request_duration_seconds_bucket{le="0.0005",route="/api/sessions/:id/state",method="GET",status="429"} 1',
    'typebadge_limiter_refusals_total{group="api"} 1',
    'typebadge_keys_total 30',
    'typebadge_rounds_total 1',
    'typebadge_store_duration_seconds_count{operation="update"} 2',
    'typebadge_store_errors_total{operation="update"} 1',
    'typebadge_open_sessions 7',
    'typebadge_content_revision 3',
    'typebadge_info{version="9.9.9"} 1',
  ]) {
    expect(lines).toContain(line);
  }
  expect(lines.some((line) => line.startsWith('nodejs_eventloop_lag_p99_seconds '))).toBe(true);
  expect(lines.some((line) => line.startsWith('process_resident_memory_bytes '))).toBe(true);
});

test('two servers in one process count apart', async () => {
  const [one, other] = [await open(), await open()];
  one.metrics.keys(5);
  expect(await other.text()).toContain('typebadge_keys_total 0');
});

test('the metrics have an address of their own, and nothing else is there', async () => {
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0 }, await open());
  try {
    const answer = await fetch(server.url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await answer.text()).toContain('typebadge_open_sessions 7');
    expect((await fetch(new URL('/api/sessions', server.url))).status).toBe(404);
    const post = await fetch(server.url, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  } finally {
    await server.close();
  }
});

test.each(['127.0.0.1', ':9464', '127.0.0.1:99999', 'http://h:1', ''])(
  '%j is no address of metrics',
  (text) => {
    expect(() => parseMetricsAddress(text)).toThrow('HOST:PORT');
  },
);

test('IPv6 addresses stand in brackets', () => {
  expect(parseMetricsAddress('[::1]:9464')).toEqual({ host: '::1', port: 9464 });
});
