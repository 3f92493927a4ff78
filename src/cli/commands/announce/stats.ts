import type { Tally } from '../../../announcements/reader-statistics.ts';
import { fitted, safeText } from '../../../kit/terminal-text.ts';
import { type Desk, findAnnouncement } from '../../desk/desk.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { UsageError } from '../../program/command-io.ts';
import type { Paint } from '../../program/paint.ts';
import type { DeskCommand, Texts } from '../../program/subcommand.ts';

/** What the server's counters say about the last days, of all announcements or of one. */
export const readStats: DeskCommand<Texts<'days'>> = async ([id], options, io) => {
  const { days = '30' } = options;
  if (!/^[1-9]\d{0,3}$/.test(days) || Number(days) > 3660)
    throw new UsageError(`--days takes a whole number from 1 to 3660, not "${days}"`);
  const desk = await openDesk(options, io);
  const stats = await desk.stats({ days: Number(days), id });
  if (id !== undefined && stats.announcements.length === 0) await findAnnouncement(desk, id);
  return { value: stats, text: (paint, columns) => statsText(stats, paint, columns) };
};

const numberWidth = 11;

function statsText(stats: Awaited<ReturnType<Desk['stats']>>, paint: Paint, columns: number): string {
  const { announcements, total, since, until } = stats;
  const period = `${safeText(since)} to ${safeText(until)}, days in UTC`;
  if (announcements.length === 0) return `Nothing was counted from ${period}.`;
  // A narrow terminal has the name above its numbers.
  const nameWidth = Math.min(columns, 110) - 4 * numberWidth;
  const row = (name: string, ...numbers: readonly string[]) => {
    const cells = numbers.map((text) => text.padStart(numberWidth)).join('');
    return nameWidth < 24 ? `${name}\n${cells}` : `${fitted(name, nameWidth)}${cells}`;
  };
  const counts = (name: string, { impressions, clicks, dismissals, clickThrough }: Tally) => {
    const rate = clickThrough === null ? '–' : `${(clickThrough * 100).toFixed(1)} %`;
    return row(safeText(name), String(impressions), String(clicks), rate, String(dismissals));
  };
  return [
    `${paint.bold('Shown and clicked')}, ${period}`,
    '',
    paint.dim(row('ANNOUNCEMENT AND SITE', 'SHOWN', 'CLICKS', 'RATE', 'DISMISSED')),
    ...announcements.flatMap(({ id, message, sites, ...tally }) => [
      paint.bold(counts(`${id}  ${message ?? '(no longer in the history)'}`, tally)),
      ...sites.map((site) => counts(`  ${site.site}`, site)),
    ]),
    ...(announcements.length > 1 ? [counts('All', total)] : []),
  ].join('\n');
}
