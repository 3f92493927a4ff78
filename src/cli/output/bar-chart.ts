const eighths = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

export interface BarChartOptions {
  /** Rows of the bars. */
  readonly height: number;
  /** Columns for the whole chart, scale included. */
  readonly columns: number;
  /** What each value is of, such as its day: named below the first bar, the last, and those between where there is room. */
  readonly labels?: readonly string[];
}

/** Upright bars over a line, the highest value named beside them; neighbours are summed where there is no room for all. */
export function drawBarChart(values: readonly number[], options: BarChartOptions): string[] {
  const { height, columns, labels = [] } = options;
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
  const axis = '─'.repeat(bars.length * (gap.length + 1) - gap.length);
  const named = labels.filter((_, at) => at % bundle === 0);
  return [
    ...rows,
    `${'0'.padStart(6)} ${axis}`,
    ...(named.length === 0 ? [] : [`${' '.repeat(7)}${drawLabels(named, gap.length + 1, columns - 7)}`]),
  ];
}

/** Each begins below its bar; the last ends there where it would be too long. Between two there are at least two blanks. */
function drawLabels(labels: readonly string[], step: number, room: number): string {
  const last = labels.at(-1) ?? '';
  const lastBar = (labels.length - 1) * step;
  const lastAt = Math.min(lastBar, Math.max(0, room - last.length));
  let line = '';
  for (const [at, label] of labels.entries()) {
    const start = at * step;
    const isFree = line === '' ? start === 0 : start >= line.length + 2;
    if (isFree && start + label.length + 2 <= lastAt) line = line.padEnd(start) + label;
  }
  return line.padEnd(lastAt) + last;
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
