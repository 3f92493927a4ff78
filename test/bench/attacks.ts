import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTypingClient } from '../support/typing-client.ts';
import { atMost, quantile, type Report, toTable } from './report.ts';
import { type Serving, servePeer, serveTypebadge } from './serving.ts';

/** What another client notices of an attack on a server. */
interface Effect {
  /** Milliseconds that it waits for `/health`, each time on a connection of its own. */
  readonly p50: number;
  readonly p99: number;
  /** Its requests that got no answer within five seconds. */
  readonly lost: number;
  /** The most memory that the process had, in MB; 0: it ended. */
  readonly memory: number;
}

const heap = { NODE_OPTIONS: '--max-old-space-size=256' };
const data = () => mkdtemp(join(tmpdir(), 'data-'));
const peers = [
  async () => serveTypebadge(await data(), [], heap),
  () => servePeer('peers/fastify-typing.ts', [], heap),
];

/**
 * Attacks us and Fastify with its defaults, each with 256 MB of heap. Attackers come from this machine, which the caps per client
 * exempt: this is what reaches node:http when no proxy is in front.
 *
 * @param seconds how long each attack is watched, from its first byte
 * @param only part of the names of the attacks to run
 */
export async function benchAttacks(seconds: number, only = ''): Promise<Report> {
  const calm = await effectsOf(() => ({ count: 0, text: '' }), seconds);
  const rows = [['nobody', ...calm.flatMap(figures), '']];
  for (const [name, attack] of Object.entries(attacks)) {
    if (!name.includes(only)) continue;
    const effects = await effectsOf(attack, seconds);
    rows.push([name, ...effects.flatMap(figures), worseFigures(effects).join(', ')]);
    console.error(rows.at(-1)?.join(' | '));
  }
  const worse = rows.filter((row) => row.at(-1) !== '').length;
  const both = ['typebadge', 'Fastify'].flatMap((peer) =>
    ['p50 ms', 'p99 ms', 'lost', 'MB'].map((figure) => `${peer} ${figure}`),
  );
  return {
    text: toTable(['attack', ...both, 'worse for us'], rows),
    aims: [atMost('attacks that do worse to us in any figure', worse, 0, '')],
  };
}

/** `/health` of one client while another repeats the inputs of a long round, 500 in a batch, one batch after the other. */
export async function benchRepeats(seconds: number): Promise<Report> {
  const server = await serveTypebadge(await data());
  const hostile = createTypingClient(server.port);
  const id = await hostile.createSession();
  await hostile.startRound(id);
  const events = Array.from({ length: 1_400 }, (_, at) =>
    at % 2 === 0
      ? { type: 'keystroke' as const, char: '#', seq: at + 1 }
      : { type: 'backspace' as const, seq: at + 1 },
  );
  for (let at = 0; at < events.length; at += 500) await hostile.input(id, events.slice(at, at + 500));
  const watch = async () => {
    const times: number[] = [];
    for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(5))
      times.push(await timeHealth(server));
    return times;
  };
  const quiet = await watch();
  let isOver = false;
  const attack = (async () => {
    while (!isOver) await hostile.input(id, events.slice(-500));
  })();
  const attacked = await watch();
  isOver = true;
  await attack;
  server.stop();
  const rowOf = (name: string, times: readonly number[]) => [
    ...[name, quantile(times, 0.5).toFixed(2), quantile(times, 0.99).toFixed(2)],
  ];
  return {
    text: toTable(
      ['/health of another client', 'p50 ms', 'p99 ms'],
      [rowOf('alone', quiet), rowOf('while somebody repeats', attacked)],
    ),
    aims: [atMost('/health while somebody repeats, p99', quantile(attacked, 0.99), 50, 'ms')],
  };
}

type Effects = readonly Effect[];

/** Strictly, without a margin for noise. */
function worseFigures([ours, theirs]: Effects): string[] {
  if (!ours || !theirs) return [];
  if (ours.memory === 0 && theirs.memory !== 0) return ['it ends'];
  const isWorse = {
    lost: ours.lost > theirs.lost,
    p99: ours.lost === theirs.lost && ours.p99 > theirs.p99,
    memory: theirs.memory !== 0 && ours.memory > theirs.memory,
  };
  return Object.entries(isWorse).flatMap(([figure, is]) => (is ? [figure] : []));
}

function figures({ p50, p99, lost, memory }: Effect): string[] {
  return [p50.toFixed(1), p99.toFixed(1), String(lost), memory === 0 ? 'ended' : memory.toFixed(0)];
}

