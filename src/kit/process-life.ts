import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identifies a process, even among later ones with the same pid and those of other containers. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** When the process began, in clock ticks since the system started; null if the system does not say. */
  readonly started: string | null;
  /** Id of the boot; null if the system does not say. */
  readonly boot: string | null;
  /** The pid namespace, outside which a pid means nothing. Null as for `boot`. */
  readonly namespace: string | null;
}

/**
 * `unknown`: on another computer, in another container or before a reboot. The caller has to watch for signs
 * of life.
 */
export type ProcessLife = 'alive' | 'dead' | 'unknown';

export function readProcessIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    host: hostname(),
    started: readProcess(process.pid)?.started ?? null,
    ...readPlace(),
  };
}

/** Undefined if the value is not a mark. */
export function parseProcessIdentity(value: unknown): ProcessIdentity | undefined {
  const { pid, host, started, boot = null, namespace = null } = Object(value) as Partial<ProcessIdentity>;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || typeof host !== 'string')
    return undefined;
  const isText = (text: unknown) => text === null || typeof text === 'string';
  if (started === undefined || ![started, boot, namespace].every(isText)) return undefined;
  return { pid, host, started, boot, namespace };
}

export function processLife(mark: ProcessIdentity): ProcessLife {
  if (!isHere(mark)) return 'unknown';
  return isRunning(mark) ? 'alive' : 'dead';
}

/** Whether the pid of the mark means the same process here. */
function isHere({ host, boot, namespace }: ProcessIdentity): boolean {
  const own = readPlace();
  if (namespace !== own.namespace || boot !== own.boot) return false;
  // Without namespaces, or without permission to read the boot id, the host name has to do.
  return (namespace !== null && boot !== null) || host === hostname();
}

/** Whether a process of this system is running that started at the marked time, if there is one. */
function isRunning({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is alive and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const present = readProcess(pid);
  if (present === undefined) return true;
  return !present.hasEnded && (started === null || started === present.started);
}

function readPlace(): Pick<ProcessIdentity, 'boot' | 'namespace'> {
  return {
    boot: orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: orNull(() => readlinkSync('/proc/self/ns/pid')),
  };
}

interface PresentProcess {
  readonly started: string;
  /**
   * It is a zombie: killed or exited, but still in the process table because its parent has not waited for
   * it.
   */
  readonly hasEnded: boolean;
}

/**
 * Fields 3, 20 and 22 of /proc/PID/stat (proc(5)); the second field may itself contain blanks and brackets.
 * Undefined if the system does not say.
 *
 * A process with several threads is listed as a zombie as soon as its first thread is one: others may still
 * be writing.
 */
function readProcess(pid: number): PresentProcess | undefined {
  const text = orNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, threads, started] = [fields[0], fields[17], fields[19]];
  if (started === undefined) return undefined;
  return { started, hasEnded: (state === 'Z' && Number(threads) <= 1) || state === 'X' };
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
