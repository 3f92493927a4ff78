import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process, told apart from a later one with the same number and from one of another container. */
export interface ProcessMark {
  readonly pid: number;
  readonly host: string;
  /** When the process began, in clock ticks since its system started; null where the system does not say. */
  readonly started: string | null;
  /** This start of the system; null where the system does not say, and in marks of version 1.0. */
  readonly boot: string | null;
  /** The pid namespace: process numbers mean nothing outside it. Null as for `boot`. */
  readonly namespace: string | null;
}

/** `unknown`: on another computer, in another container or before a reboot. The caller has to watch it for signs of life. */
export type Life = 'alive' | 'dead' | 'unknown';

export function readOwnMark(): ProcessMark {
  return {
    pid: process.pid,
    host: hostname(),
    started: readProcess(process.pid)?.started ?? null,
    ...readPlace(),
  };
}

/** Reads a mark of this or an earlier version; undefined where it is not one. */
export function parseMark(value: unknown): ProcessMark | undefined {
  const { pid, host, started, boot = null, namespace = null } = Object(value) as Partial<ProcessMark>;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || typeof host !== 'string')
    return undefined;
  const isText = (text: unknown) => text === null || typeof text === 'string';
  if (started === undefined || ![started, boot, namespace].every(isText)) return undefined;
  return { pid, host, started, boot, namespace };
}

export function lifeOf(mark: ProcessMark): Life {
  if (isHere(mark)) return isRunning(mark) ? 'alive' : 'dead';
  // A mark of version 1.0 says nothing of its container, but the same number begun at the same tick is the same process.
  const isOurs = mark.namespace === null && mark.host === hostname() && mark.started !== null;
  if (!isOurs || readProcess(mark.pid)?.started !== mark.started) return 'unknown';
  return isRunning(mark) ? 'alive' : 'dead';
}

/** Whether the process number of the mark means here what it means there. */
function isHere({ host, boot, namespace }: ProcessMark): boolean {
  const own = readPlace();
  if (namespace !== own.namespace || boot !== own.boot) return false;
  // A system without namespaces, or a service that may not read the boot id: then the name has to do.
  return (namespace !== null && boot !== null) || host === hostname();
}

/** Whether a process of this system and container runs, and began when the mark says so, where it says so. */
export function isRunning({ pid, started }: Pick<ProcessMark, 'pid' | 'started'>): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const present = readProcess(pid);
  if (present === undefined) return true;
  return !present.hasEnded && (started === null || started === present.started);
}

function readPlace(): Pick<ProcessMark, 'boot' | 'namespace'> {
  return {
    boot: orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: orNull(() => readlinkSync('/proc/self/ns/pid')),
  };
}

interface PresentProcess {
  readonly started: string;
  /** A zombie: it was killed or has exited, and its parent has not asked how. It stays in the table for as long as that takes. */
  readonly hasEnded: boolean;
}

/**
 * Fields 3, 20 and 22 of /proc/PID/stat (proc(5)); the second field may itself hold blanks and brackets. Undefined where
 * the system does not say.
 *
 * A process of many threads is called a zombie as soon as its first thread is: the others may still be in the middle of a write.
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
