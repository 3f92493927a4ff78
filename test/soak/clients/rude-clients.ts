import type { Socket } from 'node:net';
import { between, pause, pick, type World } from '../world.ts';
import { openSocket, readAll } from './raw-connection.ts';

const host = 'Host: 127.0.0.1\r\n';
/** How long the server waits for headers, with a margin, and for any sign of life; in milliseconds. */
const headersTime = 8000;
const silence = 29_000;
const bigAnswers = ['/demo', '/history', '/content/history.json', '/api/openapi.json'];

const acts = [
  ...[vanishInBody, vanishInAnswer, readSlowly, sendSlowly, stayHalfway, sayNothing],
  ...[askTooMuchAtOnce, sendBlankLines, askAndNeverRead, askForAnotherProtocol],
];

/** Does one rude thing after the other, each on a connection of its own. */
export async function runRudeClient(world: World): Promise<void> {
  while (!world.isEnding()) {
    const act = pick(acts);
    await world.during(() => act(world).catch((error: Error) => fault(world, error.message)));
    await pause(between(10, 200));
  }
}

function fault(world: World, what: string): void {
  if (!world.mayRefuse()) world.tally.fault(what);
}

/** What an address of its own is to the limiter. */
const stranger = () => `X-Forwarded-For: 172.16.${between(0, 255)}.${between(1, 254)}\r\n`;

async function vanishInBody(world: World): Promise<void> {
  const socket = await openSocket(world);
  socket.write(
    `POST /api/sessions HTTP/1.1\r\n${host}${stranger()}Content-Type: application/json\r\nContent-Length: 900\r\n\r\n`,
  );
  socket.write('{"punctuation_mode": ');
  await pause(between(0, 300));
  vanish(world, socket, 'vanished in a body');
}

async function vanishInAnswer(world: World): Promise<void> {
  const socket = await openSocket(world);
  const one = `GET ${pick(bigAnswers)} HTTP/1.1\r\n${host}${stranger()}\r\n`;
  socket.write(one.repeat(between(1, 15)));
  await Promise.race([new Promise((resolve) => socket.once('data', resolve)), pause(2000)]);
  vanish(world, socket, 'vanished in an answer');
}

/** Takes nothing for some seconds, then everything: all answers are owed, unless others wait for too much at the same time. */
async function readSlowly(world: World): Promise<void> {
  const count = 15;
  const socket = await openSocket(world);
  const head = `GET /api/openapi.json HTTP/1.1\r\n${host}${stranger()}`;
  socket.pause();
  socket.write(`${head}\r\n`.repeat(count - 1));
  socket.write(`${head}Connection: close\r\n\r\n`);
  await pause(between(1000, 6000));
  expectAnswers(world, 'read slowly', await readAll(socket), count);
}

/** While hostile clients fill what is shared by all that waits, a connection that makes others wait may be cut. */
function expectAnswers(world: World, what: string, text: string, count: number): void {
  const answers = text.split('HTTP/1.1 200 OK').length - 1;
  const others = text.split('HTTP/1.1 ').length - 1 - answers;
  const mayBeCut = world.phase() === '';
  if (others > 0 || (answers < count && !mayBeCut))
    fault(world, `${what}: ${answers} answers to ${count} requests, and ${others} errors`);
  world.tally.record(answers < count ? `${what}, cut` : what, 0);
}

/** Sends a request in pieces, slowly but within the time it has: its answer is owed. */
async function sendSlowly(world: World): Promise<void> {
  const socket = await openSocket(world);
  const start = performance.now();
  const body = '{"char":"a","seek_time_ms":120}';
  const path = '/api/sessions/00000000000000000000000000000000/keystroke';
  const type = 'Content-Type: application/json\r\n';
  const text = `POST ${path} HTTP/1.1\r\n${host}${stranger()}${type}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
  for (let at = 0; at < text.length; at += 16) {
    socket.write(text.slice(at, at + 16));
    await pause(between(50, 300));
  }
  // On a machine so busy that this took longer than it was meant to, being cut off is owed.
  const wasInTime = performance.now() - start < headersTime;
  const answer = await readAll(socket);
  if (wasInTime && !/^HTTP\/1.1 404.*SESSION_NOT_FOUND/s.test(answer))
    fault(world, `a slow sender got ${JSON.stringify(answer.slice(0, 60))}`);
  world.tally.record('sent slowly', 0);
}

/** Never ends its headers: 408 is owed, and the end of the connection. */
async function stayHalfway(world: World): Promise<void> {
  const socket = await openSocket(world);
  socket.write(`GET /health HTTP/1.1\r\n${host}X-Half: `);
  const start = performance.now();
  const answer = await readAll(socket);
  // A silence of half a minute ends a connection without a word: no client comes to that unless the machine stood still.
  const stoodStill = answer === '' && performance.now() - start > silence;
  if (!stoodStill && !answer.startsWith('HTTP/1.1 408'))
    fault(world, `half a request got ${JSON.stringify(answer.slice(0, 60))}`);
  world.tally.record('stayed halfway (408)', 0);
}

/** Hundreds of requests in one write: all answers are owed, in order, unless others do the same. */
async function askTooMuchAtOnce(world: World): Promise<void> {
  const count = between(100, 400);
  const socket = await openSocket(world);
  socket.write(`GET /health HTTP/1.1\r\n${host}\r\n`.repeat(count - 1));
  socket.write(`GET /health HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
  expectAnswers(world, 'asked too much at once', await readAll(socket), count);
}

/** Blank lines form no request: the connection is closed all the same. */
async function sendBlankLines(world: World): Promise<void> {
  const socket = await openSocket(world);
  const timer = setInterval(() => socket.write('\r\n'), 1_000);
  const start = performance.now();
  const answer = await readAll(socket);
  clearInterval(timer);
  if (performance.now() - start > silence) fault(world, 'blank lines kept a connection open');
  if (answer !== '' && !answer.startsWith('HTTP/1.1 408'))
    fault(world, `blank lines got ${JSON.stringify(answer.slice(0, 60))}`);
  world.tally.record('sent blank lines', 0);
}

async function askAndNeverRead(world: World): Promise<void> {
  const socket = await openSocket(world);
  socket.pause();
  socket.write(`GET /api/openapi.json HTTP/1.1\r\n${host}${stranger()}\r\n`.repeat(200));
  await pause(between(1000, 6000));
  vanish(world, socket, 'asked and never read');
}

async function askForAnotherProtocol(world: World): Promise<void> {
  const socket = await openSocket(world);
  const frames = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
  socket.write(`GET /health HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n${frames}`);
  const answer = await readAll(socket);
  if (!/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nOK$/.test(answer))
    fault(world, `an upgrade got ${JSON.stringify(answer.slice(0, 60))}`);
  world.tally.record('asked for another protocol', 0);
}

async function sayNothing(world: World): Promise<void> {
  const socket = await openSocket(world);
  await pause(between(100, 3000));
  vanish(world, socket, 'said nothing');
}

function vanish(world: World, socket: Socket, kind: string): void {
  socket.resetAndDestroy();
  world.tally.record(kind, 0);
}
