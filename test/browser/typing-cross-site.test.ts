import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseAllowedOrigins } from '../../src/server/settings/config-parsers.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { createTypingClient, flawless, playRound, type TypingClient } from '../support/typing-client.ts';
import { describeInChromium } from './chromium.ts';
import { type Site, startSite } from './site.ts';

// A frame that moves to a process of its own may take the news of its answer with it; what a page may do is the same.
const oneProcess = ['--disable-site-isolation-trials', '--disable-features=IsolateOrigins,site-per-process'];

describeInChromium(
  'a page of another site and the typing API, in a real browser',
  (browser) => {
    let site: Site;
    let server: TestServer;
    let client: TypingClient;
    let context: BrowserContext;
    let page: Page;
    let id: string;
    let char: string;
    let before: unknown;
    let attempts: string[];

    beforeAll(async () => {
      site = await startSite((_, url) => {
        if (url.pathname !== '/bounce') return { body: '<!doctype html><title>site</title><body></body>' };
        return { status: 307, headers: { Location: url.searchParams.get('to') as string } };
      });
      server = await startTestServer({
        allowOrigin: parseAllowedOrigins(`http://friend.localhost:${site.port}`),
      });
      client = createTypingClient(server.port);
      context = await browser().newContext();
    });
    afterAll(async () => {
      await context.close();
      await server.close();
      await site.close();
    });

    beforeEach(async () => {
      for (const session of await client.sessions()) await client.deleteSession(session.id);
      id = await client.createSession();
      await playRound(client, id);
      const { words } = await client.startRound(id);
      await client.input(id, flawless(words).slice(0, 3));
      char = words[0]?.[3] ?? 'x';
      before = await snapshot();
      attempts = [];
      page = await context.newPage();
      page.on('request', (request) => {
        if (request.url().includes('/api'))
          attempts.push(`${request.method()} ${new URL(request.url()).pathname}`);
      });
    });

    afterEach(() => page.close());

    const api = (path: string) => `${server.url}/api${path}`;
    const open = (name: string) => page.goto(`http://${name}.localhost:${site.port}/`);

    async function snapshot(): Promise<unknown> {
      const ids = (await client.sessions()).map((session) => session.id);
      return [ids, await client.state(id), await client.history(id), await client.sessionStatistics(id)];
    }

    /** Fetches as a script of the page would; tells the status and body, or that the browser kept them from it. */
    function fetchFrom(method: string, path: string, options: RequestInit = {}): Promise<unknown> {
      return page.evaluate(
        ([url, init]) =>
          fetch(url, init).then(
            async (answer) => (answer.type === 'opaque' ? 'opaque' : [answer.status, await answer.text()]),
            (error: Error) => error.name,
          ),
        [api(path), { method, ...options }] as const,
      );
    }

    const endpoints = (): [string, string, object?][] => [
      ['POST', '/sessions', {}],
      ['POST', `/sessions/${id}/round`],
      ['POST', `/sessions/${id}/keystroke`, { char }],
      ['POST', `/sessions/${id}/backspace`],
      ['POST', `/sessions/${id}/space`],
      ['POST', `/sessions/${id}/input`, { events: [{ type: 'backspace' }] }],
      ['POST', `/sessions/${id}/timing`, { start_time_unix_ms: 1, end_time_unix_ms: 2, duration_ms: 1 }],
      ['POST', `/sessions/${id}/save`],
      ['DELETE', `/sessions/${id}`],
    ];

    test('cannot create, use or delete a session with fetch, whatever it pretends', async () => {
      await open('stranger');
      for (const [method, path, body] of endpoints()) {
        const text = body === undefined ? {} : { body: JSON.stringify(body) };
        const json = { ...text, headers: { 'Content-Type': 'application/json' } };
        for (const options of [text, json, { ...text, credentials: 'include' as const }]) {
          expect(await fetchFrom(method, path, options), `${method} ${path}`).toBe('TypeError');
        }
        // A simple request goes out unasked; the page may not know what became of it.
        if (method === 'POST')
          expect(await fetchFrom(method, path, { ...text, mode: 'no-cors' })).toBe('opaque');
      }
      expect(attempts.length).toBeGreaterThan(8);
      expect(await snapshot()).toEqual(before);
    });

    test('cannot read sessions, states or statistics', async () => {
      await open('stranger');
      const paths = [
        '/sessions',
        '/health',
        ...['state', 'stats/session', 'stats/historical'].map((name) => `/sessions/${id}/${name}`),
      ];
      for (const path of paths) {
        expect(await fetchFrom('GET', path), path).toBe('TypeError');
        expect(await fetchFrom('GET', path, { mode: 'no-cors' }), path).toMatch(/^(opaque|TypeError)$/);
        expect(await loadAs('script', path), path).toBe('error');
        expect(await loadAs('img', path), path).toBe('error');
      }
      expect(await readFrame('/sessions')).toBe('SecurityError');
    });

    test('cannot act with forms, beacons, sandboxed frames or redirects', async () => {
      await open('stranger');
      for (const [method, path] of endpoints()) {
        if (method !== 'POST') continue;
        for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
          expect(await submitForm(path, type, false), `${type} to ${path}`).toBe(403);
        }
        expect(await submitForm(path, 'text/plain', true), path).toBe(403);
        await page.evaluate((url) => navigator.sendBeacon(url, '{"char":"a"}'), api(path));
        const bounce = `/bounce?to=${encodeURIComponent(api(path))}`;
        await page.evaluate((url) => fetch(url, { method: 'POST' }).catch(() => undefined), bounce);
      }
      expect(attempts.filter((attempt) => attempt.startsWith('POST /api/sessions')).length).toBeGreaterThan(
        30,
      );
      expect(await snapshot()).toEqual(before);
    });

    test('of a listed site can do all of it', async () => {
      await open('friend');
      const post = (path: string, body?: object) =>
        fetchFrom('POST', path, {
          headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }) as Promise<[number, string]>;
      expect((await post(`/sessions/${id}/keystroke`, { char }))[0]).toBe(200);
      expect(JSON.stringify(await fetchFrom('GET', `/sessions/${id}/state`))).toContain('current_input');
      const [status, text] = await post('/sessions', {});
      expect(status).toBe(201);
      const created = JSON.parse(text).session_id;
      expect(await fetchFrom('DELETE', `/sessions/${created}`)).toEqual([204, '']);
      expect(await fetchFrom('GET', `/sessions/${created}/state`)).toEqual([
        404,
        expect.stringContaining('SESSION_NOT_FOUND'),
      ]);
    });

    function loadAs(tag: 'script' | 'img', path: string): Promise<string> {
      return page.evaluate(
        ([name, src]) =>
          new Promise<string>((resolve) => {
            const element = Object.assign(document.createElement(name as 'img'), { src });
            element.onload = () => resolve('load');
            element.onerror = () => resolve('error');
            document.body.append(element);
          }),
        [tag, api(path)] as const,
      );
    }

    function readFrame(path: string): Promise<string> {
      return page.evaluate(
        (src) =>
          new Promise<string>((resolve) => {
            const frame = Object.assign(document.createElement('iframe'), { src });
            frame.onload = () => {
              try {
                resolve(frame.contentWindow?.document.body.textContent ?? '');
              } catch (error) {
                resolve((error as Error).name);
              }
            };
            document.body.append(frame);
          }),
        api(path),
      );
    }

    /** Submits a form from a frame; tells the status of the answer. A sandboxed frame has no origin. */
    async function submitForm(path: string, enctype: string, isSandboxed: boolean): Promise<number> {
      const answer = page.waitForResponse((response) => response.url() === api(path));
      await page.evaluate(
        ([action, type, sandboxed]) => {
          const frame = document.createElement('iframe');
          if (sandboxed) frame.setAttribute('sandbox', 'allow-forms allow-scripts');
          const fields = `<input name='{"char":"a","x":"' value='"}'>`;
          const form = `<form method="post" action="${action}" enctype="${type}">${fields}</form>`;
          frame.srcdoc = `${form}<script>document.forms[0].submit()</script>`;
          document.body.append(frame);
        },
        [api(path), enctype, isSandboxed] as const,
      );
      return (await answer).status();
    }
  },
  oneProcess,
);
