import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

/** A process, told apart from a later one that got the same number. */
export interface ProcessMark {
  readonly pid: number;
  readonly host: string;
  /** When the process began, in the clock ticks of its system; null where the system does not say. */
  readonly started: string | null;
}

export async function readOwnMark(): Promise<ProcessMark> {
  return { pid: process.pid, host: hostname(), started: await readStart(process.pid) };
}

/** Whether the process is known to have ended. One on another computer may live for all we can see. */
export async function isDead({ pid, host, started }: ProcessMark): Promise<boolean> {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  const present = await readStart(pid);
  return started !== null && present !== null && started !== present;
}

/** Field 22 of /proc/PID/stat (proc(5)); the second field may itself hold blanks and brackets. */
async function readStart(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
