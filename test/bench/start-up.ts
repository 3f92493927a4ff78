import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../src/kit/package-files.ts';
import { freePort } from '../support/redis/redis-process.ts';
import { newCleanEnvironment } from './clean-environment.ts';
import { timeFirstWords } from './play-run.ts';
import { openPty } from './pty.ts';
import { type Aim, type Report, toRatio, toTable } from './report.ts';
import { stop } from './serving.ts';
import { median, spread } from './statistics.ts';

const program = packageFile('bin', 'typebadge.js');

/** Milliseconds until a command has ended. */
function timeCommand(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const start = performance.now();
  spawnSync(process.execPath, args, { stdio: 'ignore', env });
  return performance.now() - start;
}

/** Milliseconds from the start of `typebadge serve` to the first 200 from `/health`. */
export async function timeFirstAnswer(
  data: string,
  { content = packageFile('content/sample'), env = newCleanEnvironment(data) } = {},
): Promise<number> {
  const port = await freePort();
  const start = performance.now();
  const args = [program, 'serve', '--port', String(port), '--content', content, '--data', data];
  const child = spawn(process.execPath, args, { stdio: 'ignore', env });
  while (!(await isHealthy(port))) {
    if (child.exitCode !== null)
      throw new Error(`typebadge serve --port ${port} ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
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

/** A start that is measured: how, and what it may take of an empty Node program. */
interface Start {
  readonly name: string;
  readonly time: () => number | Promise<number>;
  readonly atMost?: number;
  readonly times: number[];
}

/** How long typebadge takes to start, as multiples of an empty Node program, and what it takes on the disk. */
export async function benchStartUp(rounds: number): Promise<Report> {
  const home = await mkdtemp(join(tmpdir(), 'typebadge-bench-'));
  const env = newCleanEnvironment(home);
  const pty = openPty();
  const starts: Start[] = [
    { name: 'node -e 0', time: () => timeCommand(['-e', '0'], env), times: [] },
    {
      name: 'typebadge --version',
      time: () => timeCommand([program, '--version'], env),
      atMost: 1.5,
      times: [],
    },
    { name: 'first 200 from /health', time: () => timeFirstAnswer(home, { env }), atMost: 5, times: [] },
    ...(pty === undefined
      ? []
      : [
          {
            name: 'play, to the first words, its own server inside',
            time: () => timeFirstWords(pty, home),
            atMost: 12,
            times: [],
          },
        ]),
  ];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const { time, times } of starts) {
        const elapsed = await time();
        if (round > 0) times.push(elapsed); // the first round fills the disk cache
      }
    }
  } finally {
    pty?.close();
    await rm(home, { recursive: true, force: true });
  }
  const empty = median(starts[0]?.times ?? []);
  const size = weighPackage();
  const text = [
    'In a clean environment: PATH, HOME, LANG and TERM only.',
    toTable(
      ['', 'ms', '± %', 'of node -e 0'],
      starts.map(({ name, times }) => [
        name,
        median(times).toFixed(0),
        spread(times).toFixed(1),
        toRatio(median(times) / empty),
      ]),
    ),
    `The package is ${size.packed.toFixed(1)} MB packed and ${size.unpacked.toFixed(1)} MB installed: 1 package.`,
  ].join('\n\n');
  return {
    text,
    aims: [
      ...starts.flatMap(({ name, times, atMost }): Aim[] =>
        atMost === undefined
          ? []
          : [{ what: `${name}, of \`node -e 0\``, value: median(times) / empty, unit: '×', atMost }],
      ),
      { what: 'installed package', value: size.unpacked, unit: 'MB', atMost: 6 },
    ],
  };
}

/** Megabytes, as npm says them of the archive that it would publish. */
function weighPackage(): { packed: number; unpacked: number } {
  const said = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: packageFile(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ size, unpackedSize }] = JSON.parse(said.toString());
  return { packed: size / 1e6, unpacked: unpackedSize / 1e6 };
}
