import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { findServer, type ServerWish } from '../../src/cli/commands/play/find-server.ts';
import { parseTrustProxy } from '../../src/server/settings/config-parsers.ts';
import { createSessionClient } from '../../src/tui/link/session-client.ts';
import { createPlayerClient } from '../support/player-client.ts';
import { startTestServer } from '../support/test-server.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const ownKey = 'own-key_'.repeat(4);
const givenKey = 'given-key_'.repeat(3);

function find(server: URL, wish: Partial<ServerWish> = {}) {
  const nothing = { port: undefined, data: undefined, givenKey: undefined };
  return findServer({ ...nothing, ownKey: async () => ownKey, server, ...wish }, AbortSignal.timeout(20_000));
}

/** A server that strangers can reach. By this address, play takes it for one on another machine. */
async function startExposed() {
  const server = await startTestServer({
    trustProxy: parseTrustProxy('127.0.0.1'),
    allowHost: ['0.0.0.0'],
  });
  open.push(server);
  return { server, url: new URL(`http://0.0.0.0:${server.port}`) };
}

test('on a server of another machine play is the player of its own key: nobody else sees its session', async () => {
  const { server, url } = await startExposed();
  const found = await find(url);
  expect(found.key).toBe(ownKey);
  const client = createSessionClient(found.url, { key: found.key });
  open.push(client);
  const id = await client.createSession({ punctuation: false, isStrict: false });
  await client.startRound(id);
  const as = (key?: string) =>
    createPlayerClient(() => server.port, key === undefined ? {} : { key }).sessions();
  expect([await as(ownKey), await as(givenKey), await as()]).toEqual([[id], [], []]);
});

test('a key given by the user is used instead, on this machine too', async () => {
  const { url } = await startExposed();
  expect((await find(url, { givenKey })).key).toBe(givenKey);
  const local = await startTestServer();
  open.push(local);
  expect((await find(new URL(local.url), { givenKey })).key).toBe(givenKey);
});

test('to a server on this machine no key is sent, and none is made', async () => {
  const local = await startTestServer();
  open.push(local);
  const ownKey = () => Promise.reject(new Error('a key was made'));
  for (const host of ['127.0.0.1', 'localhost'])
    expect((await find(new URL(`http://${host}:${local.port}`), { ownKey })).key).toBeUndefined();
});

test('a password in front of the server is explained before the screen is taken over', async () => {
  const guard: Server = createServer(({ url }, response) => {
    const isHealth = url === '/api/health';
    response.writeHead(isHealth ? 200 : 401, { 'API-Version': 'v1', 'WWW-Authenticate': 'Basic' });
    response.end(
      isHealth ? '{"status":"healthy","active_sessions":0}' : '<h1>401 Authorization Required</h1>',
    );
  });
  await new Promise<void>((resolve) => guard.listen(0, '127.0.0.1', resolve));
  open.push(guard);
  const { port } = guard.address() as AddressInfo;
  await expect(find(new URL(`http://0.0.0.0:${port}`))).rejects.toThrow(
    `the server at http://0.0.0.0:${port}/ does not let you play: it asks for a login that play cannot give (401)`,
  );
});
