import { Readable } from 'node:stream';
import { runCommandLine } from '../../src/cli/command-line.ts';

export interface HereOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What standard input has; it is a pipe. */
  readonly input?: string;
}

export interface Done {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line in the process of the test, which takes milliseconds where a process of its own takes half a second. Commands
 * read the environment and the folder of their process: so they take turns, and each finds its own.
 */
export function runHere(args: readonly string[], options: HereOptions = {}): Promise<Done> {
  const done = turn.then(() => runNow(args, options));
  turn = done.catch(() => undefined);
  return done;
}

async function runNow(
  args: readonly string[],
  { env = {}, cwd = process.cwd(), input = '' }: HereOptions,
): Promise<Done> {
  const [ownEnv, ownFolder] = [{ ...process.env }, process.cwd()];
  const written = { out: '', err: '' };
  const stream = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) });
  // Commands ask the server at that port whether it shows a change; a test must not meet a stranger there.
  setEnvironment({ ...ownEnv, NO_COLOR: '1', TYPEBADGE_PORT: '1', ...env });
  process.chdir(cwd);
  try {
    const code = await runCommandLine(args, {
      ...{ in: Readable.from([Buffer.from(input)]), out: stream('out'), err: stream('err') },
      ...{ env: process.env, cwd, now: Date.now },
    });
    return { code, stdout: written.out, stderr: written.err };
  } finally {
    process.chdir(ownFolder);
    setEnvironment(ownEnv);
  }
}

/** Keeps the object: everybody has a reference to it. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) process.env[name] = value;
}
