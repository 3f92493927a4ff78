import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { until } from './until.ts';

/**
 * A process that was killed, and is in the table for as long as its parent lives: a shell that became a program which knows
 * nothing of the child that it got, as under a careless first process of a container. Linux only.
 */
export async function createZombie(): Promise<{ pid: number; started: string; end(): void }> {
  const parent = spawn('sh', ['-c', 'sleep 601 & exec sleep 600'], { stdio: 'ignore' });
  const childOf = () => Number(spawnSync('pgrep', ['-P', String(parent.pid), 'sleep']).stdout);
  await until(() => childOf() > 0);
  const pid = childOf();
  process.kill(pid, 'SIGKILL');
  /** The fields of /proc/PID/stat from the third one on. */
  const fields = () =>
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  // The first thread of a process may be gone before the others.
  await until(() => fields()[0] === 'Z' && Number(fields()[17]) <= 1);
  // As in a process mark.
  return { pid, started: fields()[19] ?? '', end: () => parent.kill() };
}
