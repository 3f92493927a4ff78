import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, send } from '../support/http-client.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { createTypingClient, flawless, playRound } from '../support/typing-client.ts';

type Content = Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;
interface Response {
  readonly $ref?: string;
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, unknown>>;
}
interface Operation {
  readonly tags?: readonly string[];
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Readonly<Record<string, Response>>;
}
interface Contract {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

let server: TestServer;
let text: string;
let contract: Contract;
/** The paths below `/api`; those of the badge service name their server themselves. Those of editors: openapi-desk.test.ts. */
let typingPaths: Contract['paths'];
let badgePaths: Contract['paths'];
const validators = new Ajv2020({ strict: false, formats: { 'date-time': isTimestamp } });

beforeAll(async () => {
  server = await startTestServer({ maxSessions: 20 });
  text = (await send(server.port, { path: '/api/openapi.json' })).body.toString();
  contract = JSON.parse(text);
  const entries = Object.entries(contract.paths);
  const withTag = (tag: string) =>
    Object.fromEntries(
      entries.filter(([, item]) => Object.values(item).some(({ tags }) => tags?.includes(tag) === true)),
    );
  typingPaths = withTag('typing');
  badgePaths = withTag('badge');
  validators.addSchema({ $id: 'contract', components: contract.components });
});
afterAll(() => server.close());

describe('the contract', () => {
  it('is the same below /api/v1', async () => {
    expect((await send(server.port, { path: '/api/v1/openapi.json' })).body.toString()).toBe(text);
  });

  it('has exactly the endpoints of the server, with their methods', async () => {
    for (const [path, operations] of Object.entries(typingPaths)) {
      const real = `/api${path.replace('{session_id}', 'nobody')}`;
      const { status, headers } = await send(server.port, { method: 'TRACE', path: real });
      expect(status, real).toBe(405);
      const methods = (headers.allow ?? '').split(', ').filter((method) => !/^(HEAD|OPTIONS)$/.test(method));
      expect(methods.map((method) => method.toLowerCase()).sort()).toEqual(Object.keys(operations).sort());
    }
    expect(Object.keys(typingPaths)).toHaveLength(18);
  });
});

describe('every answer matches the contract', () => {
  const met = new Set<string>();

  it('when all goes well', async () => {
    const client = createTypingClient(server.port);
    const { session_id: id } = await asPromised('post', '/sessions', { punctuation_mode: true });
    const ofSession = (method: string, name: string, body?: unknown) =>
      asPromised(method, `/sessions/{session_id}/${name}`, body, id);
    await asPromised('get', '/sessions');
    await asPromised('get', '/rounds');
    await asPromised('get', '/health');
    await asPromised('get', '/languages');
    await asPromised('post', '/rounds', {
      id: '7f3c6a0e-54b1-4c52-9d0c-0a8de0a2f7a1',
      words: ['ab'],
      events: flawless(['ab']),
      start_time_unix_ms: 1,
      end_time_unix_ms: 2,
      duration_ms: 9_000,
    });
    await asPromised('get', '/layouts');
    await asPromised('get', '/openapi.json');
    const round = await ofSession('post', 'round');
    await ofSession('get', 'state');
    await ofSession('get', 'stats/session');
    await ofSession('get', 'stats/historical');
    await ofSession('post', 'keystroke', { char: round.words[0][0], seek_time_ms: 3, seq: 1 });
    await ofSession('post', 'space', { seek_time_ms: 9, seq: 2 });
    await ofSession('post', 'backspace', { seq: 3 });
    await ofSession('post', 'input', { events: [{ type: 'backspace', seq: 4 }] });
    const rest = flawless(round.words).map(({ seq: _, ...event }) => event);
    await ofSession('post', 'input', { events: rest });
    await ofSession('post', 'timing', { start_time_unix_ms: 1, end_time_unix_ms: 9, duration_ms: 8 });
    await ofSession('get', 'state');
    await ofSession('get', 'stats/session');
    await ofSession('post', 'save');
    await asPromised('get', '/rounds');
    await playRound(client, id);
    await ofSession('get', 'stats/historical');
    await asPromised('delete', '/sessions/{session_id}', undefined, id);
    await asPromised('delete', '/player');
    const promised = Object.entries(typingPaths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    expect([...met].sort()).toEqual(promised.sort());
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
  const realOf = (path: string) => path + (path === '/pulse' ? '?event=click&id=2026-001' : '');

  it('answers every path as the contract says, and no other method', async () => {
    for (const [path, { get }] of Object.entries(badgePaths)) {
      const answer = await send(server.port, { path: realOf(path), headers: { Accept: '*/*' } });
      const promised = get?.responses[answer.status];
      expect(promised, `${path} may not answer ${answer.status}`).toBeDefined();
      expect(answer.status, path).toBeLessThan(300);
      for (const header of Object.keys(promised?.headers ?? {}))
        if (header !== 'Access-Control-Allow-Origin')
          expect(answer.headers[header.toLowerCase()], `${path}: ${header}`).toBeDefined();
      const [[type, media] = []] = Object.entries(promised?.content ?? {});
      expect(answer.headers['content-type']?.split(';')[0], path).toBe(type);
      expect(type ?? 'application/json', path).toMatch(/json$/);
      if (media !== undefined && '$ref' in media.schema) checkBody(media.schema, answer, path);
      const wrong = await send(server.port, { method: 'TRACE', path: realOf(path) });
      expect([path, wrong.status, wrong.headers.allow?.split(', ')[0]]).toEqual([path, 405, 'GET']);
    }
    expect(Object.keys(badgePaths)).toHaveLength(7);
  });

  it('answers wrong, unchanged and missing requests as the contract says', async () => {
    const empty = await startTestServer({ files: { 'history.json': { announcements: [] } } });
    const missing = await send(empty.port, { path: '/content/announcement.json' });
    expect(badgePaths['/content/announcement.json']?.get?.responses[missing.status]).toBeDefined();
    expect(missing.status).toBe(404);
    checkBody({ $ref: '#/components/schemas/ErrorBody' }, missing, 'announcement');
    await empty.close();
    const wrong = await send(server.port, { path: '/pulse?event=x&id=y' });
    expect([wrong.status, '400' in (badgePaths['/pulse']?.get?.responses ?? {})]).toEqual([400, true]);
    const path = '/content/history.json';
    const { headers } = await send(server.port, { path });
    const again = await send(server.port, { path, headers: { 'If-None-Match': String(headers.etag) } });
    expect([again.status, '304' in (badgePaths[path]?.get?.responses ?? {})]).toEqual([304, true]);
  });
});

function checkBody(schema: object, { body }: Answer, name: string): void {
  const isRight = validators.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"contract#/')));
  expect(isRight(JSON.parse(body.toString())), `${name}: ${JSON.stringify(isRight.errors)}`).toBe(true);
}

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

/** Checks status, type and body against what the contract promises, and returns the body. */
function checkAnswer(method: string, path: string, answer: Answer): unknown {
  const name = `${method} ${path}`;
  const found = (typingPaths[path] ?? badgePaths[path])?.[method]?.responses[answer.status];
  expect(found, `${name} may not answer ${answer.status}: ${answer.body}`).toBeDefined();
  const response =
    found?.$ref === undefined ? found : contract.components.responses[found.$ref.split('/').at(-1) as string];
  if (answer.status !== 403) expect(answer.headers['api-version'], name).toBe('v1');
  for (const header of Object.keys(response?.headers ?? {})) {
    // A host that is not served is refused before anything else, and this server has no limit.
    const mayMiss = answer.status === 403 || /^RateLimit/.test(header);
    if (!mayMiss) expect(answer.headers[header.toLowerCase()], `${name}: ${header}`).toBeDefined();
  }
  if (response?.content === undefined) {
    if (answer.status === 204) expect(answer.body).toHaveLength(0);
    return undefined;
  }
  expect(answer.headers['content-type']).toBe('application/json');
  const body: unknown = JSON.parse(answer.body.toString());
  const schema = JSON.parse(
    JSON.stringify(response.content['application/json']?.schema).replaceAll('"#/', '"contract#/'),
  );
  // What is not promised does not come either.
  const isRight = validators.compile(schema);
  expect(isRight(body), `${name} ${answer.status}: ${JSON.stringify(isRight.errors)}`).toBe(true);
  expectNoOtherFields(schema, body, name);
  return body;
}

function expectNoOtherFields(schema: { $ref?: string }, body: unknown, name: string): void {
  const type = schema.$ref?.split('/').at(-1);
  const { properties }: { properties?: object } = contract.components.schemas[type ?? ''] ?? {};
  if (properties === undefined) return;
  expect(
    Object.keys(body as object).filter((field) => !(field in properties)),
    name,
  ).toEqual([]);
}

function isTimestamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) && !Number.isNaN(Date.parse(text));
}