async function effectsOf(attack: Attack, seconds: number): Promise<Effects> {
  const effects: Effect[] = [];
  for (const start of peers) {
    const server = await start();
    const crowd = await attack(server);
    const sockets: Socket[] = [];
    const [waits] = await Promise.all([watch(server, seconds), openCrowd(server, crowd, sockets)]);
    const memory = peakOf(server);
    server.stop();
    for (const socket of sockets) socket.destroy();
    const answered = waits.filter(Number.isFinite);
    const lost = waits.length - answered.length;
    effects.push({ p50: quantile(answered, 0.5), p99: quantile(answered, 0.99), lost, memory });
  }
  return effects;
}

/** Asks for `/health` every 10 ms, whether or not there are answers: a long pause delays all that it meets. */
async function watch(server: Serving, seconds: number): Promise<number[]> {
  const waits: Promise<number>[] = [];
  const start = performance.now();
  for (let at = 0; at < seconds * 100; at += 1) {
    await sleep(Math.max(0, start + at * 10 - performance.now()));
    waits.push(timeHealth(server));
  }
  return Promise.all(waits);
}

function peakOf({ pid }: Serving): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Milliseconds; infinite without an answer. */
async function timeHealth({ url }: Serving): Promise<number> {
  const start = performance.now();
  try {
    const signal = AbortSignal.timeout(5_000);
    const answer = await fetch(`${url}/health`, { headers: { connection: 'close' }, signal });
    await answer.text();
    return performance.now() - start;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Connections that write this and never read. */
interface Crowd {
  readonly count: number;
  readonly text: string | ((at: number) => string);
}

/** Prepares what an attack needs. */
type Attack = (server: Serving) => Crowd | Promise<Crowd>;

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const upgrade = get('/health', 'Connection: Upgrade\r\nUpgrade: websocket\r\n');

const attacks: Readonly<Record<string, Attack>> = {
  '10,000 idle connections': () => ({ count: 10_000, text: '' }),
  '2,000 connections with 64 KiB of tiny requests each': () => ({
    ...{ count: 2_000, text: get('/health').repeat((64 * 1024) / get('/health').length) },
  }),
  '5,000 heads that never end': () => ({
    ...{ count: 5_000, text: `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(7_000)}` },
  }),
  'unfinished chunked bodies on 5,000 connections': () => ({
    count: 5_000,
    text: `POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nea60\r\n${' '.repeat(60_000)}\r\n`,
  }),
  '200 lists in one write': async (server) => {
    const client = createTypingClient(server.port);
    for (let made = 0; made < 1_000; made += 1) await client.createSession();
    return { count: 1, text: get('/api/sessions').repeat(200) };
  },
  '100 connections that repeat one seq 500 times in each of 20 batches': async (server) => {
    const client = createTypingClient(server.port);
    const id = await client.createSession();
    await client.startRound(id);
    const events = Array(500).fill({ type: 'keystroke', char: 'a', seek_time_ms: 100, seq: 1 });
    return { count: 100, text: post(`/api/sessions/${id}/input`, JSON.stringify({ events })).repeat(20) };
  },
  '50 uploads at once': () => ({ count: 50, text: (at) => post('/api/rounds', uploadOf(at)) }),
  '500 upgrades with 500 further requests each': () => ({
    ...{ count: 500, text: upgrade + get('/health').repeat(500) },
  }),
  '200 connections that request 500 long answers each and read nothing': () => ({
    ...{ count: 200, text: get('/api/layouts').repeat(500) },
  }),
};

/** A flawless round of 9,000 keys. */
const uploadOf = (number: number) =>
  JSON.stringify({
    id: `9b2c1b1e-3a5c-4f0e-9a3e-${String(number).padStart(12, '0')}`,
    words: Array(1_500).fill('hello'),
    events: Array(1_500)
      .fill([...'hello'].map((char) => ({ type: 'keystroke', char, seek_time_ms: 100 })))
      .flatMap((word) => [...word, { type: 'space', seek_time_ms: 100 }]),
    start_time_unix_ms: 1,
    end_time_unix_ms: 900_001,
    duration_ms: 900_000,
  });

async function openCrowd({ port }: Serving, { count, text }: Crowd, sockets: Socket[]): Promise<void> {
  // Encoded once: otherwise this process is busy when it should measure.
  const same = typeof text === 'string' ? Buffer.from(text) : undefined;
  while (sockets.length < count) {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => {});
    if (text !== '') socket.write(same ?? (text as (at: number) => string)(sockets.length));
    if (sockets.push(socket) % 250 === 0) await sleep(10);
  }
}
