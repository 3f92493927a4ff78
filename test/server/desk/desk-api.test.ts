import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callDesk, newEditors } from '../../support/editors.ts';
import { send } from '../../support/http-client.ts';
import { lasting, startTestServer, type TestServer } from '../../support/test-server.ts';

const { tokens, text } = newEditors('anna', 'ben');
let server: TestServer;

beforeEach(async () => {
  server = await startTestServer({ files: { 'editors.json': text } });
});
afterEach(() => server.close());

const call = (
  method: string,
  path: string,
  options: Parameters<typeof callDesk>[4] = {},
  token = tokens.anna,
) => callDesk(server.port, token, method, path, options);
const publish = (body: object, headers: Record<string, string> = {}) =>
  call('POST', '/announcements', { body, headers });

async function publicIds(): Promise<string[]> {
  const { body } = await send(server.port, { path: '/content/active.json' });
  return JSON.parse(body.toString()).announcements.map(({ id }: { id: string }) => id);
}

test('an editor publishes with every field, and this server shows it at once', async () => {
  const { status, json, etag } = await publish({
    message: 'Search is down',
    link: 'https://status.example.org',
    linkLabel: 'Status',
    expires: '2999-01-01T18:00:00+01:00',
    severity: 'critical',
    dismissible: false,
    translations: { de: { message: 'Die Suche ist gestört' } },
    audience: { sites: ['https://shop.example.org'], paths: ['/docs/*'] },
    alongside: true,
    id: 'search-down',
  });
  expect(status).toBe(201);
  expect(json).toEqual({
    id: 'search-down',
    message: 'Search is down',
    link: 'https://status.example.org',
    published: expect.stringMatching(/Z$/),
    expires: '2999-01-01T17:00:00Z',
    linkLabel: 'Status',
    severity: 'critical',
    dismissible: false,
    translations: { de: { message: 'Die Suche ist gestört' } },
    audience: { sites: ['https://shop.example.org'], paths: ['/docs/*'] },
    alongside: true,
    state: 'active',
    change: 1,
    before: null,
    supersedes: [],
    current: lasting.id,
    currentBefore: lasting.id,
    warnings: ['the link label is not translated for de: its readers see “Status”'],
  });
  expect(etag).toMatch(/^"1-[\w-]{22}"$/);
  expect(await publicIds()).toEqual(['search-down', lasting.id]);
});

test('an editor learns that a clock is wrong when the log has a change of the future', async () => {
  const by = { by: 'ben', action: 'publish', id: lasting.id, before: null, after: lasting };
  const changeAt = (at: number) => ({ at: new Date(at).toISOString(), ...by });
  const warningsAfter = async (at: number) => {
    await server.writeContent('history.json', { announcements: [lasting], changes: [changeAt(at)] });
    return (await publish({ message: 'x', alongside: true })).json.warnings;
  };
  expect(await warningsAfter(Date.now() - 60_000)).toEqual([]);
  expect(await warningsAfter(Date.now() + 60_000)).toEqual([expect.stringMatching(/later than now.*clocks/)]);
});

test('the list has scheduled and past ones too, in pages, with the revision as its tag', async () => {
  await publish({ message: 'Soon', at: '+2d', id: 'soon' });
  await publish({ message: 'Now', id: 'now' });
  const all = await call('GET', '/announcements');
  const states = all.json.announcements.map(
    ({ id, state }: { id: string; state: string }) => `${id} ${state}`,
  );
  expect(states).toEqual(['soon scheduled', 'now active', `${lasting.id} superseded`]);
  expect(all.json).toMatchObject({ total: 3, current: 'now', editor: 'anna' });
  expect(all.json.next).toBeUndefined();
  const past = await call('GET', '/announcements?state=past');
  expect(past.json.announcements.map(({ id }: { id: string }) => id)).toEqual([lasting.id]);
  expect(past.etag).toBe(all.etag);
  const ids: string[] = [];
  let after = '';
  for (let page = 0; page < 3; page += 1) {
    const { json } = await call('GET', `/announcements?limit=1${after}`);
    ids.push(json.announcements[0].id);
    after = `&after=${json.next}`;
  }
  expect(ids).toEqual(['soon', 'now', lasting.id]);
});

