import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createDocumentRoutes,
  createTypingRoutes,
  type TypingOptions,
} from '../../src/server/typing/typing-routes.ts';
import { labelEntries } from '../../src/typing/labels.ts';
import { type Answer, send } from '../support/http-client.ts';
import { lasting, startTestServer, type TestServer } from '../support/test-server.ts';
import { createTypingClient, flawless, playRound } from '../support/typing-client.ts';
import { operationNames, type PublishedContract, readContract } from './published-contract.ts';

let server: TestServer;
let contract: PublishedContract;
/** The paths below `/api`; those of the badge service name their server themselves. Those of editors: openapi-desk.test.ts. */
let typingPaths: ReturnType<PublishedContract['pathsOf']>;
let badgePaths: typeof typingPaths;

beforeAll(async () => {
  const marked = { ...lasting, markdown: '**New** [here](https://example.org)', message: 'New here' };
  server = await startTestServer({ maxSessions: 20, files: { 'history.json': { announcements: [marked] } } });
  contract = readContract();
  typingPaths = contract.pathsOf('typing');
  badgePaths = contract.pathsOf('badge');
});
afterAll(() => server.close());

describe('the contract', () => {
  it('is the same at each of its servers', async () => {
    const texts = contract.servers.map(async ({ url }) => {
      const { status, body } = await send(server.port, { path: `${url}/openapi.json` });
      return [status, body.toString()] as const;
    });
    const [first, ...others] = await Promise.all(texts);
    expect(first?.[0]).toBe(200);
    expect(others).toEqual([first]);
  });

  it('has exactly the endpoints of the server, with their methods', () => {
    const options = { stores: {}, log: {} } as TypingOptions;
    const routes = [...createTypingRoutes(options), ...createDocumentRoutes()]
      .filter(({ path }) => !path.startsWith('/api/v1/'))
      .map(({ method, path }) => `${method.toLowerCase()} ${path.slice(4).replace(':id', '{session_id}')}`);
    expect(operationNames(typingPaths).sort()).toEqual(routes.sort());
  });
});

