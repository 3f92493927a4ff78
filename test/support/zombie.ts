import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Put before a command: runs it below a process that never collects its children, as under a careless first process of a
 * container. The shell becomes a program that knows nothing of the child that it got. Linux only.
 */
export const carelessParent = ['sh', '-c', '"$@" & exec sleep 600', 'sh'] as const;

/** A process that was killed, and is in the table for as long as its parent lives. */
export interface Zombie {
  readonly pid: number;
  /** As in a process mark. */
  readonly started: string;
}

/** Kills the only child of a careless parent. */
export async function killChildOf(parent: number | undefined): Promise<Zombie> {
  const pid = await childOf(parent);
  process.kill(pid, 'SIGKILL');
  while (!isZombie(statOf(pid))) await sleep(5);
  return { pid, started: statOf(pid)[19] ?? '' };
}

export async function createZombie(): Promise<Zombie & { end(): void }> {
  const [shell, ...args] = [...carelessParent, 'sleep', '601'];
  const parent = spawn(shell, args, { stdio: 'ignore' });
  return { ...(await killChildOf(parent.pid)), end: () => parent.kill() };
}

async function childOf(parent: number | undefined): Promise<number> {
  for (;;) {
    const { stdout, error } = spawnSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' });
    if (error !== undefined) throw error;
    if (stdout !== '') return Number(stdout);
    await sleep(5);
  }
}

/** The fields of /proc/PID/stat from the third one on. */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The first thread of a process may be gone before the others. */
function isZombie(fields: readonly string[]): boolean {
  return fields[0] === 'Z' && Number(fields[17]) <= 1;
}
