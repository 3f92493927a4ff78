import { type DeskOptions, openDesk } from '../../desk/open-desk.ts';
import { toStatsText } from '../../display/stats-text.ts';
import { RefusedError, UsageError } from '../../program/command-errors.ts';
import type { CommandIo } from '../../program/command-io.ts';
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
    toText: (paint, columns) => toStatsText(stats, desk.counters, paint, columns),
  };
}

function parseDays(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > 3660) {
    throw new UsageError(`--days takes a whole number from 1 to 3660, not "${text}"`);
  }
  return Number(text);
}
