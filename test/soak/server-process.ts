import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { packageFile } from '../../src/kit/package-files.ts';

/** What the heap held after a full collection of garbage. */
export interface HeapSample {
  readonly at: number;
  readonly megabytes: number;
}

export interface SoakServer {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly port: number;
  readonly heap: readonly HeapSample[];
  /** Errors and warnings of its log, the first hundred. */
  readonly complaints: readonly string[];
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Starts the built server on a free port. V8 itself tells of every full collection, so that no inspector is needed. */
export async function startSoakServer(args: readonly string[]): Promise<SoakServer> {
  const bin = packageFile('bin', 'typebadge.js');
  const child = spawn(
    process.execPath,
    ['--trace-gc', bin, 'serve', '--port', '0', '--log', 'json', ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const heap: HeapSample[] = [];
  const complaints: string[] = [];
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  const complain = (line: string) => {
    if (complaints.length < 100) complaints.push(line);
  };
  createInterface({ input: child.stderr }).on('line', complain);
  const lines = createInterface({ input: child.stdout });
  const port = await new Promise<number>((resolve, reject) => {
    ended.then(() => reject(new Error(`the server ended: ${complaints.join('\n')}`)));
    lines.on('line', (line) => {
      const listening = /"url":"http:\/\/[^"]*:(\d+)"/.exec(line);
      if (listening !== null) resolve(Number(listening[1]));
      if (/"level":"(?:warn|error)"/.test(line)) complain(line);
      const collected = /Mark-Compact.*? -> ([\d.]+) \(/.exec(line);
      if (collected !== null) heap.push({ at: Date.now(), megabytes: Number(collected[1]) });
    });
  });
  return { child, pid: child.pid as number, port, heap, complaints, ended };
}
