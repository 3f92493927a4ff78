import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ApiRequest, ApiResponse, Transport } from '../../../src/contract/transport.ts';
import { createLocalTransport } from '../../../src/server/http/local-transport.ts';
import { newServeConfig } from '../../../src/server/settings/config.ts';
import { createLog } from '../../../src/server/settings/log.ts';
import { openFileStores } from '../../../src/server/stores/open-stores.ts';
import { createTypingRoutes } from '../../../src/server/typing/typing-routes.ts';
import { send } from '../../support/http-client.ts';
import { startTestServer } from '../../support/test-server.ts';

const dir = await mkdtemp(join(tmpdir(), 'typebadge-local-'));
const server = await startTestServer({ seed: 7 });
const log = createLog({ format: 'off' });
const stores = await openFileStores({
  ...newServeConfig(),
  contentDir: join(dir, 'content'),
  dataDir: join(dir, 'data'),
  isExposed: false,
  clock: Date.now,
  log,
});
const routes = createTypingRoutes({ stores, isExposed: false, seed: 7, log, clock: Date.now });
const local = createLocalTransport([
  { routes, prefix: '/api/', headers: ['API-Version', 'v1'] },
  { routes: [{ method: 'GET', path: '/broken', handler: () => Promise.reject(new Error('a bug')) }] },
]);
afterAll(async () => {
  await server.close();
  await stores.close();
  await rm(dir, { recursive: true });
});

const overHttp: Transport = async ({ method, path, body, headers }) => {
  const answer = await send(server.port, {
    method,
    path,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = answer.body.toString();
  return {
    status: answer.status,
    body: text === '' ? undefined : JSON.parse(text),
    headers: answer.headers as ApiResponse['headers'],
  };
};

/** Answers without what is random or a moment: ids and times. */
async function transcript(transport: Transport): Promise<unknown[]> {
  const told: unknown[] = [];
  const call = async (request: ApiRequest) => {
    const { status, body, headers } = await transport(request);
    const { 'content-type': type, 'cache-control': cache, 'api-version': version, allow } = headers;
    const text = JSON.stringify(body ?? null)
      // There is no CORS in a process.
      .replace(', OPTIONS', '')
      .replace(/[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/g, 'ID')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
    told.push([status, text, type, cache, version, allow?.replace(', OPTIONS', '')]);
    return body as Record<string, never>;
  };
  const post = (path: string, body?: unknown) => call({ method: 'POST', path, body });
  const get = (path: string) => call({ method: 'GET', path });
  await get('/api/health');
  await get('/api/layouts');
  const { session_id: id } = await post('/api/sessions', { mode: { type: 'text', text: 'ab c' } });
  await post(`/api/sessions/${id}/keystroke`, { char: 'a' });
  await post(`/api/sessions/${id}/round`);
  await post(`/api/sessions/${id}/keystroke`, { char: 'a', seq: 1 });
  await post(`/api/sessions/${id}/keystroke`, { char: 'ab', seq: 2 });
  await post(`/api/sessions/${id}/input`, {
    events: [
      { type: 'keystroke', char: 'b', seek_time_ms: 100 },
      { type: 'space' },
      { type: 'keystroke', char: 'c' },
      { type: 'space' },
    ],
  });
  await post(`/api/sessions/${id}/timing`, {
    start_time_unix_ms: 1,
    end_time_unix_ms: 900,
    duration_ms: 899,
  });
  await get(`/api/sessions/${id}/state`);
  await get(`/api/sessions/${id}/stats/session`);
  await get(`/api/v1/sessions/${id}/stats/historical?mode=all`);
  await get(`/api/sessions/${id}/stats/historical?mode=none`);
  await get('/api/rounds?limit=1');
  await post(`/api/sessions/${id}/save`, {});
  // What is refused.
  await post('/api/sessions', { mode: { type: 'text', text: 'x'.repeat(11_000) } });
  await post(`/api/sessions/${id}/timing`, { note: 'x'.repeat(15_000) });
  await post('/api/sessions', []);
  await post(`/api/sessions/${'0'.repeat(32)}/keystroke`, { char: 7 });
  await get('/api/nothing');
  await get('/api/sessions//state');
  await call({ method: 'PATCH', path: '/api/sessions' });
  await call({ method: 'GET', path: '/api/sessions', headers: { authorization: 'Bearer short' } });
  await call({ method: 'DELETE', path: `/api/sessions/${id}` });
  return told;
}

test('calls in the process get the answers of a server', async () => {
  const expected = await transcript(overHttp);
  expect(await transcript(local)).toEqual(expected);
});

test('a body may be longer than over HTTP, whose cap is for sockets: the schemas bound what it holds', async () => {
  const list = Array.from({ length: 2_000 }, (_, at) =>
    [...String(at)]
      .map((digit) => 'abcdefghij'[Number(digit)])
      .join('')
      .padEnd(32, 'z'),
  );
  const body = { mode: { type: 'words', count: 30, list } };
  expect(JSON.stringify(body).length).toBeGreaterThan(64 * 1024);
  const answer = await local({ method: 'POST', path: '/api/sessions', body });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
});

test('a path of no API is not found', async () => {
  expect(await local({ method: 'GET', path: '/nothing' })).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND' },
    headers: { 'content-type': 'application/json' },
  });
});

test('an internal error rejects the call', async () => {
  await expect(local({ method: 'GET', path: '/broken' })).rejects.toThrow('a bug');
});

test('an aborted call is not made', async () => {
  await expect(local({ method: 'GET', path: '/api/health' }, AbortSignal.abort())).rejects.toThrow('aborted');
});
