import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { expiredTokenSentence } from '../../../src/contract/credentials.ts';
import { deskRoutes } from '../../../src/contract/desk-routes.ts';
import { createWrongTokens } from '../../../src/server/desk/authentication.ts';
import { editorsText, newEditorToken } from '../../../src/server/desk/editors-document.ts';
import { parseTrustProxy } from '../../../src/server/settings/config-parsers.ts';
import { maxHistory } from '../../../src/server/stores/content/history-file.ts';
import { callDesk, newEditors } from '../../support/editors.ts';
import { send } from '../../support/http-client.ts';
import { newLongHistory } from '../../support/long-history.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../support/test-server.ts';

const { tokens, editors, text } = newEditors('anna', 'ben');
let server: TestServer;
const start = async (options: TestServerOptions = {}) => {
  server = await startTestServer({ files: { 'editors.json': text }, ...options });
};
afterEach(() => server.close());

const routes = deskRoutes.map(([method, path]) => [method, path.replace(':id', '2026-001')] as const);

const changeCount = async () =>
  (await callDesk(server.port, tokens.anna, 'GET', '/announcements/changes')).json.total;

describe('without a right token', () => {
  test.each(routes)(
    '%s %s is 401 with WWW-Authenticate, and so it is below /api/v1',
    async (method, path) => {
      await start();
      for (const [token, real] of [
        [undefined, path],
        [newEditorToken(), path],
        ['x', `/v1${path}`],
      ] as const) {
        const { status, json, headers } = await callDesk(server.port, token, method, real, { body: {} });
        expect([status, json.code]).toEqual([401, 'UNAUTHENTICATED']);
        expect(headers['www-authenticate']).toBe('Bearer');
        expect(headers['cache-control']).toBe('no-store');
      }
      expect(await changeCount()).toBe(0);
    },
  );

  test('a removed token is refused at once, like a wrong one, and so is an expired one, whose holder learns why', async () => {
    await start();
    const ask = () => callDesk(server.port, tokens.ben, 'GET', '/announcements');
    expect((await ask()).status).toBe(200);
    await server.writeContent('editors.json', editorsText(editors.filter(({ name }) => name === 'anna')));
    const removed = await ask();
    const expired = editors.map((editor) => ({ ...editor, expires: '2026-01-02T00:00:00Z' }));
    await server.writeContent('editors.json', editorsText(expired));
    const late = await ask();
    const wrong = await callDesk(server.port, newEditorToken(), 'GET', '/announcements');
    expect([removed.status, removed.json]).toEqual([401, wrong.json]);
    // Nobody else gets this: it takes the token itself, and a similar one is as wrong as any other.
    expect([late.status, late.json]).toEqual([401, { code: 'UNAUTHENTICATED', error: expiredTokenSentence }]);
    expect(late.headers['www-authenticate']).toBe('Bearer');
    for (const token of [tokens.ben.slice(0, -1), `${tokens.ben}A`])
      expect((await callDesk(server.port, token, 'GET', '/announcements')).json).toEqual(wrong.json);
  });

  test('a token that has expired is checked five times a minute, like a wrong one', async () => {
    const late = editors.map((editor) => ({ ...editor, expires: '2026-01-02T00:00:00Z' }));
    await start({ files: { 'editors.json': editorsText(late) } });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => callDesk(server.port, tokens.ben, 'GET', '/origins')),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(401),
      ...Array(7).fill(429),
    ]);
  });

  test('a hash from the file is not a token', async () => {
    await start();
    const { status } = await callDesk(server.port, editors[0]?.tokenHash ?? '', 'GET', '/announcements');
    expect(status).toBe(401);
  });

  test('without any editor nobody gets in', async () => {
    await start({ files: {} });
    expect((await callDesk(server.port, tokens.anna, 'GET', '/announcements')).status).toBe(401);
  });
});

