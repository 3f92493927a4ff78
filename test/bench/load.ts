import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface LoadOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly connections: number;
  /** As many clients behind one proxy, told apart by `X-Forwarded-For`. Default: none is named. wrk only. */
  readonly clients?: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** All answers. */
  readonly count: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers other than 2xx and 3xx, and broken connections. */
  readonly errors: number;
}

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** wrk is written in C and leaves its core to the server's answers; autocannon stands in where it is not installed. */
export const generator = has('wrk') ? 'wrk' : 'autocannon';

const canPin = has('taskset');

/** The words before a command that keep it on one core: servers on 0, load on 1. */
export function onCore(core: number): readonly string[] {
  return canPin ? ['taskset', '-c', String(core)] : [];
}

export function load(options: LoadOptions): Promise<LoadResult> {
  return generator === 'wrk' ? loadByWrk(options) : loadByAutocannon(options);
}

async function loadByWrk({
  url,
  headers = {},
  seconds,
  connections,
  clients,
}: LoadOptions): Promise<LoadResult> {
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const script =
    clients === undefined ? [] : ['-s', fileURLToPath(new URL('forwarded.lua', import.meta.url))];
  const counts = clients === undefined ? [] : ['--', String(clients)];
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...flags, ...script, url, ...counts];
  const [command = 'wrk', ...rest] = [...onCore(1), 'wrk', ...args];
  const { stdout } = await run(command, rest);
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0);
  const latency = (share: string) => {
    const [, amount, unit] = new RegExp(`${share}%\\s+([\\d.]+)(us|ms|s)`).exec(stdout) ?? [];
    return Number(amount) * ({ us: 0.001, ms: 1, s: 1000 }[unit as 'ms'] ?? Number.NaN);
  };
  const socketErrors = [...(/Socket errors:(.*)/.exec(stdout)?.[1] ?? '').matchAll(/\d+/g)].map(Number);
  return {
    count: number(/(\d+) requests in/),
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50: latency('50'),
    p99: latency('99'),
    errors: number(/Non-2xx or 3xx responses: (\d+)/) + socketErrors.reduce((sum, count) => sum + count, 0),
  };
}

async function loadByAutocannon({
  url,
  headers = {},
  seconds,
  connections,
}: LoadOptions): Promise<LoadResult> {
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const program = new URL('./node_modules/autocannon/autocannon.js', import.meta.url).pathname;
  const args = [
    process.execPath,
    program,
    '-j',
    '-c',
    String(connections),
    '-d',
    String(seconds),
    ...flags,
    url,
  ];
  const [command = '', ...rest] = [...onCore(1), ...args];
  const { stdout } = await run(command, rest, { maxBuffer: 1 << 24 });
  const { requests, latency, errors, non2xx, '3xx': redirects = 0 } = JSON.parse(stdout);
  return {
    count: requests.total,
    perSecond: requests.average,
    p50: latency.p50,
    p99: latency.p99,
    errors: errors + non2xx - redirects,
  };
}
