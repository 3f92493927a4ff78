import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findServer, type ServerRequest } from '../../src/cli/commands/play/find-server.ts';
import { parseServerUrl } from '../../src/cli/desk/server-address.ts';
import { createHttpTransport } from '../../src/contract/http-transport.ts';
import { parseTrustProxy } from '../../src/server/settings/config-parsers.ts';
import { createSessionApi } from '../../src/tui/link/session.ts';
import { defaultOptions } from '../../src/tui/record/options.ts';
import { newState, sessionSetup } from '../../src/tui/state/state.ts';
import { createPlayerClient } from '../support/player-client.ts';
import { createAuthority } from '../support/redis/redis-tls.ts';
import { startTestServer } from '../support/test-server.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const playerKey = 'own-key_'.repeat(4);
const givenKey = 'given-key_'.repeat(3);

async function find(server: URL, wish: Partial<ServerRequest> = {}) {
  const nothing = { port: undefined, data: undefined, isOffline: false, givenKey: undefined };
  const found = await findServer(
    { ...nothing, playerKey: async () => playerKey, server, ...wish },
    AbortSignal.timeout(20_000),
  );
  if (found === undefined) throw new Error('No server was found.');
  return found;
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

test('on a server of another machine, play uses the typist’s player key: nobody else sees the session', async () => {
  const { server, url } = await startExposed();
  const found = await find(url);
  expect(found.key).toBe(playerKey);
  const http = createHttpTransport(found.url, { token: found.key, timeout: 5000, pauses: [] });
  open.push(http);
  const client = createSessionApi(http.call);
  const setup = sessionSetup(newState(defaultOptions));
  await client.newRound(setup);
  const as = (key?: string) =>
    createPlayerClient(() => server.port, key === undefined ? {} : { key }).sessions();
  expect([await as(playerKey), await as(givenKey), await as()]).toEqual([[expect.any(String)], [], []]);
});

test('a key given by the user is used instead, on this machine too', async () => {
  const { url } = await startExposed();
  expect((await find(url, { givenKey })).key).toBe(givenKey);
  const local = await startTestServer();
  open.push(local);
  expect((await find(new URL(local.url), { givenKey })).key).toBe(givenKey);
});

test('no key is sent to a server on this machine, and none is created', async () => {
  const local = await startTestServer();
  open.push(local);
  const playerKey = () => Promise.reject(new Error('a key was made'));
  for (const host of ['127.0.0.1', 'localhost'])
    expect((await find(new URL(`http://${host}:${local.port}`), { playerKey })).key).toBeUndefined();
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

test.runIf(spawnSync('openssl', ['version']).status === 0)(
  'a certificate that nobody trusts ends play: rounds for that server would never be delivered',
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'typebadge-play-tls-'));
    open.push({ close: () => rmSync(dir, { recursive: true, force: true }) });
    const { cert, key } = createAuthority(dir).issue('server', ['DNS:localhost']);
    const secure = createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) });
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    open.push(secure);
    const { port } = secure.address() as AddressInfo;
    const search = find(new URL(`https://localhost:${port}`));
    await expect(search).rejects.toThrow(/issued the certificate of .*NODE_EXTRA_CA_CERTS=.*--offline/);
  },
);

test('a server that does not speak TLS is not waited for either', async () => {
  const local = await startTestServer();
  open.push(local);
  await expect(find(new URL(`https://127.0.0.1:${local.port}`))).rejects.toThrow(
    'it does not speak TLS at that port; check the address',
  );
});

/** The address of a program that does this with each connection. */
async function startStranger(work: (socket: Socket) => void): Promise<URL> {
  const stranger = createTcpServer((socket) => {
    socket.on('error', () => {});
    work(socket);
  });
  open.push(stranger);
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}`);
}

const redirect = 'HTTP/1.1 308 Moved\r\nLocation: https://badge.example.org/\r\nContent-Length: 0\r\n\r\n';
const endless = `HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n${'x'.repeat(9_000_000)}`;

test.each([
  ['another web server', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}', 'it is not typebadge'],
  ['a page', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK', 'something that is not JSON'],
  ['a redirect to another server', redirect, 'it redirects to https://badge.example.org'],
  ['something that does not speak HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'it does not speak HTTP'],
  ['an endless answer', endless, 'is too long'],
])('%s in the place of a server is told before the screen is taken over', async (_, answer, reason) => {
  const url = await startStranger((socket) => socket.once('data', () => socket.end(answer)));
  await expect(find(url)).rejects.toThrow(reason);
});

test('a server that nobody runs is away', async () => {
  const url = await startStranger(() => {});
  await new Promise((resolve) => (open.pop() as Server).close(resolve));
  expect(await find(url)).toMatchObject({ away: `no answer from ${url.origin} (ECONNREFUSED)` });
});

test.each([
  ['localhost:8787', 'http://localhost:8787/'],
  ['127.0.0.1:8787/badge', 'http://127.0.0.1:8787/badge'],
  ['[::1]:8787', 'http://[::1]:8787/'],
  ['badge.example.org', 'https://badge.example.org/'],
  ['badge.example.org:8443', 'https://badge.example.org:8443/'],
  ['localhost.example.org', 'https://localhost.example.org/'],
  ['http://badge.example.org', 'http://badge.example.org/'],
  ['not an address', undefined],
  ['', undefined],
])('the address %s means %s', (text, url) => {
  expect(parseServerUrl(text)?.href).toBe(url);
});