describe('a token that is guessed', () => {
  test('may be guessed five times a minute; then even the right one is not checked, however many come at once', async () => {
    await start();
    const guess = () => callDesk(server.port, newEditorToken(), 'GET', '/origins');
    const answers = await Promise.all(Array.from({ length: 30 }, guess));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(401),
      ...Array(25).fill(429),
    ]);
    const right = await callDesk(server.port, tokens.anna, 'GET', '/origins');
    expect([right.status, right.json.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
    // Nothing else of the server is affected.
    expect((await send(server.port, { path: '/content/active.json' })).status).toBe(200);
  });

  test('is logged without the address of the sender', async () => {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      await start({ log: 'json', verbose: true, trustProxy: parseTrustProxy('127.0.0.1') });
      const headers = { 'X-Forwarded-For': '203.0.113.77', 'X-Forwarded-Proto': 'https' };
      const token = newEditorToken();
      expect((await callDesk(server.port, token, 'GET', '/origins', { headers })).status).toBe(401);
      const lines = written.mock.calls.map(([line]) => String(line)).join('');
      expect(lines).toContain('a wrong token was sent');
      expect(lines).not.toContain('203.0.113.77');
      expect(lines).not.toContain(token);
    } finally {
      written.mockRestore();
    }
  });

  test('is refused before the editors are read if the client keeps guessing', async () => {
    await start();
    const guess = () => callDesk(server.port, newEditorToken(), 'GET', '/origins');
    for (let count = 0; count < 5; count++) expect((await guess()).status).toBe(401);
    await server.writeContent('editors.json', { editors: 'broken' });
    expect((await guess()).status).toBe(429);
  });

  test('law: no client sends more than five wrong tokens within a minute', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 60 }), (pauses) => {
        const wrong = createWrongTokens();
        const taken: number[] = [];
        let now = 0;
        for (const pause of pauses) {
          now += pause;
          if (wrong.waitOf('a', now) > 0) continue;
          wrong.note('a', now);
          taken.push(now);
          expect(taken.filter((time) => time > now - 60_000).length).toBeLessThanOrEqual(5);
        }
      }),
    );
  });
});

describe('over plain HTTP', () => {
  const viaProxy = { host: '0.0.0.0', trustProxy: parseTrustProxy('127.0.0.0/8') };
  const ask = (headers: Record<string, string>) =>
    callDesk(server.port, tokens.anna, 'GET', '/announcements', { headers });

  test.each([
    ['a trusted proxy', viaProxy],
    ['a proxy on this machine that nobody has named', {}],
  ])('%s must say that the token came over TLS', async (_, config) => {
    await start(config);
    const forwarded = { 'X-Forwarded-For': '203.0.113.7' };
    expect((await ask({ ...forwarded, 'X-Forwarded-Proto': 'https' })).status).toBe(200);
    for (const headers of [
      forwarded,
      { ...forwarded, 'X-Forwarded-Proto': 'http' },
      { ...forwarded, 'X-Forwarded-Proto': 'https, http' },
      { ...forwarded, 'X-Forwarded-Proto': 'http, https' },
      { ...forwarded, 'X-Forwarded-Proto': '' },
      // Only one header says it: a client that adds another must not be believed.
      { Forwarded: 'for=203.0.113.7;proto=https' },
      { Via: '1.1 proxy.example' },
      { 'X-Real-IP': '203.0.113.7' },
      { 'X-Forwarded-Host': 'badge.example' },
    ]) {
      const { status, json } = await ask(headers);
      expect([status, json.code], JSON.stringify(headers)).toEqual([403, 'TLS_REQUIRED']);
    }
    expect((await ask({})).status).toBe(200);
  });

  test('headers that do not come from a trusted proxy are ignored', async () => {
    await start({ host: '0.0.0.0', trustProxy: parseTrustProxy('198.51.100.1') });
    const own = server.port;
    const { networkInterfaces } = await import('node:os');
    const address = Object.values(networkInterfaces())
      .flat()
      .find((entry) => entry?.family === 'IPv4' && !entry.internal)?.address;
    if (address === undefined) return;
    const answer = await send(
      own,
      {
        path: '/api/announcements',
        headers: { Authorization: `Bearer ${tokens.anna}`, 'X-Forwarded-Proto': 'https' },
      },
      address,
    );
    expect([answer.status, JSON.parse(answer.body.toString()).code]).toEqual([403, 'TLS_REQUIRED']);
  });
});

describe('a page of another site', () => {
  const origin = 'https://friend.example';
  const corsOf = (headers: object) =>
    Object.keys(headers).filter((name) => name.startsWith('access-control'));

  test('gets 403 without CORS from every route, listed or not, even with a right token', async () => {
    await start({ files: { 'editors.json': text, 'origins.json': { origins: [origin] } } });
    for (const [method, path] of routes) {
      for (const headers of [
        { Origin: origin },
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
      ] as Record<string, string>[]) {
        const answer = await callDesk(server.port, tokens.anna, method, path, {
          headers,
          body: { message: 'x' },
        });
        expect([answer.status, answer.json.code], `${path} ${JSON.stringify(headers)}`).toEqual([
          403,
          'ORIGIN_NOT_ALLOWED',
        ]);
        expect(corsOf(answer.headers)).toEqual([]);
      }
    }
    expect(await changeCount()).toBe(0);
  });

  test('gets no preflight answered, and no error there carries CORS', async () => {
    await start({ files: { 'editors.json': text, 'origins.json': { origins: [origin] } } });
    for (const path of [...routes.map(([, each]) => each), '/announcements/x/nothing', '/origins/x']) {
      for (const method of ['OPTIONS', 'GET', 'PUT']) {
        const { status, headers } = await send(server.port, {
          method,
          path: `/api${path}`,
          headers: {
            Origin: origin,
            'Access-Control-Request-Method': 'POST',
            'Access-Control-Request-Headers': 'authorization',
          },
        });
        expect(status, path).toBeGreaterThanOrEqual(401);
        expect(corsOf(headers)).toEqual([]);
      }
    }
  });

  test('the server’s own origin is allowed', async () => {
    await start();
    const headers = { Origin: `http://127.0.0.1:${server.port}`, 'Sec-Fetch-Site': 'same-origin' };
    expect((await callDesk(server.port, tokens.anna, 'GET', '/origins', { headers })).status).toBe(200);
  });

  test('a rebound host name is not served', async () => {
    await start();
    const headers = { Host: 'evil.example', Origin: 'http://evil.example' };
    const answer = await callDesk(server.port, tokens.anna, 'GET', '/origins', { headers });
    expect([answer.status, answer.json.code]).toEqual([403, 'HOST_NOT_ALLOWED']);
  });
});

