import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { send } from '../../support/http-client.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

let server: TestServer;
afterEach(() => server.close());

const read = async (path: string) => {
  const { status, headers, body } = await send(server.port, { path });
  return { status, headers, text: body.toString() };
};
const kindOf: Readonly<Record<string, string>> = {
  ...{ js: 'application/javascript', css: 'text/css', svg: 'image/svg+xml' },
  'desk/preview': 'text/html; charset=utf-8',
};

test.each([
  ['/desk', 'none'],
  ['/desk/preview', 'self'],
])(
  'all that %s names is there, its policy opens nothing else, and only “%s” may frame it',
  async (page, framer) => {
    server = await startTestServer({ brand: 'acme' });
    const { status, headers, text } = await read(page);
    const policy = String(headers['content-security-policy']);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toMatch(/^<!doctype html>[\s\S]*<\/html>\s*$/);
    expect(text).not.toContain('BRAND');

    const named = [...text.matchAll(/ (?:src|href)="([^"#]+)"/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) {
      const file = await read(new URL(name, `http://host${page}`).pathname);
      const kind = kindOf[name.split('.').at(-1) ?? ''];
      expect([name, file.status, file.headers['content-type']]).toEqual([name, 200, kind]);
      expect(file.text.length).toBeGreaterThan(100);
    }

    const inline = [...text.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)].map(([, , code = '']) => code);
    const sources = inline.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
    expect(policy.match(/'sha256-[^']+'/g) ?? []).toEqual(sources.toReversed());
    const directives = policy.split('; ');
    for (const each of directives) expect(each).toMatch(/^[a-z-]+(?: '[^' ]+'| allow-scripts)+$/);
    for (const part of ["default-src 'none'", "form-action 'none'", "base-uri 'none'", "img-src 'self'"])
      expect(policy).toContain(part);
    expect(policy).toContain(`frame-ancestors '${framer}'`);
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:|blob:|allow-same-origin/);
  },
);

test('the page is never cached, reads no other site and is read by none; its preview has an origin of its own', async () => {
  server = await startTestServer();
  for (const path of ['/desk', '/desk/preview', '/desk/desk.js', '/desk/desk.css']) {
    const { headers } = await read(path);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'same-origin',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
  const policies = ['/desk', '/desk/preview'].map(async (path) => (await read(path)).headers);
  const [page, preview] = (await Promise.all(policies)).map((each) =>
    String(each['content-security-policy']),
  );
  expect(page).toContain("script-src 'self'; style-src 'self'; connect-src 'self'");
  expect(page).toContain("trusted-types 'none'");
  expect(preview).toContain('sandbox allow-scripts');
  expect(preview).toContain("connect-src 'none'");
});

test('the page is missing with --desk off, and the API stays', async () => {
  server = await startTestServer({ desk: 'off' });
  for (const path of ['/desk', '/desk/preview', '/desk/desk.js']) expect((await read(path)).status).toBe(404);
  expect((await read('/api/announcements')).status).toBe(401);
});

test('who asks too often is refused there for some seconds, and only there: page and API have limits of their own', async () => {
  server = await startTestServer();
  const names = new Set<string>();
  for (const [path, other] of [
    ['/desk/desk.css', '/api/origins'],
    ['/api/origins', '/desk/desk.css'],
  ] as const) {
    const answers = await Promise.all(Array.from({ length: 400 }, () => read(path)));
    const refused = answers.filter(({ status }) => status === 429);
    const [, name = '', allowed] =
      /^"([a-z-]+)";q=(\d+);/.exec(String(refused[0]?.headers['ratelimit-policy'])) ?? [];
    names.add(name);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(Number(allowed));
    expect(Number(allowed)).toBeGreaterThanOrEqual(50);
    expect((await read(other)).status).not.toBe(429);
    await wait(3_000);
  }
  expect(names.size).toBe(2);
});
