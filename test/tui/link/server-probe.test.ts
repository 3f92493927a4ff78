import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { probeServer } from '../../../src/tui/link/http-transport.ts';
import { startTestServer } from '../../support/test-server.ts';

const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function listen(server: Server): Promise<URL> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

describe('the probe', () => {
  test('recognises a typebadge server', async () => {
    const server = await startTestServer();
    open.push(server);
    expect(await probeServer(new URL(server.url), 5000)).toEqual({ kind: 'typebadge' });
  });

  test('recognises that nothing is listening', async () => {
    const url = await listen(createServer());
    open.pop()?.close();
    expect(await probeServer(url, 5000)).toEqual({
      kind: 'nobody',
      reason: 'ECONNREFUSED',
      code: 'ECONNREFUSED',
    });
  });

  test.each([
    ['another web server', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK', 'version v1'],
    [
      'a redirect to another server',
      'HTTP/1.1 308 Moved\r\nLocation: https://badge.example.org/typing/api/health\r\nContent-Length: 0\r\n\r\n',
      'it redirects to https://badge.example.org/typing',
    ],
    ['something that does not speak HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'HTTP'],
  ])('recognises %s', async (_, answer, reason) => {
    const url = await listen(createServer((socket) => socket.once('data', () => socket.end(answer))));
    const finding = await probeServer(url, 5000);
    expect(finding).toMatchObject({ kind: 'other', reason: expect.stringContaining(reason) });
  });

  test('neither waits for a silent server nor reads an endless answer', async () => {
    const silent = await listen(createServer(() => {}));
    expect(await probeServer(silent, 100)).toMatchObject({
      kind: 'other',
      reason: 'it did not answer in time',
    });
    const leaving = new AbortController();
    const search = probeServer(silent, 600_000, leaving.signal);
    leaving.abort();
    expect((await search).kind).not.toBe('typebadge');
    const endless = await listen(
      createHttpServer((_, response) => {
        response.setHeader('API-Version', 'v1');
        const write = () => {
          while (!response.destroyed && response.write('x'.repeat(5000)));
          response.once('drain', write);
        };
        write();
      }),
    );
    expect(await probeServer(endless, 20_000)).toMatchObject({ kind: 'other' });
  });
});
