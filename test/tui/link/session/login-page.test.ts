import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RoundUpload } from '../../../../src/contract/request-types.ts';
import { createDelivery } from '../../../../src/tui/link/delivery/delivery.ts';
import type { ServerProblem } from '../../../../src/tui/link/session/server-problem.ts';
import { createSessionClient, type SessionClient } from '../../../../src/tui/link/session/session-client.ts';
import { toTiming } from '../../../../src/tui/round/round.ts';
import { startTestServer, type TestServer } from '../../../support/test-server.ts';
import { typeRound } from '../../round/round-picture.ts';
import { type BadLine, startBadLine } from '../bad-line.ts';

let server: TestServer;
let line: BadLine;
let client: SessionClient;

beforeEach(async () => {
  server = await startTestServer();
  line = await startBadLine(server.port);
  client = createSessionClient(new URL(line.url), { timeout: 2000 });
});

afterEach(async () => {
  await client.close();
  await line.close();
  await server.close();
});

/** Passes every request on to the server, except those for one path, which it answers by itself until it is told to stop. */
async function startMeddler(path: RegExp, answer: string): Promise<{ page: Server; stop(): void }> {
  let isMeddling = true;
  const page = createServer(async (request, response) => {
    const asked = await text(request);
    const { method = '', url = '', headers } = request;
    if (isMeddling && path.test(url)) {
      response.end(answer);
      return;
    }
    const isEmpty = method === 'GET' || asked === '';
    const type = headers['content-type'];
    const told = await fetch(new URL(url, server.url), {
      method,
      ...(isEmpty ? {} : { body: asked }),
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    });
    response.writeHead(told.status).end(await told.text());
  });
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    isMeddling = false;
  };
  return { page, stop };
}

/** Answers every request like this, in the place of the server. */
async function startPage(
  status: number,
  headers: Record<string, string>,
  body = '<h1>Please log in</h1>',
): Promise<Server> {
  const page = createServer((_, response) => {
    response.writeHead(status, { 'Content-Type': 'text/html', Connection: 'close', ...headers });
    response.end(body);
  });
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  return page;
}

describe.each<[string, number, Record<string, string>, string?]>([
  ['a redirect to a login page', 302, { Location: 'http://login.example/' }],
  ['a login page', 200, {}],
  ['the password question of a proxy', 401, { 'WWW-Authenticate': 'Basic' }],
  ['the refusal of a proxy', 403, {}],
  ['a proxy that does not find the server', 404, {}],
  ['a proxy that accepts everything and says nothing', 200, {}, ''],
  ['a proxy that accepts everything and has no content', 204, {}, ''],
])('%s that answers in the middle of a round', (_, status, headers, body) => {
  test('does not end its delivery: the server gets the round as soon as it answers again', async () => {
    const direct = createSessionClient(new URL(server.url));
    const session = await direct.createSession({ punctuation: false, isStrict: true });
    const { words } = await direct.startRound(session);
    await direct.close();
    const page = await startPage(status, headers, body);
    line.setPort((page.address() as AddressInfo).port);
    const delivery = createDelivery({ client, session, words, delay: () => 5 });
    const round = typeRound(words, `${words.join(' ')} `);
    delivery.offer(round.inputs);
    const receipt = delivery.finish(toTiming(round));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(delivery.status).toMatchObject({ away: expect.stringMatching(/./), lost: '' });
    line.setPort(server.port);
    expect((await receipt)?.statistics.correct_chars).toBeGreaterThan(100);
    page.close();
  });

  test('is no refusal of the server: what waits on disk keeps waiting', async () => {
    const page = await startPage(status, headers, body);
    line.setPort((page.address() as AddressInfo).port);
    const problem = await client.readState('s').catch((error: ServerProblem) => error);
    expect(problem).toMatchObject({ kind: 'foreign' });
    page.close();
  });
});

test.each(['', 'null', '{}', '{"id":"another"}', '[]'])(
  'a whole round was not taken by what answers %j to it: it stays on disk',
  async (body) => {
    const page = await startPage(200, { 'Content-Type': 'application/json' }, body);
    line.setPort((page.address() as AddressInfo).port);
    const round = { id: 'a' } as RoundUpload;
    await expect(client.addRound(round)).rejects.toMatchObject({ kind: 'foreign' });
    page.close();
  },
);

describe.each([
  ['save', /\/save$/, '{"success":false}'],
  ['save', /\/save$/, '{}'],
  ['timing', /\/timing$/, '{"success":false}'],
  ['timing', /\/timing$/, '{"success":"true"}'],
  ['input', /\/input$/, '{"success":false}'],
  ['input', /\/input$/, '{"results":[]}'],
])('a %s (%s) that is answered %j', (_, path, answer) => {
  test('is not done: the round waits, and goes there as soon as the server says that it has it', async () => {
    const { page, stop } = await startMeddler(path, answer);
    line.setPort((page.address() as AddressInfo).port);
    const session = await client.createSession({ punctuation: false, isStrict: true });
    const { words } = await client.startRound(session);
    const delivery = createDelivery({ client, session, words, delay: () => 5 });
    const round = typeRound(words, `${words.join(' ')} `);
    delivery.offer(round.inputs);
    const receipt = delivery.finish(toTiming(round));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(delivery.isDone).toBe(false);
    expect(delivery.status).toMatchObject({
      away: 'the server does not say that it has the round',
      lost: '',
    });
    stop();
    expect((await receipt)?.history.total_sessions).toBe(1);
    page.close();
  });
});