test.each([
  ['?state=gone', 'state must be active, scheduled, past, all'],
  ['?limit=0', 'limit must be a whole number from 1 to 1000'],
  ['?after=nobody', 'after names nothing in this list'],
  ['?limit=1&limit=2', 'limit is given twice'],
])('the query %s is refused with what would be right', async (query, problem) => {
  const { status, json } = await call('GET', `/announcements${query}`);
  expect([status, json.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(json.error.toLowerCase()).toContain(problem);
});

test('edit changes the given fields, merges nested ones, and null removes a field', async () => {
  await publish({
    message: 'a',
    id: 'x',
    link: 'https://example.org',
    translations: { de: { message: 'A' } },
  });
  const edited = await call('PATCH', '/announcements/x', {
    body: { message: 'b', link: null, translations: { fr: { message: 'B' } }, expires: '+1h' },
  });
  expect(edited.status).toBe(200);
  expect(edited.json).toMatchObject({ id: 'x', message: 'b', link: '', change: 2 });
  expect(edited.json.translations).toEqual({ de: { message: 'A' }, fr: { message: 'B' } });
  const again = await call('PATCH', '/announcements/x', { body: { message: 'b' } });
  expect(again.json.change).toBeNull();
  expect(again.etag).toBe(edited.etag);
});

test('an announcement may have the name of a part of this API', async () => {
  await publish({ message: 'a', id: 'undo' });
  const { status, json } = await call('PATCH', '/announcements/undo', { body: { message: 'b' } });
  expect([status, json.message]).toEqual([200, 'b']);
  expect((await call('POST', '/announcements/undo/withdraw')).json.state).toBe('withdrawn');
});

test('the log has pages', async () => {
  for (const id of ['x', 'y', 'z']) await publish({ message: 'a', id });
  const { json } = await call('GET', '/announcements/changes?limit=2');
  expect(json).toMatchObject({ changes: [{ number: 3 }, { number: 2 }], total: 3, next: '2' });
});

test.each([
  ['PATCH', '/announcements/none', { message: 'x' }, 404, 'ANNOUNCEMENT_NOT_FOUND'],
  ['POST', '/announcements/none/expire', {}, 404, 'ANNOUNCEMENT_NOT_FOUND'],
  ['POST', '/announcements', { message: 'x', id: '2026-001' }, 409, 'CHANGE_REFUSED'],
  ['POST', '/announcements', {}, 400, 'INVALID_REQUEST'],
  ['POST', '/announcements', { message: 7 }, 400, 'INVALID_REQUEST'],
  ['POST', '/announcements', { message: 'x', alongside: 'yes' }, 400, 'INVALID_REQUEST'],
  ['POST', '/announcements', { message: 'x', severity: 'fatal' }, 400, 'INVALID_REQUEST'],
  ['POST', '/announcements', { message: 'x', at: 'someday' }, 400, 'INVALID_REQUEST'],
  ['POST', '/announcements', { message: 'x', link: 'javascript:alert(1)' }, 400, 'INVALID_REQUEST'],
  ['PATCH', '/announcements/2026-001', {}, 400, 'INVALID_REQUEST'],
  ['POST', '/announcements/undo', { change: 99 }, 409, 'CHANGE_REFUSED'],
  ['POST', '/announcements/undo', { change: 'last' }, 400, 'INVALID_REQUEST'],
  ['POST', '/origins', { origin: 'example.org' }, 400, 'INVALID_REQUEST'],
  ['DELETE', '/origins', { origin: 'https://example.org' }, 409, 'CHANGE_REFUSED'],
])('%s %s with %j is %i %s and changes nothing', async (method, path, body, status, code) => {
  const before = await call('GET', '/announcements');
  const answer = await call(method, path, { body });
  expect([answer.status, answer.json.code]).toEqual([status, code]);
  expect(answer.json.error).toMatch(/\.$/);
  expect((await call('GET', '/announcements')).etag).toBe(before.etag);
});

describe('two editors at once', () => {
  test('of many changes with the same revision exactly one succeeds', async () => {
    const { etag } = await call('GET', '/announcements');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => publish({ message: `number ${at}` }, { 'If-Match': etag })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(412)]);
  });

  test('a change by hand in the file is noticed as well', async () => {
    const { etag } = await call('GET', '/announcements');
    await server.writeContent('history.json', { announcements: [{ ...lasting, message: 'by hand' }] });
    const { status, json } = await publish({ message: 'x' }, { 'If-Match': etag });
    expect([status, json.error]).toEqual([412, expect.stringContaining('by hand')]);
    expect((await publish({ message: 'x' }, { 'If-Match': '"nonsense"' })).status).toBe(412);
    const { etag: made } = await publish({ message: 'y' });
    const history = JSON.parse(await readFile(join(server.contentDir, 'history.json'), 'utf8'));
    history.announcements[0].message = 'z';
    await server.writeContent('history.json', history);
    const again = await publish({ message: 'x' }, { 'If-Match': made });
    expect([again.status, again.json.error]).toEqual([412, expect.stringContaining('by hand')]);
    // Programs may leave out the quotes.
    const { json: later } = await publish({ message: 'x' }, { 'If-Match': etag.replaceAll('"', '') });
    expect(later.error).toContain('(change 1)');
  });
});

