import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type * as wire from '../../../src/contract/answer-types.ts';
import { planTyping } from '../../support/typing-plan.ts';
import { between, pause, pick, type World } from '../world.ts';
import { type Answer, openSocket, type Question } from './exchange.ts';
import { headersOf, newKey, type Player } from './player.ts';

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
  const attacker = { address: `203.0.113.${1 + number}`, key: newKey() };
  while (!world.isEnding()) {
    await attack(world, attacker);
    await pause(between(10, 50));
  }
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
  for (let at = 0; at < events.length && !world.isEnding(); at += largestBatch)
    await insist(`/sessions/${id}/input`, batch(at));
  for (let repeats = between(500, 2000); repeats > 0 && !world.isEnding(); repeats--) {
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
    id: randomUUID(),
    words,
    mode: { type: 'text' },
    events: planTyping(words),
    start_time_unix_ms: start,
    end_time_unix_ms: start + hostileDuration,
    duration_ms: hostileDuration,
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
function readNothing(world: World, attacker: Player): Promise<void> {
  const headers = Object.entries(headersOf(attacker)).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers.join('')}\r\n`;
  return world.act('attack: 50 connections that read nothing', () =>
    holding(world, 50, (socket) => {
      socket.pause();
      socket.write(head(pick(['/api/openapi.json', '/js/typebadge-inject.min.js'])).repeat(50));
    }),
  );
}

/** Connections that say nothing, or nothing that becomes a request. */
function holdConnections(world: World): Promise<void> {
  return world.act('attack: 200 connections without a request', () =>
    holding(world, 200, (socket) => socket.write(pick(['', '\r\n', 'GET /', 'X']))),
  );
}

async function holding(world: World, count: number, use: (socket: Socket) => void): Promise<void> {
  const sockets: Socket[] = [];
  try {
    for (let made = 0; made < count; made++) {
      const socket = await openSocket(world.port);
      sockets.push(socket);
      use(socket);
    }
    await pause(between(500, 5000));
  } finally {
    for (const socket of sockets) socket.resetAndDestroy();
  }
}
