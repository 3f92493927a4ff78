import { expect, test } from 'vitest';
import { startMetricsServer } from '../../../src/server/metrics/metrics-server.ts';
import { parseListenAddress } from '../../../src/server/settings/config-parsers.ts';
import { send, sendRaw } from '../../support/http-client.ts';

const source = { contentType: 'text/plain; version=0.0.4', text: async () => 'typebadge_ready 1\n' };

test('the metrics have a separate address, which serves nothing else', async () => {
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0 }, source);
  const port = Number(new URL(server.url).port);
  const ask = async (path: string, method = 'GET', headers: Record<string, string> = {}) =>
    send(port, { path, method, headers });
  try {
    const answer = await ask('/metrics?module=all', 'GET', { Origin: 'https://example.org' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(answer.body.toString()).toBe('typebadge_ready 1\n');
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
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0 }, source);
  try {
    const port = Number(new URL(server.url).port);
    expect((await send(port, { path: '/metrics', headers: { Host: 'evil.example' } })).status).toBe(403);
    expect((await send(port, { path: '/metrics', headers: { Host: `localhost:${port}` } })).status).toBe(200);
    expect(await sendRaw(port, ['GET /metrics HTTP/1.0\r\n\r\n'])).toMatch(/^HTTP\/1\.1 403/);
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
