// A load of typists, as a program of its own so that it has a core of its own. Arguments: addresses with commas between
// them, seconds, typists, events a request (1: one request a key), whether the sessions are real, and whether a typist stays
// with one address ("sticky") or asks them in turn ("in turn"), processes whose time counts. Prints one line of JSON: keys a
// second, the latencies of requests, and what the keys cost those processes.
import { connect } from 'node:net';
import type { InputEvent } from '../../src/contract/request-types.ts';
import { createTypingClient, flawless } from '../support/typing-client.ts';
import { readProcessorTime } from './serving.ts';
import { quantile } from './statistics.ts';

export interface TypingLoadResult {
  readonly keysPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers other than 200. */
  readonly errors: number;
  /** Microseconds of processor time a key, of each process that was named. */
  readonly costs: readonly number[];
}

const [urls = '', seconds = '3', typists = '32', batch = '1', isReal = 'real', way = 'sticky', pids = ''] =
  process.argv.slice(2);
const ports = urls.split(',').map((url) => Number(new URL(url).port));
const [port = 0] = ports;
const batchSize = Number(batch);

/** A round that is ready to be typed, as the bytes of its requests. */
interface PreparedRound {
  readonly requests: readonly Buffer[];
  readonly keys: readonly number[];
}

const rounds: PreparedRound[] = [];
const words = ['about', 'house', 'green', 'water', 'light', 'world'];
const client = createTypingClient(port);
for (let made = 0; made < Math.ceil(Number(seconds) * 350); made++) {
  const id = isReal === 'real' ? await client.createSession() : made.toString(16).padStart(32, '0');
  const own =
    isReal === 'real' ? (await client.startRound(id)).words : Array.from({ length: 5 }, () => words).flat();
  rounds.push(toRequests(id, flawless(own)));
}

function toRequests(id: string, events: readonly InputEvent[]): PreparedRound {
  const requests: Buffer[] = [];
  const keys: number[] = [];
  for (let at = 0; at < events.length; at += batchSize) {
    const some = events.slice(at, at + batchSize);
    const { type, ...body } = some[0] as InputEvent;
    requests.push(batchSize === 1 ? toRequest(id, type, body) : toRequest(id, 'input', { events: some }));
    keys.push(some.length);
  }
  return { requests, keys };
}

function toRequest(id: string, name: string, value: unknown): Buffer {
  const body = JSON.stringify(value);
  const head = [
    `POST /api/sessions/${id}/${name} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const readTimes = () =>
  pids
    .split(',')
    .filter(Boolean)
    .map((pid) => readProcessorTime(Number(pid)));
const latencies: number[] = [];
let keys = 0;
let errors = 0;
process.kill(Number(pids), 'SIGUSR2');
await new Promise((r) => setTimeout(r, 500));
const timesBefore = readTimes();
const start = performance.now();
const end = start + Number(seconds) * 1000;
await Promise.all(Array.from({ length: Number(typists) }, (_, at) => type(at)));
process.kill(Number(pids), 'SIGUSR2');
const elapsed = (performance.now() - start) / 1000;
const result: TypingLoadResult = {
  keysPerSecond: keys / elapsed,
  p50: quantile(latencies, 0.5),
  p99: quantile(latencies, 0.99),
  errors,
  costs: readTimes().map((time, at) => (time - (timesBefore[at] ?? 0)) / keys),
};
console.log(JSON.stringify(result));

/** One typist: sends the next key when the last one is answered, over one connection to each server that is asked. */
function type(typist: number): Promise<void> {
  return new Promise((resolve) => {
    const asked = way === 'sticky' ? [ports[typist % ports.length] as number] : ports;
    let round = rounds.pop();
    let at = 0;
    let turn = typist;
    let sentAt = 0;
    let connected = 0;
    const sockets = asked.map((each) => connect(each, '127.0.0.1').setNoDelay(true));
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
      if (answer[9] !== 0x32) errors++;
      at++;
      if (at === round?.requests.length) {
        round = rounds.pop();
        at = 0;
      }
      send();
    };
    for (const socket of sockets) {
      socket.on('data', take);
      socket.on('connect', () => {
        connected++;
        if (connected === sockets.length) send();
      });
    }
  });
}
