import type { Stats, Tally } from '../../announcements/reader-statistics.ts';
import { fitted, safeText } from '../../kit/terminal-text.ts';
import { drawBarChart, valuesPerBar } from '../output/bar-chart.ts';
import type { Paint } from '../output/paint.ts';

/** Sites below each announcement; the others are summed up in one line. */
const sitesShown = 5;
const numberWidth = 11;
const numbersWidth = 4 * numberWidth;

export function toStatsText(stats: Stats, counters: string, paint: Paint, columns: number): string {
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
      { height: 4, columns: chartWidth, labels: stats.days.map(({ day }) => toShortDay(day)) },
    ).map((line) => paint.accent(line)),
    '',
    ...toTable(stats, paint, width),
  ].join('\n');
}

const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `24 Oct` for `2026-10-24`; the years are above the chart. */
function toShortDay(day: string): string {
  const instant = Date.parse(day);
  return Number.isNaN(instant) ? safeText(day) : shortDay.format(instant);
}

function toTable({ announcements, total }: Stats, paint: Paint, columns: number): string[] {
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
            toNumbers(announcement),
          ),
        ),
        ...sites.slice(0, sitesShown).map((site) => row(`  ${safeText(site.site)}`, toNumbers(site))),
        ...(rest.length > 0 ? [row(`  ${rest.length} more sites`, toNumbers(summed(rest)))] : []),
      ];
    }),
    ...(announcements.length > 1 ? [row('All', toNumbers(total))] : []),
  ];
}

function toNumbers({ impressions, clicks, dismissals, clickThrough }: Tally): string {
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
