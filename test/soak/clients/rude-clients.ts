import type { Socket } from 'node:net';
import { between, pause, pick, type World } from '../world.ts';
import { openSocket, readAll } from './exchange.ts';

const host = 'Host: 127.0.0.1\r\n';
/** How long the server waits for headers, with a margin, and for any sign of life; in milliseconds. */
const headersTime = 8000;
const silence = 29_000;
const bigAnswers = ['/demo', '/history', '/content/history.json', '/api/openapi.json'];

/** Each does one rude thing on a connection of its own, and throws where what is owed does not come. */
const acts: Readonly<Record<string, (socket: Socket) => Promise<void>>> = {
  'vanished in a body': vanishInBody,
  'vanished in an answer': vanishInAnswer,
  'read slowly': readSlowly,
  'sent slowly': sendSlowly,
  'stayed halfway (408)': stayHalfway,
  'asked too much at once': askTooMuchAtOnce,
  'sent blank lines': sendBlankLines,
};

export async function runRudeClient(world: World): Promise<void> {
  while (!world.isEnding()) {
    const [kind, act] = pick(Object.entries(acts));
    await world.act(`rude: ${kind}`, async () => {
      const socket = await openSocket(world.port);
      await act(socket).finally(() => socket.resetAndDestroy());
    });
    await pause(between(10, 200));
  }
}

/** What an address of its own is to the limiter. */
const stranger = () => `X-Forwarded-For: 172.16.${between(0, 255)}.${between(1, 254)}\r\n`;

async function vanishInBody(socket: Socket): Promise<void> {
  socket.write(
    `POST /api/sessions HTTP/1.1\r\n${host}${stranger()}Content-Type: application/json\r\nContent-Length: 900\r\n\r\n`,
  );
  socket.write('{"punctuation_mode": ');
  await pause(between(0, 300));
}

async function vanishInAnswer(socket: Socket): Promise<void> {
  const one = `GET ${pick(bigAnswers)} HTTP/1.1\r\n${host}${stranger()}\r\n`;
  socket.write(one.repeat(between(1, 15)));
  await Promise.race([new Promise((resolve) => socket.once('data', resolve)), pause(2000)]);
}

/** Takes nothing for some seconds, then everything. */
async function readSlowly(socket: Socket): Promise<void> {
  const count = 15;
  const head = `GET /api/openapi.json HTTP/1.1\r\n${host}${stranger()}`;
  socket.pause();
  socket.write(`${head}\r\n`.repeat(count - 1));
  socket.write(`${head}Connection: close\r\n\r\n`);
  await pause(between(1000, 6000));
  requireAnswers(await readAll(socket), count);
}

/** Hundreds of requests in one write. */
async function askTooMuchAtOnce(socket: Socket): Promise<void> {
  const count = between(100, 400);
  socket.write(`GET /health HTTP/1.1\r\n${host}\r\n`.repeat(count - 1));
  socket.write(`GET /health HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
  requireAnswers(await readAll(socket), count);
}

/** A connection that makes others wait may be cut, but what comes are answers, in order. */
function requireAnswers(text: string, count: number): void {
  const answers = text.split('HTTP/1.1 200 OK').length - 1;
  const others = text.split('HTTP/1.1 ').length - 1 - answers;
  if (others > 0 || answers > count) throw new Error(`${answers} answers to ${count}, and ${others} errors`);
}

/** Sends a request in pieces, slowly but within the time it has: its answer is owed. */
async function sendSlowly(socket: Socket): Promise<void> {
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
  if (wasInTime && !/^HTTP\/1.1 404.*SESSION_NOT_FOUND/s.test(answer)) throw unexpected(answer);
}

/** Never ends its headers: 408 is owed, and the end of the connection. */
async function stayHalfway(socket: Socket): Promise<void> {
  socket.write(`GET /health HTTP/1.1\r\n${host}X-Half: `);
  const start = performance.now();
  const answer = await readAll(socket);
  // A silence of half a minute ends a connection without a word: no client comes to that unless the machine stood still.
  const stoodStill = answer === '' && performance.now() - start > silence;
  if (!stoodStill && !answer.startsWith('HTTP/1.1 408')) throw unexpected(answer);
}

/** Blank lines form no request: the connection is closed all the same. */
async function sendBlankLines(socket: Socket): Promise<void> {
  const timer = setInterval(() => socket.write('\r\n'), 1_000);
  const start = performance.now();
  const answer = await readAll(socket);
  clearInterval(timer);
  if (performance.now() - start > silence) throw new Error('the connection stayed open');
  if (answer !== '' && !answer.startsWith('HTTP/1.1 408')) throw unexpected(answer);
}

function unexpected(answer: string): Error {
  return new Error(`it got ${JSON.stringify(answer.slice(0, 60))}`);
}
