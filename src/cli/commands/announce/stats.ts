import type { Stats, Tally } from '../../../announcements/reader-statistics.ts';
import { fitted, safeText } from '../../../kit/terminal-text.ts';
import { requireAnnouncement } from '../../desk/desk.ts';
import type { DeskOptions } from '../../desk/desk-place.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { type CommandIo, UsageError } from '../../program/command-io.ts';
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
  if (id !== undefined && stats.announcements.length === 0) await requireAnnouncement(desk, id);
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

function statsText(stats: Stats, counters: string, paint: Paint, columns: number): string {
  const period = `${safeText(stats.since)} to ${safeText(stats.until)}, days in UTC`;
  if (stats.total.impressions + stats.total.clicks + stats.total.dismissals === 0) {
    return `Nothing was counted from ${period}.\nThe counters are those ${counters}.`;
  }
  const rows = tableLines(stats, paint, Math.min(columns, 110));
  return [`${paint.bold('Shown and clicked')}, ${period}`, '', ...rows].join('\n');
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
