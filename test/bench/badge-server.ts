import {
  type Comparison,
  costOf,
  costRatio,
  measure,
  openBadgeTargets,
  speedOf,
  speedRatio,
  type Target,
} from './badge-targets.ts';
import { generator } from './load.ts';
import { type Aim, type Report, toCount, toRatio, toTable } from './report.ts';
import { measureAlone, readMemory } from './serving.ts';
import { median, spread } from './statistics.ts';

export interface BadgeBenchOptions {
  /** Alternating rounds; every figure is a median over them. */
  readonly rounds: number;
  /** Seconds of load a round and target. */
  readonly seconds: number;
}

/** Seconds of load before anything counts: so long the compiler of Node takes to know what matters. */
const warmUp = 3;
const crowds = [1, 10_000, 1_000_000];

/** The badge service beside its peers, all in one run, with the clients that a server on the network has. */
export async function benchBadgeServer({ rounds, seconds }: BadgeBenchOptions): Promise<Report> {
  const { comparisons, servings } = await openBadgeTargets();
  const targets = comparisons.flatMap((comparison) => comparison.targets);
  for (const target of targets) await measure(target, warmUp);
  for (const target of targets) target.results.length = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const target of round % 2 === 0 ? targets : targets.toReversed()) await measure(target, seconds);
  }
  const memory = new Map([...servings].map(([name, { pid }]) => [name, readMemory(pid)]));
  await Promise.all([...servings.values()].map((serving) => serving.stop()));
  const limiter: number[] = [];
  for (const crowd of crowds) limiter.push(await measureAlone('./peers/limiter-alone.ts', [String(crowd)]));
  const own = await measureAlone('./peers/pipeline-alone.ts');
  const text = [
    `Load by ${generator}, ${rounds} alternating rounds of ${seconds} s after ${warmUp} s each, one core for the servers. A ratio above 1 means that ours is faster; by processor time it holds on a busy machine too.`,
    ...comparisons.map(toComparisonText),
    toMemoryTable(memory),
    toTable(
      ['processor time of our own parts', 'µs'],
      [
        ['limiter alone: 1; 10,000; 1,000,000 clients', limiter.map((time) => time.toFixed(2)).join('; ')],
        ['all of a request but node:http, 65,536 clients', own.toFixed(2)],
      ],
    ),
  ].join('\n\n');
  return { text, aims: [...toAims(comparisons), toMemoryAim(memory), ...toLimiterAims(limiter)] };
}

function toComparisonText({ title, targets }: Comparison): string {
  const [ours] = targets as [Target, ...Target[]];
  return toTable(
    [title, 'requests/s', '± %', 'p99 ms', 'µs each', 'speed', 'by processor time'],
    targets.map((target) => [
      target.name,
      toCount(speedOf(target)),
      spread(target.results.map(({ perSecond }) => perSecond)).toFixed(1),
      median(target.results.map(({ p99 }) => p99)).toFixed(2),
      costOf(target).toFixed(1),
      ...(target === ours ? ['', ''] : [toRatio(speedRatio(ours, target)), toRatio(costRatio(ours, target))]),
    ]),
  );
}

/** @param memory resident bytes of each server */
function toMemoryTable(memory: ReadonlyMap<string, number>): string {
  return toTable(
    ['resident memory after all that load', 'MB'],
    [...memory].map(([name, bytes]) => [name, (bytes / 2 ** 20).toFixed(0)]),
  );
}

function toMemoryAim(memory: ReadonlyMap<string, number>): Aim {
  const [ours = Number.NaN, bare = Number.NaN] = memory.values();
  return {
    what: 'resident memory after all that load: against bare node:http',
    ...{ value: ours / bare, unit: '×', atMost: 1.15 },
  };
}

/** The least that the first of a comparison must reach against the others, in their order. */
const leastRatios: readonly (readonly number[])[] = [[0.8, 1.25, 0.7], [0.85], [1.2, 1]];

function toAims(comparisons: readonly Comparison[]): Aim[] {
  return comparisons.flatMap(({ title, targets: [ours, ...peers] }, at) =>
    peers.flatMap((peer, number): Aim[] => {
      const atLeast = leastRatios[at]?.[number];
      if (ours === undefined || atLeast === undefined) return [];
      return [{ what: `${title}: against ${peer.name}`, value: speedRatio(ours, peer), unit: '×', atLeast }];
    }),
  );
}

function toLimiterAims(limiter: readonly number[]): Aim[] {
  return limiter.map((value, at) => ({
    what: `limiter alone, ${toCount(crowds[at] ?? 0)} clients`,
    value,
    unit: 'µs',
    atMost: 0.5,
  }));
}
