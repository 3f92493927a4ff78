import type { Stats, Tally } from '../../../announcements/reader-statistics.ts';
import { fitted, safeText } from '../../../kit/terminal-text.ts';
import type { DeskOptions } from '../../desk/desk-place.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { type CommandIo, RefusedError, UsageError } from '../../program/command-io.ts';
import type { Paint } from '../../program/paint.ts';
import type { Report } from '../../program/report.ts';

export interface StatsOptions extends DeskOptions {
  readonly days?: string;
}

/** What the server's counters say about the last days, of all announcements or of one. */
export async function readStats(
  id: string | undefined,
  options: StatsOptions,
  io: CommandIo,
): Promise<Report> {
  const days = parseDays(options.days ?? '30');
  const desk = await openDesk(options, io);
  const stats = await desk.stats({ days, ...(id === undefined ? {} : { id }) });
  if (id !== undefined && stats.announcements.length === 0 && (await desk.list({ id })).value.total === 0)
    throw new RefusedError(`there is no announcement ${id}; typebadge announce list shows all there are`);
  return {
    value: stats,
    text: (paint, columns) => statsText(stats, desk.counters, paint, columns),
  };
}

function parseDays(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > 3660) {
    throw new UsageError(`--days takes a whole number from 1 to 3660, not "${text}"`);
  }
  return Number(text);
}

/** Sites below each announcement; the others are summed up in one line. */
const sitesShown = 5;
const numberWidth = 11;
const numbersWidth = 4 * numberWidth;

export function statsText(stats: Stats, counters: string, paint: Paint, columns: number): string {
  const period = `${safeText(stats.since)} to ${safeText(stats.until)}, days in UTC`;
  if (stats.total.impressions + stats.total.clicks + stats.total.dismissals === 0) {
    return `Nothing was counted from ${period}.\nThe counters are those ${counters}.`;
  }
  const width = Math.min(columns, 110);
  const chartWidth = Math.min(width, 70);
  const perBar = valuesPerBar(stats.days.length, chartWidth);
  return [
    `${paint.bold(perBar === 1 ? 'Shown per day' : `Shown per ${perBar} days`)}, ${period}`,
    '',
    ...drawBarChart(
      stats.days.map(({ impressions }) => impressions),
      { height: 4, columns: chartWidth, labels: stats.days.map(({ day }) => formatDay(day)) },
    ).map((line) => paint.accent(line)),
    '',
    ...tableLines(stats, paint, width),
  ].join('\n');
}

const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `24 Oct` for `2026-10-24`; the years are above the chart. */
function formatDay(day: string): string {
  const instant = Date.parse(day);
  return Number.isNaN(instant) ? safeText(day) : shortDay.format(instant);
}

function tableLines({ announcements, total }: Stats, paint: Paint, columns: number): string[] {
  const nameWidth = columns - numbersWidth;
  // A narrow terminal has the name above its numbers.
  const row = (name: string, numbers: string) =>
    nameWidth < 24
      ? `${fitted(name, columns).trimEnd()}\n${numbers}`
      : `${fitted(name, nameWidth)}${numbers}`;
  const header = ['SHOWN', 'CLICKS', 'RATE', 'DISMISSED']
    .map((title) => title.padStart(numberWidth))
    .join('');
  return [
    paint.dim(row('ANNOUNCEMENT AND SITE', header)),
    ...announcements.flatMap((announcement) => {
      const { id, message, sites } = announcement;
      const rest = sites.slice(sitesShown);
      return [
        paint.bold(
          row(
            `${safeText(id)}  ${safeText(message ?? '(no longer in the history)')}`,
            numberCells(announcement),
          ),
        ),
        ...sites.slice(0, sitesShown).map((site) => row(`  ${safeText(site.site)}`, numberCells(site))),
        ...(rest.length > 0 ? [row(`  ${rest.length} more sites`, numberCells(summed(rest)))] : []),
      ];
    }),
    ...(announcements.length > 1 ? [row('All', numberCells(total))] : []),
  ];
}

function numberCells({ impressions, clicks, dismissals, clickThrough }: Tally): string {
  const rate = clickThrough === null ? '–' : `${(clickThrough * 100).toFixed(1)} %`;
  return [String(impressions), String(clicks), rate, String(dismissals)]
    .map((text) => text.padStart(numberWidth))
    .join('');
}

function summed(tallies: readonly Tally[]): Tally {
  const sum = (pick: (tally: Tally) => number) => tallies.reduce((total, tally) => total + pick(tally), 0);
  const impressions = sum((tally) => tally.impressions);
  const clicks = sum((tally) => tally.clicks);
  return {
    impressions,
    clicks,
    dismissals: sum((tally) => tally.dismissals),
    clickThrough: impressions === 0 ? null : clicks / impressions,
  };
}

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
    const cells = bars.map((value) => barCell((value / highest) * height - floor, value > 0 && floor === 0));
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
function valuesPerBar(count: number, columns: number): number {
  return Math.max(1, Math.ceil(count / Math.max(1, columns - 8)));
}

/** How much of a cell is filled; a value above zero always shows. */
function barCell(filled: number, atLeastSomething: boolean): string {
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
