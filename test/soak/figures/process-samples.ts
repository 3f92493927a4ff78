import { readdir, readFile, readlink } from 'node:fs/promises';

/** What the system says of a process (proc(5)). */
export interface ProcessSample {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Resident memory in MB (2^20 bytes). */
  readonly memory: number;
  readonly threads: number;
  /** Seconds of processor time since it began, all threads together. */
  readonly cpu: number;
  readonly sockets: number;
  /** Open files that are no sockets: files, folders, pipes, events. */
  readonly files: number;
}

export async function readSample(pid: number): Promise<ProcessSample> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  const times = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  const descriptors = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(
    descriptors.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => undefined)),
  );
  const open = targets.filter((target) => target !== undefined);
  const sockets = open.filter((target) => target.startsWith('socket:')).length;
  return {
    at: Date.now(),
    memory: number('VmRSS') / 1024,
    threads: number('Threads'),
    // utime and stime, the 14th and 15th field, in hundredths of a second.
    cpu: (Number(times[11]) + Number(times[12])) / 100,
    sockets,
    files: open.length - sockets,
  };
}

/** Samples a process every two seconds until told to stop. */
export function watchProcess(pid: number): { readonly samples: readonly ProcessSample[]; stop(): void } {
  const samples: ProcessSample[] = [];
  const timer = setInterval(async () => {
    const sample = await readSample(pid).catch(() => undefined);
    if (sample !== undefined) samples.push(sample);
  }, 2000);
  return { samples, stop: () => clearInterval(timer) };
}

/** The slope of a straight line through the points by least squares, in units of `y` per hour; `at` is in milliseconds. */
export function slopePerHour(points: readonly { readonly at: number; readonly y: number }[]): number {
  if (points.length < 2) return 0;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanAt = mean(points.map(({ at }) => at));
  const meanY = mean(points.map(({ y }) => y));
  const covariance = mean(points.map(({ at, y }) => (at - meanAt) * (y - meanY)));
  const variance = mean(points.map(({ at }) => (at - meanAt) ** 2));
  return variance === 0 ? 0 : (covariance / variance) * 3_600_000;
}
