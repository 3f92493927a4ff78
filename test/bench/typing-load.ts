// A load of typists, as a program of its own so that it has a core of its own. Its argument is a `TypingLoad`; prints a
// `LoadResult` in keys.
import { connect } from 'node:net';
import type { InputEvent } from '../../src/contract/request-types.ts';
import { createTypingClient, flawless } from '../support/typing-client.ts';
import type { LoadResult } from './comparison.ts';
import { quantile } from './report.ts';
import { readProcessorTime } from './serving.ts';

export interface TypingLoad {
  readonly ports: readonly number[];
  /** Whether a typist asks the servers in turn, and does not stay with one. */
  readonly isInTurn: boolean;
  /** Keys in one request. */
  readonly batch: number;
  /** False: the server has no sessions, and takes any. */
  readonly isReal: boolean;
  /** Processes whose time counts. */
  readonly pids: readonly number[];
  readonly seconds: number;
}

/** A round that is ready to be typed, as the bytes of its requests. */
interface PreparedRound {
  readonly requests: readonly Buffer[];
  readonly keys: readonly number[];
}

const { ports, isInTurn, batch, isReal, pids, seconds } = JSON.parse(process.argv[2] ?? '') as TypingLoad;
const typists = 32;
const rounds: PreparedRound[] = [];
const words = ['about', 'house', 'green', 'water', 'light', 'world'];
const client = createTypingClient(ports[0] as number);
for (let made = 0; made < Math.ceil(seconds * 350); made += 1) {
  const id = isReal ? await client.createSession() : made.toString(16).padStart(32, '0');
  const own = isReal ? (await client.startRound(id)).words : Array.from({ length: 5 }, () => words).flat();
  rounds.push(prepare(id, flawless(own)));
}

function prepare(id: string, events: readonly InputEvent[]): PreparedRound {
  const requests: Buffer[] = [];
  const keys: number[] = [];
  for (let at = 0; at < events.length; at += batch) {
    const some = events.slice(at, at + batch);
    const { type, ...body } = some[0] as InputEvent;
    requests.push(batch === 1 ? requestOf(id, type, body) : requestOf(id, 'input', { events: some }));
    keys.push(some.length);
  }
  return { requests, keys };
}

function requestOf(id: string, name: string, value: unknown): Buffer {
  const body = JSON.stringify(value);
  const head = [
    `POST /api/sessions/${id}/${name} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const processorTime = () => pids.reduce((sum, pid) => sum + readProcessorTime(pid), 0);
const latencies: number[] = [];
let keys = 0;
let errors = 0;
const before = processorTime();
const start = performance.now();
const end = start + seconds * 1000;
await Promise.all(Array.from({ length: typists }, (_, at) => type(at)));
const elapsed = (performance.now() - start) / 1000;
const result: LoadResult = {
  perSecond: keys / elapsed,
  p50: quantile(latencies, 0.5),
  p99: quantile(latencies, 0.99),
  errors,
  cost: (processorTime() - before) / keys,
};
console.log(JSON.stringify(result));

/** One typist: sends the next key when the last one is answered, over one connection to each server that is asked. */
function type(typist: number): Promise<void> {
  return new Promise((resolve) => {
    const asked = isInTurn ? ports : [ports[typist % ports.length] as number];
    let round = rounds.pop();
    let at = 0;
    let turn = typist;
    let sentAt = 0;
    let connected = 0;
    const sockets = asked.map((port) => connect(port, '127.0.0.1').setNoDelay(true));
    const send = () => {
      if (round === undefined || performance.now() > end) {
        for (const socket of sockets) socket.destroy();
        resolve();
        return;
      }
      sentAt = performance.now();
      sockets[turn++ % sockets.length]?.write(round.requests[at] as Buffer);
    };
    const take = (answer: Buffer) => {
      latencies.push(performance.now() - sentAt);
      keys += round?.keys[at] ?? 0;
      // "HTTP/1.1 200": the first digit of the status tells.
      if (answer[9] !== 0x32) errors += 1;
      at += 1;
      if (at === round?.requests.length) {
        round = rounds.pop();
        at = 0;
      }
      send();
    };
    for (const socket of sockets) {
      socket.on('data', take);
      socket.on('connect', () => {
        connected += 1;
        if (connected === sockets.length) send();
      });
    }
  });
}
