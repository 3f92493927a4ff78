import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { packageFile } from '../../src/kit/package-files.ts';

const isRequired = process.env.TYPEBADGE_REQUIRE_DEPLOYMENT === '1';

/** Whether tests with this program can run here. They are left out loudly, or fail where they are required. */
export function canUse(program: string, versionFlag: string): boolean {
  if (spawnSync(program, [versionFlag]).status === 0) return true;
  const reason = `${program} is not installed: the deployment tests with it`;
  if (isRequired) throw new Error(`${reason} are required by TYPEBADGE_REQUIRE_DEPLOYMENT=1.`);
  console.warn(`${reason} are left out.`);
  return false;
}

export interface Daemon {
  stop(): Promise<void>;
}

/** Starts a program that stays in the foreground; resolves once `isReady` says so, rejects with its words if it ends. */
export async function startDaemon(
  command: string,
  args: readonly string[],
  {
    env = process.env,
    isReady,
  }: { readonly env?: NodeJS.ProcessEnv; readonly isReady: () => Promise<boolean> },
): Promise<Daemon> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  let hasEnded = false;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (words += chunk));
  const ended = once(child, 'close').then(() => {
    hasEnded = true;
  });
  while (!(await isReady().catch(() => false))) {
    if (hasEnded) throw new Error(`${command} ended:\n${words}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The settings of an example file, as systemd reads them: one NAME=value a line. */
export async function readExampleSettings(): Promise<Record<string, string>> {
  const text = await readFile(packageFile('deploy', 'typebadge.env'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
