import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onCore } from './load.ts';

export interface Serving {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a program of this folder on core 0; it prints its address as its first line. */
export async function serve(file: string, args: readonly string[] = []): Promise<Serving> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const [command = '', ...rest] = [...onCore(0), process.execPath, '--import', 'tsx', path, ...args];
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: line.toString().trim(), stop: () => stop(child) };
}

export async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