test('announcements of the maximum size are served, listed and unchanged', async () => {
  const padding = 'x'.repeat(maxHistory - 14_000);
  const history = { ...newLongHistory(1), padding };
  await start({ files: { 'editors.json': text, 'history.json': history } });
  const current = await send(server.port, { path: '/content/announcement.json' });
  expect(JSON.parse(current.body.toString())).toMatchObject({ id: 'n0' });
  const listed = await callDesk(server.port, tokens.anna, 'GET', '/announcements');
  expect(listed.json.announcements).toHaveLength(1);
  const edit = (id: string, body: object) =>
    callDesk(server.port, tokens.anna, 'PATCH', `/announcements/${id}`, { body });
  expect((await edit('none', { message: 'x' })).status).toBe(404);
  expect((await edit('n0', { message: 'number 0' })).json.change).toBe(null);
  const { status, json } = await edit('n0', { message: 'shorter' });
  expect([status, json.code]).toEqual([409, 'CHANGE_REFUSED']);
  expect(json.error).toMatch(/would be larger than 2 MiB.*move changes\.jsonl elsewhere/);
  await server.writeContent('history.json', newLongHistory(1));
  expect((await edit('n0', { message: 'shorter' })).status).toBe(200);
}, 180_000);

describe('hostile bodies', () => {
  test.each([
    ['/announcements', '"message":"x"'],
    ['/announcements/undo', '"change":1'],
    ['/origins', '"origin":"https://a.example"'],
  ])('%s with a deep unknown field is 400, even with an Idempotency-Key', async (path, fields) => {
    await start();
    const body = `{${fields},"x":${'['.repeat(7_000)}${']'.repeat(7_000)}}`;
    const headers = { 'Idempotency-Key': 'once' };
    const { status, json } = await callDesk(server.port, tokens.anna, 'POST', path, { body, headers });
    expect([status, json.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error).toContain('brackets');
    expect(await changeCount()).toBe(0);
  });

  test('a huge one is 413, a deep one 400, one of another type 415; nothing changes', async () => {
    await start();
    const post = (body: string, headers: Record<string, string> = {}) =>
      callDesk(server.port, tokens.anna, 'POST', '/announcements', { body, headers });
    expect((await post(JSON.stringify({ message: 'x'.repeat(70_000) }))).status).toBe(413);
    expect(
      (await post(`{"message":"x","translations":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`)).status,
    ).toBe(400);
    expect((await post('message=x', { 'Content-Type': 'application/x-www-form-urlencoded' })).status).toBe(
      415,
    );
    expect((await post('[]')).status).toBe(400);
    const polluting = await post('{"message":"x","__proto__":{"link":"https://evil.example"}}');
    expect([polluting.status, polluting.json.error]).toEqual([
      400,
      expect.stringContaining('no field "__proto__"'),
    ]);
    expect(({} as { link?: string }).link).toBeUndefined();
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      const refused = await post(`{"message":"x","translations":{"${name}":{"message":"y"}}}`);
      expect([refused.status, refused.json.error]).toEqual([
        400,
        expect.stringContaining(`"${name}" is not a language`),
      ]);
      expect((await post(`{"message":"x","audience":{"${name}":[]}}`)).status).toBe(400);
    }
    expect(await changeCount()).toBe(0);
  });

  test('a name of thousands of letters is not repeated in full, and of thousands of names only one is', async () => {
    await start();
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`f${at}`, 1]));
    const body = { message: 'x', ['e'.repeat(30_000)]: 1, ...many };
    const { status, json } = await callDesk(server.port, tokens.anna, 'POST', '/announcements', { body });
    expect([status, json.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.length).toBeLessThan(300);
    expect(await changeCount()).toBe(0);
  });
});
