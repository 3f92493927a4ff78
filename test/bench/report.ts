import { toTable } from '../support/report-table.ts';

export { toTable };

/** What a measurement found. */
export interface Report {
  /** Markdown. */
  readonly text: string;
  readonly aims: readonly Aim[];
}

/** A figure that was set as a goal. */
export interface Aim {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly bound: string;
  readonly isMet: boolean;
}

export function atMost(what: string, value: number, limit: number, unit: string): Aim {
  return { what, value, unit, bound: `≤ ${limit}`, isMet: value <= limit };
}

export function atLeast(what: string, value: number, limit: number, unit: string): Aim {
  return { what, value, unit, bound: `≥ ${limit}`, isMet: value >= limit };
}

export function aimTable(aims: readonly Aim[]): string {
  return toTable(
    ['goal', '', 'measured', ''],
    aims.map(({ what, value, unit, bound, isMet }) => [
      ...[what, `${bound} ${unit}`, `${value.toFixed(2)} ${unit}`, isMet ? 'met' : 'missed'],
    ]),
  );
}

export function countText(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function ratioText(value: number): string {
  return `${value.toFixed(2)} ×`;
}

/** The value below which that share (0 to 1) of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Half the distance between the quartiles, in percent of the median: how far a figure is to be trusted. */
export function spread(values: readonly number[]): number {
  return ((quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median(values)) * 100;
}

/** Microseconds of processor time of one of so many calls, which `work` makes: the median of rounds, once it is compiled. */
export async function medianCost(calls: number, work: () => void | Promise<void>): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    if (round > 2) costs.push((user + system) / calls);
  }
  return median(costs);
}
