const eighths = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

export interface BarChartOptions {
  /** Rows of the bars. */
  readonly height: number;
  /** Columns for the whole chart, scale included. */
  readonly columns: number;
}

/** Upright bars over a line, the highest value named beside them; neighbours are summed where there is no room for all. */
export function drawBarChart(values: readonly number[], { height, columns }: BarChartOptions): string[] {
  const bundle = valuesPerBar(values.length, columns);
  const bars = bundled(values, bundle);
  const gap = bars.length * 2 <= columns - 8 ? ' ' : '';
  const highest = Math.max(...bars, 1);
  const scale = String(highest);
  const rows = Array.from({ length: height }, (_, row) => {
    const floor = height - 1 - row;
    const cells = bars.map((value) => toCell((value / highest) * height - floor, value > 0 && floor === 0));
    return `${(row === 0 ? scale : '').padStart(6)} ${cells.join(gap)}`.trimEnd();
  });
  return [...rows, `${'0'.padStart(6)} ${'─'.repeat(bars.length * (gap.length + 1) - gap.length)}`];
}

/** How many neighbours share a bar, so that all fit. */
export function valuesPerBar(count: number, columns: number): number {
  return Math.max(1, Math.ceil(count / Math.max(1, columns - 8)));
}

/** How much of a cell is filled; a value above zero always shows. */
function toCell(filled: number, atLeastSomething: boolean): string {
  const parts = Math.max(atLeastSomething ? 1 : 0, Math.min(8, Math.round(filled * 8)));
  return eighths[parts] ?? ' ';
}

function bundled(values: readonly number[], size: number): number[] {
  const sums: number[] = [];
  for (const [at, value] of values.entries()) {
    const bundle = Math.floor(at / size);
    sums[bundle] = (sums[bundle] ?? 0) + value;
  }
  return sums;
}
