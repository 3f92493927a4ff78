import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPulse } from '../../src/server/stores/pulse.ts';
import { createFileRecords, recordsFolder } from '../../src/server/stores/records/file-records.ts';
import { callDesk, type DeskAnswer, newEditors } from '../support/editors.ts';
import { lasting, startTestServer, type TestServer } from '../support/test-server.ts';
import { type PublishedContract, readContract } from './published-contract.ts';

const { tokens, text } = newEditors('anna');
let server: TestServer;
let contract: PublishedContract;
let paths: ReturnType<PublishedContract['pathsOf']>;
const met = new Set<string>();

beforeAll(async () => {
  server = await startTestServer({ files: { 'editors.json': text } });
  contract = readContract();
  paths = contract.pathsOf('editors');
});
afterAll(() => server.close());

interface Asked {
  readonly body?: unknown;
  readonly id?: string;
  readonly headers?: Record<string, string>;
  readonly token?: string;
  readonly query?: string;
}

/** Sends a request to a path of the document, and checks the answer by it. */
async function ask(method: string, path: string, asked: Asked = {}): Promise<DeskAnswer> {
  const { id = 'nobody', token = tokens.anna, query = '' } = asked;
  const real = path.replace('{id}', id) + query;
  const answer = await callDesk(server.port, token, method.toUpperCase(), real, asked);
  contract.check(method, path, answer);
  contract.checkQuery(method, path, query);
  met.add(`${method} ${path} ${answer.status}`);
  return answer;
}

test('every answer matches the document, for success and for errors', async () => {
  const full = {
    message: 'Search is down',
    link: 'https://status.example.org',
    linkLabel: 'Status',
    severity: 'critical',
    dismissible: false,
    translations: { de: { message: 'Gestört', link: 'https://status.example.org/de', linkLabel: 'Stand' } },
    audience: { sites: ['https://*.example.org'], paths: ['/docs/*'] },
    alongside: true,
    id: 'full',
  };
  const { etag } = await ask('get', '/announcements');
  await ask('post', '/announcements', { body: full });
  await ask('post', '/announcements', {
    body: { message: 'x', id: 'y' },
    headers: { 'Idempotency-Key': 'k' },
  });
  await ask('post', '/announcements', { body: { message: 'z' }, headers: { 'Idempotency-Key': 'k' } });
  await ask('post', '/announcements', { body: full });
  await ask('patch', '/announcements/{id}', { id: 'full', body: { message: 'y' } });
  await ask('patch', '/announcements/{id}', {
    id: 'full',
    body: { message: 'z' },
    headers: { 'If-Match': etag },
  });
  await ask('post', '/announcements/{id}/expire', { id: 'full', body: {} });
  await ask('post', '/announcements/{id}/withdraw', { id: 'y', body: {} });
  await ask('post', '/announcements/{id}/withdraw', { id: 'y', body: {} });
  await ask('post', '/announcements/undo', { body: {} });
  await ask('post', '/announcements/undo', { body: { change: 99 } });
  await ask('get', '/announcements', { query: '?state=all&limit=1' });
  await ask('get', '/announcements/changes', { query: '?limit=2' });
  await ask('get', '/announcements/stats', { query: '?days=3&id=full' });
  const pulse = createPulse(
    createFileRecords({ dir: recordsFolder(join(server.contentDir, '..', 'data')) }),
    () => {},
  );
  const day = new Date().toISOString().slice(0, 10);
  pulse.count({ day, announcement: lasting.id, event: 'click', site: 'example.org' });
  await pulse.save();
  const { json: stats } = await ask('get', '/announcements/stats');
  expect(stats.announcements).toMatchObject([{ sites: [{ clicks: 1 }] }]);
  await ask('get', '/announcements/preview', { query: '?site=https://example.org&lang=de' });
  await ask('post', '/origins', { body: { origin: 'https://example.org' } });
  await ask('get', '/origins');
  await ask('delete', '/origins', { body: { origin: 'https://example.org' } });
  await ask('delete', '/origins', { body: { origin: 'https://example.org' } });
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { requestBody }] of Object.entries(operations)) {
      await ask(method, path, { headers: { Origin: 'https://evil.example' } });
      if (path.includes('{id}')) await ask(method, path, { body: { message: 'x' } });
      if (requestBody === undefined) continue;
      await ask(method, path, { body: '{' });
      await ask(method, path, { body: 'x'.repeat(70_000) });
      await ask(method, path, { body: 'x', headers: { 'Content-Type': 'text/plain' } });
      expect(requestBody.required, path).toBe(/^\/(?:announcements|origins)$/.test(path));
    }
  }
  await ask('get', '/announcements', { token: 'wrong' });
  const promised = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      Object.keys(responses)
        .filter((status) => Number(status) < 300)
        .map((status) => `${method} ${path} ${status}`),
    ),
  );
  expect([...met].filter((name) => / 20\d$/.test(name)).sort()).toEqual(promised.sort());
  const statuses = new Set([...met].map((name) => name.split(' ').at(-1)));
  const owed = '200 201 400 401 403 404 409 412 413 415 422';
  expect([...statuses].sort()).toEqual(owed.split(' '));
});
