import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { headersOf, type Player } from '../clients/player.ts';
import { openSocket, readAll } from '../clients/raw-connection.ts';
import { between, pause, pick, type World } from '../world.ts';
import { askHostilely, posting } from './expect-status.ts';

const sessionsListed = 40;

function headOf(attacker: Player, path: string): string {
  const headers = Object.entries(headersOf(attacker)).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers.join('')}`;
}

/** What never comes to the count of `world.ask`; the connections may be cut at any time. */
function act(world: World, attack: string, work: () => Promise<void>): Promise<void> {
  return world.during(async () => {
    const start = performance.now();
    await work().catch((error: NodeJS.ErrnoException) => {
      if (!world.mayRefuse()) world.tally.fault(`attack: ${attack}: ${error.message}`);
    });
    world.tally.record(`attack: ${attack}`, performance.now() - start);
  });
}

function expectStatuses(world: World, attack: string, text: string, owed: RegExp): void {
  const statuses = text.match(/^HTTP\/1\.1 \d{3}/gm) ?? [];
  for (const status of statuses) if (!owed.test(status)) world.tally.fault(`attack: ${attack}: ${status}`);
}

/** Hundreds of lists in one write. */
export async function pipelineLists(world: World, attacker: Player): Promise<void> {
  for (let opened = 0; opened < sessionsListed && !world.isEnding(); opened++) {
    const opening = { attack: 'preparation', owed: [201], ...posting('/sessions', {}) };
    if ((await askHostilely(world, attacker, opening)).status === 429) break;
  }
  await act(world, '200 lists in one write', async () => {
    const socket = await openSocket(world);
    const head = headOf(attacker, '/api/sessions');
    socket.write(`${head}\r\n`.repeat(199));
    socket.write(`${head}Connection: close\r\n\r\n`);
    expectStatuses(world, 'lists', await readAll(socket), /(?:200|429)$/);
  });
}

/** Asks for much on many connections, and reads nothing. */
export function readNothing(world: World, attacker: Player): Promise<void> {
  return act(world, '50 connections that read nothing', () =>
    holding(world, 50, between(500, 5000), (socket) => {
      socket.pause();
      socket.write(
        `${headOf(attacker, pick(['/api/openapi.json', '/js/typebadge-inject.min.js']))}\r\n`.repeat(50),
      );
    }),
  );
}

/** Bodies that come in chunks of one byte, on many connections. */
export function sendTinyChunks(world: World, attacker: Player): Promise<void> {
  const start = `${headOf(attacker, '/api/sessions').replace('GET', 'POST')}Transfer-Encoding: chunked\r\n\r\n`;
  return act(world, 'bodies in chunks of one byte on 20 connections', () =>
    holding(world, 20, between(500, 2000), (socket) => {
      socket.resume().write(start + '1\r\n \r\n'.repeat(50_000));
    }),
  );
}

/** Connections that say nothing, or nothing that becomes a request. */
export function holdConnections(world: World): Promise<void> {
  return act(world, '200 connections without a request', () =>
    holding(world, 200, between(500, 5000), (socket) => socket.write(pick(['', '\r\n', 'GET /', 'X']))),
  );
}

async function holding(
  world: World,
  count: number,
  milliseconds: number,
  use: (socket: Socket) => void,
): Promise<void> {
  const sockets: Socket[] = [];
  try {
    for (let made = 0; made < count; made++) {
      const socket = await openSocket(world);
      sockets.push(socket);
      use(socket);
    }
    await pause(milliseconds);
  } finally {
    for (const socket of sockets) socket.resetAndDestroy();
  }
}

const tlsHello = Buffer.from('16030100c8010000c40303', 'hex');
const noises = [
  () => randomBytes(between(1, 4000)),
  () => Buffer.concat([tlsHello, randomBytes(200)]),
  () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  () => Buffer.from(`CONNECT evil.example:443 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`),
  () => Buffer.from(`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'y'.repeat(between(10, 40_000))}`),
  () => Buffer.from('POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5, 6\r\n\r\nhello'),
  () => Buffer.from('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n'),
];

/** Bytes that form no request; the end of the connection is owed, with an error or without a word. */
export function sendNoise(world: World): Promise<void> {
  return act(world, 'bytes that form no request', async () => {
    const socket = await openSocket(world);
    socket.write(pick(noises)());
    const start = performance.now();
    expectStatuses(world, 'noise', await readAll(socket), /[45]\d\d$/);
    if (performance.now() - start > 29_000) world.tally.fault('attack: noise kept a connection open');
  });
}
