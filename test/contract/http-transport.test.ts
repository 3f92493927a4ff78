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
