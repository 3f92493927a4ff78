import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onCore } from './load.ts';
import { type Report, toCount, toRatio, toTable } from './report.ts';
import { type Serving, serve } from './serving.ts';
import { median, medianRatio, spread } from './statistics.ts';
import type { TypingLoadResult } from './typing-load.ts';

export interface TypingBenchOptions {
  /** Alternating rounds; every figure is a median over them. */
  readonly rounds: number;
  /** Seconds of load a round and target. */
  readonly seconds: number;
}

interface Target {
  readonly name: string;
  readonly serving: Serving;
  /** Keys in one request. */
  readonly batch: number;
  readonly isReal: boolean;
  readonly results: TypingLoadResult[];
}

const run = promisify(execFile);
const typists = 32;
const batchSize = 30;

/** Keys per second of the typing API beside its peers, all in one run. */
export async function benchTypingApi({ rounds, seconds }: TypingBenchOptions): Promise<Report> {
  const ours = await serve('./peers/typebadge-typing.ts');
  const peers = [await serve('./peers/bare-typing.ts'), await serve('./peers/fastify-typing.ts')] as const;
  const single = newTarget('typebadge', ours, 1, true);
  const bare = newTarget('bare node:http, no game', peers[0], 1, false);
  const fastify = newTarget('Fastify with schemas, the same game', peers[1], 1, true);
  const batch = newTarget(`typebadge, ${batchSize} keys a request`, ours, batchSize, true);
  const targets = [single, bare, fastify, batch];

  for (const target of targets) await measure(target, 2);
  for (const target of targets) target.results.length = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const target of round % 2 === 0 ? targets : targets.toReversed()) await measure(target, seconds);
  }
  await Promise.all([ours, ...peers].map((serving) => serving.stop()));

  const speed = (target: Target) => median(target.results.map(({ keysPerSecond }) => keysPerSecond));
  const ratio = (target: Target, other: Target) =>
    medianRatio(
      target.results.map(({ keysPerSecond }) => keysPerSecond),
      other.results.map(({ keysPerSecond }) => keysPerSecond),
    );
  const ratios = [
    { what: 'keystroke: typebadge / bare node:http', value: ratio(single, bare), atLeast: 0.85 },
    { what: 'keystroke: typebadge / Fastify', value: ratio(single, fastify), atLeast: 1.05 },
    {
      what: `cost of a key: in batches of ${batchSize} / alone`,
      value: ratio(single, batch),
      atMost: 1,
    },
  ];
  const text = [
    `${typists} typists, ${rounds} alternating rounds of ${seconds} s, one core each.\n`,
    toTable(
      ['', 'keys/s', '± %', 'p50 ms', 'p99 ms', 'errors'],
      targets.map(({ name, results }, at) => [
        name,
        toCount(speed(targets[at] as Target)),
        spread(results.map(({ keysPerSecond }) => keysPerSecond)).toFixed(1),
        median(results.map(({ p50 }) => p50)).toFixed(2),
        median(results.map(({ p99 }) => p99)).toFixed(2),
        toCount(results.reduce((sum, { errors }) => sum + errors, 0)),
      ]),
    ),
    '',
    toTable(
      ['keys/s, as a ratio', ''],
      ratios.map(({ what, value }) => [what, toRatio(value)]),
    ),
  ].join('\n');
  return { text, aims: ratios.map((ratio) => ({ ...ratio, unit: '×' })) };
}

function newTarget(name: string, serving: Serving, batch: number, isReal: boolean): Target {
  return { name, serving, batch, isReal, results: [] };
}

async function measure({ serving, batch, isReal, results }: Target, seconds: number): Promise<void> {
  const program = fileURLToPath(new URL('./typing-load.ts', import.meta.url));
  const load = [
    program,
    serving.url,
    String(seconds),
    String(typists),
    String(batch),
    isReal ? 'real' : 'made up',
  ];
  const [command = '', ...rest] = [...onCore(1), process.execPath, '--import', 'tsx', ...load];
  const { stdout } = await run(command, rest, { maxBuffer: 1 << 24 });
  results.push(JSON.parse(stdout));
}