describe('every answer matches the contract', () => {
  const met = new Set<string>();

  it('when all goes well', async () => {
    const client = createTypingClient(server.port);
    const { session_id: id } = await asPromised('post', '/sessions', { punctuation_mode: true });
    const ofSession = (method: string, name: string, body?: unknown) =>
      asPromised(method, `/sessions/{session_id}/${name}`, body, id);
    const readAll = async () => {
      for (const [path, { get }] of Object.entries(typingPaths))
        if (get !== undefined) await asPromised('get', path, undefined, id);
    };
    await asPromised('post', '/rounds', {
      ...labelEntries((_, name) => `a ${name}`),
      id: '7f3c6a0e-54b1-4c52-9d0c-0a8de0a2f7a1',
      words: ['ab'],
      events: flawless(['ab']),
      start_time_unix_ms: 1,
      end_time_unix_ms: 2,
      duration_ms: 9_000,
    });
    const round = await ofSession('post', 'round');
    await readAll();
    await ofSession('post', 'keystroke', { char: round.words[0][0], seek_time_ms: 3, seq: 1 });
    await ofSession('post', 'space', { seek_time_ms: 9, seq: 2 });
    await ofSession('post', 'backspace', { seq: 3 });
    await ofSession('post', 'input', { events: [{ type: 'backspace', seq: 4 }] });
    const rest = flawless(round.words).map(({ seq: _, ...event }) => event);
    await ofSession('post', 'input', { events: rest });
    await ofSession('post', 'timing', { start_time_unix_ms: 1, end_time_unix_ms: 9, duration_ms: 8 });
    await readAll();
    await ofSession('post', 'save');
    await playRound(client, id);
    await readAll();
    await asPromised('delete', '/sessions/{session_id}', undefined, id);
    await asPromised('delete', '/player');
    expect([...met].sort()).toEqual(operationNames(typingPaths).sort());
  });

  it('to an input for another round, and without a round', async () => {
    const client = createTypingClient(server.port);
    const id = await client.createSession();
    const inputs = {
      keystroke: (round: object) => ({ char: 'a', ...round }),
      space: (round: object) => round,
      backspace: (round: object) => round,
      input: (round: object) => ({ events: [{ type: 'space', ...round }] }),
      timing: () => ({ start_time_unix_ms: 1, end_time_unix_ms: 9, duration_ms: 8 }),
    };
    const codesOf = async (round: object) => {
      const codes: Record<string, string> = {};
      for (const [name, bodyOf] of Object.entries(inputs)) {
        const path = `/sessions/{session_id}/${name}`;
        const { status, ...answer } = await send(server.port, {
          method: 'POST',
          path: `/api${path.replace('{session_id}', id)}`,
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(bodyOf(round)),
        });
        const body = checkAnswer('post', path, { status, ...answer });
        codes[name] = (body as { readonly code: string }).code;
      }
      return codes;
    };
    const none = 'ROUND_NOT_STARTED';
    expect(await codesOf({})).toEqual({
      keystroke: none,
      space: none,
      backspace: none,
      input: none,
      timing: none,
    });
    await client.startRound(id);
    const other = 'ROUND_CHANGED';
    expect(await codesOf({ round_id: '7f3c6a0e-54b1-4c52-9d0c-0a8de0a2f7a1' })).toMatchObject({
      ...{ keystroke: other, space: other, backspace: other, input: other },
    });
  });

  it('when something is wrong', async () => {
    const client = createTypingClient(server.port);
    const id = await client.createSession();
    const seen = new Set<number>();
    for (const [path, operations] of Object.entries(typingPaths)) {
      for (const method of Object.keys(operations)) {
        for (const question of wrongQuestions(method)) {
          const real = `/api${path.replace('{session_id}', question.unknown ? 'nobody' : id)}`;
          const answer = await send(server.port, {
            ...question,
            method: question.method ?? method.toUpperCase(),
            path: real,
          });
          if (answer.status < 400) continue;
          seen.add(answer.status);
          checkAnswer(method, path, answer);
        }
      }
    }
    for (let made = 0; made < 20; made++) await client.call('POST', '/sessions');
    const full = await send(server.port, { method: 'POST', path: '/api/sessions' });
    checkAnswer('post', '/sessions', full);
    seen.add(full.status);
    expect([...seen].sort()).toEqual([400, 401, 403, 404, 405, 413, 415, 503]);
  });

  it('with bodies optional exactly where an empty one is accepted', async () => {
    const client = createTypingClient(server.port);
    for (const { id } of await client.sessions()) await client.deleteSession(id);
    const id = await client.createSession();
    await client.startRound(id);
    for (const [path, { post }] of Object.entries(typingPaths)) {
      if (post?.requestBody === undefined) continue;
      const { body } = await send(server.port, {
        method: 'POST',
        path: `/api${path.replace('{session_id}', id)}`,
      });
      const isMissing = /is missing/.test(JSON.parse(body.toString()).error ?? '');
      expect(isMissing, path).toBe(post.requestBody.required);
    }
  });

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape, each checked against its schema
  async function asPromised(method: string, path: string, body?: unknown, id = ''): Promise<any> {
    const answer = await send(server.port, {
      method: method.toUpperCase(),
      path: `/api${path.replace('{session_id}', id)}`,
      ...(body === undefined
        ? {}
        : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    expect(answer.status, `${method} ${path}: ${answer.body}`).toBeLessThan(300);
    met.add(`${method} ${path}`);
    return checkAnswer(method, path, answer);
  }
});

describe('the badge service', () => {
  const pulse = '?event=click&id=2026-001';
  const realOf = (path: string) => path + (path === '/pulse' ? pulse : '');

  it('answers every path as the contract says, and no other method', async () => {
    for (const path of Object.keys(badgePaths)) {
      const answer = await send(server.port, { path: realOf(path), headers: { Accept: '*/*' } });
      expect(answer.status, path).toBeLessThan(300);
      contract.check('get', path, answer, (header) => header === 'Access-Control-Allow-Origin');
      const wrong = await send(server.port, { method: 'TRACE', path: realOf(path) });
      expect([path, wrong.status, wrong.headers.allow?.split(', ')[0]]).toEqual([path, 405, 'GET']);
    }
    expect(Object.keys(badgePaths)).toHaveLength(5);
    contract.checkQuery('get', '/pulse', pulse);
  });

  it('answers wrong, unchanged and missing requests as the contract says', async () => {
    const empty = await startTestServer({ files: { 'history.json': { announcements: [] } } });
    const path = '/content/history.json';
    const { headers } = await send(server.port, { path });
    const check = async (status: number, port: number, path: string, headers = {}) => {
      const answer = await send(port, { path, headers });
      expect(answer.status).toBe(status);
      contract.check('get', path.replace(/\?.*/, ''), answer, (header) => /^Access|^RateLimit/.test(header));
    };
    await check(404, empty.port, '/content/announcement.json');
    await check(400, server.port, '/pulse?event=x&id=y');
    await check(304, server.port, path, { 'If-None-Match': String(headers.etag) });
    await empty.close();
  });
});

function wrongQuestions(method: string) {
  const json = { 'Content-Type': 'application/json' };
  const writing = method === 'get' ? [] : [{ headers: { Origin: 'https://evil.example' } }];
  const posting = [
    { headers: json, body: '{"char":7,"seq":0,"events":0,"punctuation_mode":0,"duration_ms":"x"}' },
    { headers: json, body: '{' },
    { headers: json, body: `{"char":"${'a'.repeat(70_000)}"}` },
    { headers: { 'Content-Type': 'text/plain' }, body: '{}' },
  ];
  const questions: { headers?: Record<string, string>; body?: string; method?: string; unknown?: boolean }[] =
    [
      { method: 'PUT' },
      { headers: { Host: 'rebound.example' } },
      { unknown: true },
      { headers: { Authorization: 'Basic x' } },
      ...writing,
      ...(method === 'post' ? posting : []),
    ];
  return questions;
}

/** A host that is not served is refused before anything else, and this server has no limit. */
function checkAnswer(method: string, path: string, answer: Answer): unknown {
  if (answer.status !== 403) expect(answer.headers['api-version'], `${method} ${path}`).toBe('v1');
  return contract.check(method, path, answer, (header) => answer.status === 403 || /^RateLimit/.test(header));
}
