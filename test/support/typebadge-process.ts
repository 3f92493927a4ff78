import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../src/kit/package-files.ts';
import { until } from './until.ts';

export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
  /** Put before the command, such as `setpriv` with its options. */
  readonly under?: readonly string[];
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly port: number;
  readonly finished: Promise<Finished>;
  /** Resolves once it has written this, to either stream. */
  said(pattern: RegExp): Promise<void>;
}

/** Runs the built command line to its end, as a user's shell would. */
export function runTypebadge(args: readonly string[], options: ProcessOptions = {}): Promise<Finished> {
  return start(args, options).finished;
}

/** Starts `typebadge serve` on a free port and resolves once it says where it listens. */
export async function startServeProcess(
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<RunningProcess> {
  const { child, finished, said } = start(['serve', '--port', '0', '--log', 'json', ...args], options);
  const url = await Promise.race([
    listeningUrl(child),
    finished.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  return { child, finished, said, url, port: Number(new URL(url).port) };
}

function start(args: readonly string[], { env = {}, cwd, input, under = [] }: ProcessOptions) {
  assertFresh();
  const [program = '', ...rest] = [...under, process.execPath, packageFile('bin', 'typebadge.js'), ...args];
  const child = spawn(program, rest, {
    // Commands ask the server at that port whether it shows a change; a test must not meet a stranger there.
    env: { ...process.env, NO_COLOR: '1', TYPEBADGE_PORT: '1', ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  child.stdin.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const finished = once(child, 'close').then(
    ([code, signal]): Finished => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      stdout,
      stderr,
    }),
  );
  const said = (pattern: RegExp) => until(() => pattern.test(stdout + stderr));
  return { child, finished, said };
}

let isFresh = false;

/** Throws if a source file is newer than the program built from it, which is what tests start. */
function assertFresh(): void {
  // Mutants are in the sources alone.
  if (isFresh || process.env.TYPEBADGE_MUTANT_TESTS !== undefined) return;
  const timeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const built = timeOf(packageFile('dist', 'main.js'));
  const source = packageFile('src');
  const newer = readdirSync(source, { recursive: true, encoding: 'utf8' }).find(
    (name) => /\.tsx?$/.test(name) && timeOf(join(source, name)) > built,
  );
  if (newer !== undefined) throw new Error(`dist is older than src/${newer}: run node build.mjs first.`);
  isFresh = true;
}

/** The start message names the address first, whatever its format. */
function listeningUrl({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const look = (chunk: string) => {
      text += chunk;
      const url = /http:\/\/[^\s"/]+:\d+(?=["\s])/.exec(text)?.[0];
      if (url === undefined) return;
      stdout?.off('data', look);
      resolve(url);
    };
    stdout?.on('data', look);
  });
}
