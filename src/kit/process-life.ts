import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Identifies this process, even among later ones with the same pid and those of other containers: its pid,
 * when it began (see `processStart`), and the boot and the pid namespace, outside which a pid means nothing.
 */
export function processIdentity(): string {
  return `${process.pid} ${processStart(process.pid) ?? ''} ${placeHere()}`;
}

/**
 * `unknown`: on another computer, in another container or before a reboot, or this text identifies no
 * process. The caller has to watch for signs of life.
 */
export function processLife(identity: string): 'alive' | 'dead' | 'unknown' {
  const [pid, started = '', ...place] = identity.split(' ');
  if (place.join(' ') !== placeHere()) return 'unknown';
  return isRunning(Number(pid), started) ? 'alive' : 'dead';
}

/** Whether a process of this system is running that started then; `started` may be empty. */
export function isRunning(pid: number, started: string): boolean {
  const present = processStart(pid);
  if (present === 'ended' || (started !== '' && present !== undefined && present !== started)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is alive and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Where the id of the boot cannot be read, the host name is used in its place. */
function placeHere(): string {
  const boot = orUndefined(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  return `${boot ?? hostname()} ${orUndefined(() => readlinkSync('/proc/self/ns/pid')) ?? ''}`;
}

/**
 * When a process began, in clock ticks since the boot; `ended` if it was killed and its parent has not yet
 * collected it. Fields 3 and 22 of /proc/PID/stat (proc(5)); the second field may itself contain spaces
 * and brackets. Undefined if the system does not say.
 */
export function processStart(pid: number): string | undefined {
  const text = orUndefined(() => readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? '';
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? 'ended' : fields[19];
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
