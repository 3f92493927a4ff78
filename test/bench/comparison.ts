import { countText, median, ratioText, spread, toTable } from './report.ts';

/** One round of load on a target. */
export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers other than 2xx and 3xx, and broken connections. */
  readonly errors: number;
  /** Microseconds of processor time of the server for each. */
  readonly cost: number;
}

/** What is asked of a server. */
export interface Target {
  readonly name: string;
  readonly load: (seconds: number) => Promise<LoadResult>;
  readonly results: LoadResult[];
}

/** Warms all up, and then measures them in alternating rounds. */
export async function measureInTurn(
  targets: readonly Target[],
  rounds: number,
  seconds: number,
): Promise<void> {
  for (const { load } of targets) await load(3 * seconds);
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? targets : targets.toReversed();
    for (const { load, results } of order) results.push(await load(seconds));
  }
}

function figure({ results }: Target, name: keyof LoadResult): number {
  return median(results.map((result) => result[name]));
}

/** The median over the rounds: what a machine does to both in the same round cancels out. */
function ratioOf(one: Target, other: Target, name: keyof LoadResult): number {
  return median(
    one.results.map((result, round) => result[name] / (other.results[round]?.[name] ?? Number.NaN)),
  );
}

/** How many times as fast the one is as the other. */
export function speedRatio(one: Target, other: Target): number {
  return ratioOf(one, other, 'perSecond');
}

/** Targets beside the first of them. By processor time a ratio holds on a busy machine, too. */
export function comparisonTable(title: string, targets: readonly Target[]): string {
  const [ours] = targets as [Target];
  return toTable(
    [title, 'a second', '± %', 'p50 ms', 'p99 ms', 'errors', 'µs each', 'speed of the first', 'by its time'],
    targets.map((target) => [
      target.name,
      countText(figure(target, 'perSecond')),
      spread(target.results.map(({ perSecond }) => perSecond)).toFixed(1),
      ...[figure(target, 'p50').toFixed(2), figure(target, 'p99').toFixed(2)],
      String(target.results.reduce((sum, { errors }) => sum + errors, 0)),
      figure(target, 'cost').toFixed(1),
      ...(target === ours
        ? ['', '']
        : [ratioText(speedRatio(ours, target)), ratioText(ratioOf(target, ours, 'cost'))]),
    ]),
  );
}
