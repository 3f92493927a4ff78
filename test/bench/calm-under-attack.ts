import { connect, type Socket } from 'node:net';
import { load } from './load.ts';
import { type Serving, serve } from './serving.ts';
import { quantile } from './statistics.ts';

export interface Calm {
  readonly attack: string;
  /** Milliseconds that another client waits for /health. */
  readonly p50: number;
  readonly p99: number;
}

/** How long another client waits for /health while somebody attacks. */
export async function measureCalm(): Promise<Calm[]> {
  const server = await serve('./peers/typebadge.ts', ['1']);
  const calm: Calm[] = [];
  for (const [attack, begin] of Object.entries(attacks)) {
    const end = begin(server);
    const times: number[] = [];
    for (let asked = 0; asked < 300; asked += 1) times.push(await askHealth(server));
    await end();
    calm.push({ attack, p50: quantile(times, 0.5), p99: quantile(times, 0.99) });
  }
  await server.stop();
  return calm;
}

const attacks: Readonly<Record<string, (server: Serving) => () => Promise<unknown>>> = {
  nobody: () => async () => {},
  'a flood of refused requests': ({ url }) => {
    const flood = load({ url: `${url}/content/announcement.json`, seconds: 3, connections: 64 });
    return () => flood;
  },
  '100 connections that send 200 requests in a write and read nothing': ({ url }) => {
    const text = 'GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(200);
    const sockets = Array.from({ length: 100 }, () => attack(url, text));
    return async () => endAll(sockets);
  },
  '1,000 connections that never end their headers': ({ url }) => {
    const sockets = Array.from({ length: 1_000 }, () => attack(url, 'GET / HTTP/1.1\r\nX: '));
    return async () => endAll(sockets);
  },
};

function endAll(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

function attack(url: string, text: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => {});
  socket.write(text);
  return socket;
}

async function askHealth({ url }: Serving): Promise<number> {
  const start = performance.now();
  await (await fetch(`${url}/health`)).text();
  return performance.now() - start;
}
