import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Those of the programs that are nowhere in the `PATH`. */
export function findMissing(...programs: string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return programs.filter((program) => !folders.some((folder) => canRun(join(folder, program))));
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface EngineProcess {
  /** What the pattern's group matched in its output; '' without a pattern. */
  readonly said: string;
  stop(): Promise<void>;
}

/** Starts a program; resolves once its output matches the pattern, if there is one, and rejects if it ends before. */
export async function startEngineProcess(
  program: string,
  args: readonly string[],
  pattern: RegExp | undefined,
  env: NodeJS.ProcessEnv,
): Promise<EngineProcess> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const kill = () => child.kill();
  process.once('exit', kill); // a start that fails halfway leaves nothing running
  let output = '';
  const said = await new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    if (pattern === undefined) child.on('spawn', () => resolve(''));
    child.on('close', () => reject(new Error(`${program} ended:\n${output}`)));
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        const [whole, group] = pattern?.exec(output) ?? [];
        if (whole !== undefined) resolve(group ?? '');
      });
    }
  });
  return {
    said,
    async stop() {
      process.off('exit', kill);
      kill();
      await ended;
    },
  };
}

export interface Folder {
  readonly path: string;
  remove(): Promise<void>;
}

/** A new folder for the profile of an engine. */
export async function newProfileFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'typebadge-engine-'));
  // A browser may write its last while it goes.
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
