import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFile } from '../../src/kit/package-files.ts';
import { type Report, toRatio, toTable } from './report.ts';
import { stop } from './serving.ts';
import { median, spread } from './statistics.ts';

const program = packageFile('bin', 'typebadge.js');

/** Milliseconds until a command has ended. */
function timeCommand(args: readonly string[]): number {
  const start = performance.now();
  spawnSync(process.execPath, args, { stdio: 'ignore' });
  return performance.now() - start;
}

/** Milliseconds from the start of `typebadge serve` to the first 200 from `/health`. */
export async function timeFirstAnswer(data: string): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const start = performance.now();
  const args = [
    program,
    'serve',
    '--port',
    String(port),
    '--content',
    packageFile('content'),
    '--data',
    data,
  ];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  while (!(await isHealthy(port))) await new Promise((resolve) => setTimeout(resolve, 2));
  const elapsed = performance.now() - start;
  await stop(child);
  return elapsed;
}

function isHealthy(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(false));
    socket.on('connect', () =>
      socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
    );
    socket.on('data', (chunk) => {
      resolve(chunk.toString().startsWith('HTTP/1.1 200'));
      socket.destroy();
    });
  });
}

/** How long typebadge takes to start, as multiples of an empty Node program. */
export async function benchStartUp(rounds: number): Promise<Report> {
  const data = await mkdtemp(join(tmpdir(), 'typebadge-bench-'));
  const empty: number[] = [];
  const version: number[] = [];
  const health: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const times = [
      timeCommand(['-e', '0']),
      timeCommand([program, '--version']),
      await timeFirstAnswer(data),
    ] as const;
    if (round === 0) continue; // fills the disk cache
    empty.push(times[0]);
    version.push(times[1]);
    health.push(times[2]);
  }
  const row = (name: string, times: readonly number[]) => [
    name,
    median(times).toFixed(0),
    spread(times).toFixed(1),
    toRatio(median(times) / median(empty)),
  ];
  const text = toTable(
    ['', 'ms', '± %', 'of node -e 0'],
    [row('node -e 0', empty), row('typebadge --version', version), row('first 200 from /health', health)],
  );
  const aim = (what: string, times: readonly number[], atMost: number) => ({
    what,
    value: median(times) / median(empty),
    unit: '×',
    atMost,
  });
  return {
    text,
    aims: [
      aim('`--version`, of `node -e 0`', version, 1.6),
      aim('start to the first 200 from `/health`, of `node -e 0`', health, 3),
    ],
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log((await benchStartUp(Number(process.argv[2] ?? 15))).text);
}