describe('Idempotency-Key', () => {
  test('a repeated POST changes nothing and gets the first answer, even after a restart', async () => {
    const key = { 'Idempotency-Key': 'once' };
    const first = await publish({ message: 'Sent twice' }, key);
    const second = await publish({ message: 'Sent twice' }, key);
    expect([second.status, second.json]).toEqual([201, first.json]);
    const elsewhere = await startTestServer({ content: server.contentDir, files: {} });
    const third = await callDesk(elsewhere.port, tokens.anna, 'POST', '/announcements', {
      body: { message: 'Sent twice' },
      headers: key,
    });
    expect(third.json.id).toBe(first.json.id);
    await elsewhere.close();
    expect((await call('GET', '/announcements/changes')).json.total).toBe(1);
  });

  test('works for simultaneous requests too', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => publish({ message: 'Double click' }, { 'Idempotency-Key': 'k' })),
    );
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect((await call('GET', '/announcements/changes')).json.total).toBe(1);
  });

  test('undo, expire and withdraw are made once', async () => {
    await publish({ message: 'a', id: 'a' });
    await publish({ message: 'b', id: 'b' });
    const undo = () =>
      call('POST', '/announcements/undo', { body: {}, headers: { 'Idempotency-Key': 'undo-1' } });
    expect((await undo()).json).toEqual((await undo()).json);
    const withdraw = () => call('POST', '/announcements/a/withdraw', { headers: { 'Idempotency-Key': 'w' } });
    expect((await withdraw()).json).toEqual((await withdraw()).json);
    expect((await call('GET', '/announcements/changes')).json.total).toBe(4);
  });

  test('a key of another request is refused; each editor has their own keys', async () => {
    const key = { 'Idempotency-Key': 'k' };
    await publish({ message: 'one' }, key);
    const other = await publish({ message: 'two' }, key);
    expect([other.status, other.json.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const bens = await call('POST', '/announcements', { body: { message: 'two' }, headers: key }, tokens.ben);
    expect(bens.status).toBe(201);
    expect((await publish({ message: 'x' }, { 'Idempotency-Key': 'k'.repeat(256) })).status).toBe(400);
  });
});

describe('a change of the allow-list', () => {
  const origin = (method: string, name: string, headers: Record<string, string> = {}) =>
    call(method, '/origins', { body: { origin: `https://${name}.example` }, headers });

  test('is refused if If-Match names another list; of many exactly one succeeds', async () => {
    const { etag } = await call('GET', '/origins');
    const added = await Promise.all(
      Array.from({ length: 8 }, (_, at) => origin('POST', `n${at}`, { 'If-Match': etag })),
    );
    expect(added.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
    const [name = ''] = (await call('GET', '/origins')).json.origins;
    const late = await call('DELETE', '/origins', { body: { origin: name }, headers: { 'If-Match': etag } });
    expect([late.status, late.json.code]).toEqual([412, 'CHANGED_MEANWHILE']);
    const again = { body: { origin: name }, headers: { 'If-Match': late.etag } };
    expect((await call('DELETE', '/origins', again)).json).toEqual({ origins: [] });
  });
});

test('the allow-list is read and changed, and CORS follows at once', async () => {
  const added = await call('POST', '/origins', { body: { origin: 'https://Example.org' } });
  expect(added.json).toEqual({ origins: ['https://example.org'] });
  const asked = () =>
    send(server.port, { path: '/content/active.json', headers: { Origin: 'https://example.org' } });
  expect((await asked()).headers['access-control-allow-origin']).toBe('https://example.org');
  expect(
    (await call('POST', '/origins', { body: { origin: 'https://example.org' } })).json.origins,
  ).toHaveLength(1);
  expect((await call('GET', '/origins')).json).toEqual({ origins: ['https://example.org'] });
  expect(
    (await call('DELETE', '/origins', { body: { origin: 'https://example.org' } })).json.origins,
  ).toEqual([]);
  expect((await asked()).headers['access-control-allow-origin']).toBeUndefined();
});

test('statistics are those that the command prints', async () => {
  const { json, status } = await call('GET', '/announcements/stats?days=2');
  expect(status).toBe(200);
  expect(json).toMatchObject({ total: { impressions: 0, clickThrough: null }, announcements: [], sites: [] });
  expect(json.days).toHaveLength(2);
});

test('broken content is a 500 that changes nothing and reveals nothing', async () => {
  await server.writeContent('history.json', '{"announcements": 7}');
  const { status, json } = await publish({ message: 'x' });
  expect([status, json.code]).toEqual([500, 'INTERNAL_ERROR']);
  await server.writeContent('editors.json', '{');
  const unknown = await call('GET', '/origins');
  expect([unknown.status, unknown.json.code]).toEqual([500, 'INTERNAL_ERROR']);
});

test('a misspelt field is refused with those that exist, and nothing is changed', async () => {
  const { json: made } = await publish({ message: 'x', id: 'mine' });
  const cases = [
    [
      'POST',
      '/announcements',
      { message: 'x', expiry: '2026-11-27T18:00:00Z' },
      '"expiry"; this request can have message, at, expires',
    ],
    [
      'PATCH',
      '/announcements/mine',
      { published: made.published },
      '"published"; this request can have message, at, ',
    ],
    ['POST', '/announcements/mine/withdraw', { at: 'now' }, '"at"; this request has none.'],
    ['DELETE', '/origins', { url: 'https://example.org' }, '"url"; this request can have origin.'],
  ] as const;
  for (const [method, path, body, words] of cases) {
    const { status, json } = await call(method, path, { body });
    expect([path, status, json]).toEqual([
      path,
      400,
      { code: 'INVALID_REQUEST', error: expect.stringContaining(`There is no field ${words}`) },
    ]);
  }
  const { json: log } = await call('GET', '/announcements/changes');
  expect(log.total).toBe(1);
  expect((await call('GET', '/origins')).json.origins).not.toContain('https://example.org');
});
