import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Report, toTable } from './report.ts';
import { type Serving, serve } from './serving.ts';
import { quantile } from './statistics.ts';

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

const peers = { typebadge: './peers/typebadge-typing.ts', Fastify: './peers/fastify-attacked.ts' } as const;

/**
 * Attacks us and Fastify with its defaults, each with 256 MB of heap. Attackers come from this machine, which the caps per client
 * exempt: this is what reaches node:http when no proxy is in front.
 *
 * @param only part of the names of the attacks to run
 */
export async function benchAttacks(asks: number, only = ''): Promise<Report> {
  const calm = await effectsOf(attacks.nobody, asks);
  const rows: string[][] = [];
  let worse = 0;
  for (const [name, attack] of Object.entries(attacks)) {
    if (!name.includes(only)) continue;
    const effects = attack === attacks.nobody ? calm : await effectsOf(attack, asks);
    const verdict = worseFigures(effects, calm).join(', ');
    if (verdict !== '') worse += 1;
    rows.push([name, ...effects.flatMap(figures), verdict || 'nothing']);
    console.error(rows.at(-1)?.join(' | '));
  }
  const header = ['p50 ms', 'p99 ms', 'lost', 'MB'];
  const both = Object.keys(peers).flatMap((peer) => header.map((figure) => `${peer} ${figure}`));
  return {
    text: toTable(['attack', ...both, 'worse for us'], rows),
    aims: [{ what: 'attacks that do worse to us in any figure', value: worse, unit: '', atMost: 0 }],
  };
}

type Effects = readonly [ours: Effect, theirs: Effect];

/** Strictly, without a margin for noise. Memory is what the attack adds: at rest, the servers differ. */
function worseFigures([ours, theirs]: Effects, [ourCalm, theirCalm]: Effects): string[] {
  if (ours.memory === 0 && theirs.memory !== 0) return ['it ends'];
  const isWorse = {
    lost: ours.lost > theirs.lost,
    p99: ours.lost === theirs.lost && ours.p99 > theirs.p99,
    memory: theirs.memory !== 0 && ours.memory - ourCalm.memory > theirs.memory - theirCalm.memory,
  };
  return Object.entries(isWorse).flatMap(([figure, is]) => (is ? [figure] : []));
}

function figures({ p50, p99, lost, memory }: Effect): string[] {
  return [p50.toFixed(1), p99.toFixed(1), String(lost), memory === 0 ? 'ended' : memory.toFixed(0)];
}

async function effectsOf(attack: Attack, asks: number): Promise<Effects> {
  return [await effectOf(attack, peers.typebadge, asks), await effectOf(attack, peers.Fastify, asks)];
}

/** Kills the server at the end, which may be too busy to hear a signal. */
async function effectOf(attack: Attack, peer: string, asks: number): Promise<Effect> {
  const data = await mkdtemp(join(tmpdir(), 'typebadge-attacks-'));
  const server = await serve(peer, [data], { NODE_OPTIONS: '--max-old-space-size=256' });
  const sockets = await attack(server);
  const times: number[] = [];
  const end = Date.now() + 6_000;
  for (let asked = 0; asked < asks && Date.now() < end; asked += 1) times.push(await askHealth(server));
  const memory = peakOf(server);
  await server.stop('SIGKILL');
  for (const socket of sockets) socket.destroy();
  await rm(data, { recursive: true, force: true });
  const answered = times.filter(Number.isFinite);
  const lost = times.length - answered.length;
  return { p50: quantile(answered, 0.5), p99: quantile(answered, 0.99), lost, memory };
}

function peakOf({ pid }: Serving): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

async function askHealth({ url }: Serving): Promise<number> {
  const start = performance.now();
  try {
    const answer = await fetch(`${url}/health`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(5_000),
    });
    await answer.text();
    return performance.now() - start;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Begins an attack, and resolves to its connections once most of it is on its way. */
type Attack = (server: Serving) => Promise<readonly Socket[]>;

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const attacks = {
  nobody: async (): Promise<Socket[]> => [],
  '10,000 idle connections': (server: Serving) => crowd(server, 10_000, ''),
  '2,000 connections with 64 KiB of tiny requests each': (server: Serving) =>
    crowd(server, 2_000, get('/health').repeat((64 * 1024) / get('/health').length)),
  '5,000 heads that never end': (server: Serving) =>
    crowd(server, 5_000, `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(7_000)}`),
  'unfinished chunked bodies on 5,000 connections': (server: Serving) =>
    crowd(
      server,
      5_000,
      `POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nea60\r\n${' '.repeat(60_000)}\r\n`,
    ),
  '200 lists in one write': async (server: Serving) => {
    for (let made = 0; made < 1_000; made += 1) await fetch(`${server.url}/api/sessions`, { method: 'POST' });
    return crowd(server, 1, get('/api/sessions').repeat(200));
  },
  '100 connections that repeat one seq 500 times in each of 20 batches': async (server: Serving) => {
    const created = await fetch(`${server.url}/api/sessions`, { method: 'POST' });
    const { session_id: id } = (await created.json()) as { session_id: string };
    await fetch(`${server.url}/api/sessions/${id}/round`, { method: 'POST' });
    const events = Array(500).fill({ type: 'keystroke', char: 'a', seek_time_ms: 100, seq: 1 });
    return crowd(server, 100, post(`/api/sessions/${id}/input`, JSON.stringify({ events })).repeat(20));
  },
  '50 uploads at once': (server: Serving) => crowd(server, 50, post('/api/rounds', upload)),
  '500 upgrades with 500 further requests each': (server: Serving) =>
    crowd(
      server,
      500,
      get('/health', 'Connection: Upgrade\r\nUpgrade: websocket\r\n') + get('/health').repeat(500),
    ),
  '200 connections that request 500 long answers each and read nothing': (server: Serving) =>
    crowd(server, 200, get('/api/layouts').repeat(500)),
} satisfies Readonly<Record<string, Attack>>;

const upload = JSON.stringify({
  id: '9b2c1b1e-3a5c-4f0e-9a3e-1b2c3d4e5f60',
  words: Array(3_000).fill('hello'),
  events: Array(9_000).fill({ type: 'keystroke', char: 'h', seek_time_ms: 119 }),
  start_time_unix_ms: 1,
  end_time_unix_ms: 600_001,
  duration_ms: 600_000,
});

/** Opens connections that write this and never read. */
async function crowd({ url }: Serving, count: number, text: string): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  for (let opened = 0; opened < count; opened += 1) {
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => {});
    if (text !== '') socket.write(text);
    sockets.push(socket);
    if (opened % 250 === 249) await sleep(10);
  }
  await sleep(500);
  return sockets;
}
