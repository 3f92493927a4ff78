import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onCore } from './load.ts';

export interface Serving {
  readonly url: string;
  readonly pid: number;
  /** Default: SIGTERM. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a program of this folder on core 0; it prints its address as its first line. */
export async function serve(
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const { child, line } = await startOnCore(file, args, env);
  return { url: line, pid: child.pid ?? 0, stop: (signal) => stop(child, signal) };
}

/** Runs a program of this folder on core 0 to its end; it prints one number. */
export async function measureAlone(file: string, args: readonly string[] = []): Promise<number> {
  const { child, line } = await startOnCore(file, args);
  await stop(child);
  return Number(line);
}

async function startOnCore(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ child: ChildProcess; line: string }> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const loader = new URL('typescript-loader.mjs', import.meta.url).href;
  const [command = '', ...rest] = [...onCore(0), process.execPath, '--import', loader, path, ...args];
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', ...env },
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, line: line.toString().trim() };
}

export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  child.kill(signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Resident bytes of a process and its children; NaN where there is no `ps`. */
export function readMemory(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid), '--ppid', String(pid)]);
  return stdout === null
    ? Number.NaN
    : stdout
        .toString()
        .split('\n')
        .reduce((sum, line) => sum + Number(line), 0) * 1024;
}

/**
 * Microseconds of processor time that a process and its children have used; NaN where there is no /proc. On a busy machine it
 * says more than a rate.
 */
export function readProcessorTime(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    const own = readTicks(pid) * microsecondsOfTick;
    return children.reduce((sum, child) => sum + readProcessorTime(Number(child)), own);
  } catch {
    return Number.NaN;
  }
}

/** Linux counts in hundredths of a second towards programs, whatever its own clock does. */
const microsecondsOfTick = 10_000;

/** User and system time: fields 14 and 15, of which the name in parentheses may hold spaces. */
function readTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
