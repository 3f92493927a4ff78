import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type * as wire from '../../src/contract/answer-types.ts';
import { planTyping } from '../support/typing-plan.ts';
import { headersOf, newKey, type Player } from './player.ts';
import { type Answer, between, pick, type Question, type World } from './world.ts';

const host = 'Host: 127.0.0.1\r\n';
const bigAnswers = ['/demo', '/history', '/content/history.json', '/api/openapi.json'];

/** An address of its own to the limiter. */
const stranger = () => `X-Forwarded-For: 172.16.${between(0, 255)}.${between(1, 254)}\r\n`;
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${host}${stranger()}${more}\r\n`;

/** Each does one rude thing on a connection of its own, and throws where what is owed does not come. */
const rudeActs: Readonly<Record<string, (socket: Socket) => Promise<unknown>>> = {
  'vanished in a body': (socket) => {
    const head = `POST /api/sessions HTTP/1.1\r\n${host}${stranger()}Content-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: 900\r\n\r\n{"punctuation_mode": `);
    return pause(between(0, 300));
  },
  'vanished in an answer': (socket) => {
    socket.write(get(pick(bigAnswers)).repeat(between(1, 15)));
    return Promise.race([once(socket, 'data'), pause(2000)]);
  },
  'read slowly': async (socket) => {
    socket.pause();
    socket.write(get('/api/openapi.json').repeat(14) + get('/api/openapi.json', 'Connection: close\r\n'));
    await pause(between(1000, 6000));
    requireAnswers(await readAll(socket), 15);
  },
  'asked too much at once': async (socket) => {
    const count = between(100, 400);
    socket.write(get('/health').repeat(count - 1) + get('/health', 'Connection: close\r\n'));
    requireAnswers(await readAll(socket), count);
  },
  'stayed halfway (408)': async (socket) => {
    socket.write(`GET /health HTTP/1.1\r\n${host}X-Half: `);
    const start = performance.now();
    const answer = await readAll(socket);
    // A silence of half a minute ends a connection without a word: no client comes to that unless the machine stood still.
    const stoodStill = answer === '' && performance.now() - start > 29_000;
    if (!stoodStill && !answer.startsWith('HTTP/1.1 408'))
      throw new Error(`it got ${JSON.stringify(answer.slice(0, 60))}`);
  },
};

export async function runRudeClient(world: World): Promise<void> {
  const [kind, act] = pick(Object.entries(rudeActs));
  await world.act(`rude: ${kind}`, () => holding(world, 1, act));
  await pause(between(0, 500));
}

/** A connection that makes others wait may be cut, but what comes are answers, in order. */
function requireAnswers(text: string, count: number): void {
  const answers = text.split('HTTP/1.1 200 OK').length - 1;
  const others = text.split('HTTP/1.1 ').length - 1 - answers;
  if (others > 0 || answers > count) throw new Error(`${answers} answers to ${count}, and ${others} errors`);
}

/** Everything until the server closes the connection, or half a minute of silence. */
function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setTimeout(30_000, () => socket.destroy());
    socket.on('close', () => resolve(text));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    if (socket.destroyed) resolve(text);
    socket.resume();
  });
}

/** Does this on so many connections, and then resets them. */
async function holding(
  { port }: World,
  count: number,
  use: (socket: Socket) => Promise<unknown> | undefined,
): Promise<void> {
  const sockets: Socket[] = [];
  try {
    for (let made = 0; made < count; made += 1) {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      await once(socket, 'connect');
      socket.on('error', () => {});
      await use(socket);
    }
  } finally {
    for (const socket of sockets) socket.resetAndDestroy();
  }
}

/** One attack, over and over until the server ends. Whatever is answered but not owed is a fault. */
type Attack = (world: World, attacker: Player) => Promise<void>;

export const attacks: readonly Attack[] = [
  repeatBatches,
  uploadRounds,
  inventPlayers,
  readNothing,
  holdConnections,
];

/** With hardly a pause; `number` tells it from others. */
export async function runAttacker(world: World, attack: Attack, number: number): Promise<void> {
  await attack(world, { address: `203.0.113.${1 + number}`, key: newKey() });
  await pause(between(10, 50));
}

/** Asks, and calls every status a fault that is neither owed nor 429. */
async function ask(
  world: World,
  attacker: Player,
  attack: string,
  owed: readonly number[],
  question: Question,
): Promise<Answer> {
  const headers = { ...headersOf(attacker), ...question.headers };
  const answer = await world.ask(`attack: ${attack}`, { ...question, headers });
  if (answer.status !== 429 && !owed.includes(answer.status))
    world.tally.fault(`attack: ${attack}: ${answer.status} ${answer.body.toString().slice(0, 200)}`);
  return answer;
}

function posting(path: string, body: unknown): Question {
  const headers = { 'Content-Type': 'application/json' };
  return { method: 'POST', path: `/api${path}`, headers, body: JSON.stringify(body) };
}

const largestBatch = 500;
/** Long enough for 5,000 inputs. */
const longText = 'seven quick badgers type all night '.repeat(143).trim();

/** Types a round of 5,000 inputs, and then sends batches of it again, over and over. */
async function repeatBatches(world: World, attacker: Player): Promise<void> {
  const insist = async (path: string, body: unknown): Promise<unknown> => {
    for (;;) {
      const answer = await ask(world, attacker, 'preparation', [200, 201], posting(path, body));
      if (answer.status < 300) return JSON.parse(answer.body.toString());
      await pause(1000);
    }
  };
  const opened = await insist('/sessions', { mode: { type: 'text', text: longText } });
  const id = (opened as wire.SessionCreated).session_id;
  const { words } = (await insist(`/sessions/${id}/round`, {})) as wire.Round;
  const events = planTyping(words);
  const batch = (at: number) => ({ events: events.slice(at, at + largestBatch) });
  for (let at = 0; at < events.length; at += largestBatch) await insist(`/sessions/${id}/input`, batch(at));
  for (let repeats = between(500, 2000); repeats > 0; repeats -= 1) {
    const again = batch(between(0, events.length - largestBatch));
    await ask(world, attacker, 'repeated batches', [200], posting(`/sessions/${id}/input`, again));
  }
  const end = { method: 'DELETE', path: `/api/sessions/${id}` };
  await ask(world, attacker, 'repeated batches, end', [204], end);
}

/** The duration of every round that an attacker uploads: it is looked for on no disk. */
export const hostileDuration = 77_777_777;

/** Rounds that were typed elsewhere: whole, twice, and with what does not belong together. */
async function uploadRounds(world: World, attacker: Player): Promise<void> {
  const words = Array.from({ length: between(10, 200) }, () => pick(['badger', 'types', 'all', 'night']));
  const start = 1_700_000_000_000;
  const round = {
    ...{ id: randomUUID(), words, mode: { type: 'text' }, events: planTyping(words) },
    ...{ start_time_unix_ms: start, end_time_unix_ms: start + hostileDuration, duration_ms: hostileDuration },
  };
  const upload = (attack: string, owed: readonly number[], body: unknown) =>
    ask(world, attacker, attack, owed, posting('/rounds', body));
  await upload('uploaded round', [200, 201], round);
  await upload('uploaded round, again', [200, 201], round);
  const unfinished = { ...round, id: randomUUID(), events: round.events.slice(1) };
  await upload('uploaded round, unfinished', [400], unfinished);
}

/** A new player with every request, all from one address. */
async function inventPlayers(world: World, { address }: Player): Promise<void> {
  const invented = () => ({ address, key: newKey() });
  await ask(world, invented(), 'invented player opens', [201], posting('/sessions', {}));
  const path = pick(['/api/rounds?limit=1000', '/api/sessions?limit=1000']);
  await ask(world, invented(), 'invented player lists', [200], { path });
}

/** Asks for much on many connections, and reads nothing. */
function readNothing(world: World): Promise<void> {
  return world.act('attack: 50 connections that read nothing', () =>
    holdingFor(world, 50, (socket) => {
      socket.pause();
      socket.write(get(pick(['/api/openapi.json', '/js/typebadge-inject.min.js'])).repeat(50));
    }),
  );
}

/** Connections that say nothing, or nothing that becomes a request. */
function holdConnections(world: World): Promise<void> {
  return world.act('attack: 200 connections without a request', () =>
    holdingFor(world, 200, (socket) => socket.write(pick(['', '\r\n', 'GET /', 'X']))),
  );
}

/** Does this on so many connections, which stay open for a while. */
function holdingFor(world: World, count: number, use: (socket: Socket) => void): Promise<void> {
  let opened = 0;
  return holding(world, count, async (socket) => {
    use(socket);
    opened += 1;
    if (opened === count) await pause(between(500, 5000));
  });
}
