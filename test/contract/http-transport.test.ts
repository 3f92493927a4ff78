import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createHttpTransport, HttpFailure } from '../../src/contract/http-transport.ts';
import type { ApiRequest } from '../../src/contract/transport.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function startAnswering(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/below/`);
}

async function failureOf(server: URL, method: ApiRequest['method'], pauses: readonly number[] = []) {
  const transport = createHttpTransport(server, { token: 'a secret', timeout: 2_000, pauses });
  open.push(transport);
  const failure = await transport.call({ method, path: '/api/x' }).catch((error) => error);
  expect(failure).toBeInstanceOf(HttpFailure);
  expect(failure.message).not.toContain('a secret');
  return [failure.kind, failure.mayHaveArrived];
}

const html: RequestListener = (_, response) => response.end('<html>');
const cut: RequestListener = ({ socket }) => socket.destroy();
const endless: RequestListener = (_, response) => {
  response.write('"');
  response.on('drain', () => response.write('x'.repeat(1_000_000)));
  response.write('x'.repeat(1_000_000));
};

test.each([
  ['of another program', html, 'refused'],
  ['that is too long', endless, 'refused'],
  ['that is cut off', cut, 'away'],
] as const)('an answer %s is a failure, and what was posted may have happened', async (_, listener, kind) => {
  const server = await startAnswering(listener);
  expect(await failureOf(server, 'POST')).toEqual([kind, true]);
  expect(await failureOf(server, 'GET')).toEqual([kind, false]);
});

test('nothing has happened at a server that was not reached', async () => {
  const server = await startAnswering(html);
  await open.pop()?.close();
  expect(await failureOf(server, 'POST')).toEqual(['away', false]);
});

test('nothing has happened at a server that cannot be trusted', async () => {
  const { href } = await startAnswering(html);
  expect(await failureOf(new URL(href.replace('http:', 'https:')), 'POST')).toEqual(['refused', false]);
});

test('a broken GET or POST is sent again after each pause, with the same key, and a DELETE is not', async () => {
  const keys: unknown[] = [];
  const server = await startAnswering(({ socket, headers, url }) => {
    expect(url).toBe('/below/api/x');
    keys.push(headers['idempotency-key']);
    socket.destroy();
  });
  await failureOf(server, 'GET', [0, 0]);
  expect(keys.splice(0)).toEqual([undefined, undefined, undefined]);
  await failureOf(server, 'POST', [0, 0]);
  expect(keys.splice(0)).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
  await failureOf(server, 'DELETE', [0, 0]);
  expect(keys).toHaveLength(1);
});

test('what comes with an answer is read, whatever its status; without a body, none is sent', async () => {
  const asked: unknown[] = [];
  const answers: readonly (readonly [status: number, text: string])[] = [
    [200, '{"text":"a\\u0007b\\u2028c","number":1,"list":[true,null]}'],
    [502, '<html>'],
    [204, ''],
  ];
  const server = await startAnswering(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const [status, answer] = answers[asked.length] ?? [500, ''];
    asked.push([request.headers['content-type'], text, request.headers.authorization]);
    response.writeHead(status, { 'X-Told': 'yes' }).end(answer);
  });
  const transport = createHttpTransport(server, { token: 'secret', timeout: 2_000, pauses: [] });
  open.push(transport);
  const call = (body?: object) => transport.call({ method: 'POST', path: '/api/x', ...(body && { body }) });
  const plain = { text: 'a b c', number: 1, list: [true, null] };
  expect(await call({ a: 1 })).toMatchObject({ status: 200, body: plain, headers: { 'x-told': 'yes' } });
  expect(await call()).toMatchObject({ status: 502, body: undefined });
  expect(await call()).toMatchObject({ status: 204, body: undefined });
  const none = [undefined, '', 'Bearer secret'];
  expect(asked).toEqual([['application/json', '{"a":1}', 'Bearer secret'], none, none]);
});

test('a server that is silent is asked once, and a failure names the cause with the code of the system', async () => {
  let count = 0;
  const silent = await startAnswering(() => {
    count += 1;
  });
  const askIn = (server: URL, timeout: number) => {
    const transport = createHttpTransport(server, { token: undefined, timeout, pauses: [0, 0] });
    open.push(transport);
    return transport.call({ method: 'GET', path: '/api/x' }).catch((error) => error);
  };
  expect(await askIn(silent, 200)).toMatchObject({
    code: 'ETIMEDOUT',
    message: expect.stringMatching(/ETIMEDOUT/),
  });
  expect(count).toBe(1);
  expect(await askIn(await startAnswering(cut), 2_000)).toMatchObject({ code: 'ECONNRESET' });
  expect(await askIn(await startAnswering(endless), 2_000)).toMatchObject({
    ...{ code: 'EMSGSIZE', message: expect.stringMatching(/too long/) },
  });
  expect(await askIn(await startAnswering(html), 2_000)).toMatchObject({
    ...{ code: 'EBADMSG', message: expect.stringMatching(/not JSON/) },
  });
  expect(await askIn(new URL('http://127.0.0.1:1'), 2_000)).toMatchObject({
    ...{ code: 'ECONNREFUSED', message: expect.stringMatching(/^no answer from .*ECONNREFUSED/) },
  });
});
