import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export type ScriptProcess = ChildProcessByStdio<null, Readable, Readable>;

export interface BundledScript {
  start(...args: string[]): ScriptProcess;
  /** Starts it behind a command, such as `unshare` with its options. */
  startBehind(command: readonly string[], ...args: string[]): ScriptProcess;
  /** Starts it in a shell that first sets a limit, such as `ulimit -f 40` (size of files in KiB). */
  startUnder(limit: string, ...args: string[]): ScriptProcess;
  remove(): Promise<void>;
}

/** Bundles a script beside the tests, once, so that starting it costs no more than starting Node. */
export async function bundleScript(script: URL): Promise<BundledScript> {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-script-'));
  const outfile = join(dir, 'script.mjs');
  await build({
    entryPoints: [fileURLToPath(script)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
  });
  const spawnIt = (command: string, args: string[]) =>
    spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  return {
    start: (...args) => spawnIt(process.execPath, [outfile, ...args]),
    startBehind: ([program = '', ...rest], ...args) =>
      spawnIt(program, [...rest, process.execPath, outfile, ...args]),
    remove: () => rm(dir, { recursive: true }),
    startUnder: (limit, ...args) =>
      spawnIt('bash', ['-c', `${limit} && exec "$0" "$@"`, process.execPath, outfile, ...args]),
  };
}

/** Everything that a process wrote, once it has ended. */
export async function finished(
  child: ScriptProcess,
): Promise<{ out: string; err: string; code: number | null }> {
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { out, err, code };
}

/** The same, of a process that is killed up to so many milliseconds after it has written up to so many lines. */
export function killed(
  child: ScriptProcess,
  maxLines: number,
  maxDelay: number,
): ReturnType<typeof finished> {
  const whole = finished(child);
  const lines = 1 + Math.floor(Math.random() * maxLines);
  let seen = 0;
  child.stdout.on('data', (text: string) => {
    seen += text.split('\n').length - 1;
    if (seen < lines || child.killed) return;
    const end = performance.now() + Math.random() * maxDelay;
    while (performance.now() < end); // finer than a timer
    child.kill('SIGKILL');
  });
  return whole;
}
