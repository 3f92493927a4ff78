import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packageFile } from '../../src/kit/package-files.ts';
import { startServeProcess } from '../support/typebadge-process.ts';

export interface Serving {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  stop(): void;
}

const canPin = spawnSync('taskset', ['-V']).status === 0;

/** The words before a command that keep it on one core: servers on 0, load on 1. */
export function onCore(core: number): readonly string[] {
  return canPin ? ['taskset', '-c', String(core)] : [];
}

/** The built server on core 0, with the sample announcements and a data folder. */
export async function serveTypebadge(
  data: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const folders = ['--content', packageFile('content', 'sample'), '--data', data];
  const { child, url } = await startServeProcess([...folders, ...flags], { env, under: onCore(0) });
  return servingOf(child, url);
}

/** A program of this folder on core 0; it prints its address. */
export async function servePeer(
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const [command = '', ...rest] = commandOn(0, file, args);
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...production(), ...env },
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return servingOf(child, String(line).trim());
}

/** A server that ends with the bench at the latest. */
export function servingOf(child: ChildProcess, url: string, signal: NodeJS.Signals = 'SIGKILL'): Serving {
  const stop = () => void child.kill(signal);
  process.once('exit', stop);
  return { url, port: Number(new URL(url).port), pid: child.pid ?? 0, stop };
}

/** Runs a program of this folder to its end; it prints JSON. */
export async function runOnCore<T>(core: number, file: string, args: readonly string[] = []): Promise<T> {
  const [command = '', ...rest] = commandOn(core, file, args);
  const { stdout } = await promisify(execFile)(command, rest, { env: production() });
  return JSON.parse(stdout) as T;
}

function commandOn(core: number, file: string, args: readonly string[]): string[] {
  const loader = new URL('typescript-loader.mjs', import.meta.url).href;
  const path = fileURLToPath(new URL(file, import.meta.url));
  return [...onCore(core), process.execPath, '--import', loader, path, ...args];
}

const production = () => ({ ...process.env, NODE_ENV: 'production' });

/** Resident MB of a process and its children. */
export function readMemory(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid), '--ppid', String(pid)]);
  const sizes = String(stdout).split('\n').map(Number);
  return sizes.reduce((sum, kilobytes) => sum + kilobytes, 0) / 1024;
}

/** Linux counts in hundredths of a second towards programs, whatever its own clock does. */
const microsecondsOfTick = 10_000;

/** Microseconds of processor time of a process and its children. On a busy machine it says more than a rate. */
export function readProcessorTime(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // User and system time: fields 14 and 15, of which the name in parentheses may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const own = (Number(fields[11]) + Number(fields[12])) * microsecondsOfTick;
  return children.reduce((sum, child) => sum + readProcessorTime(Number(child)), own);
}
