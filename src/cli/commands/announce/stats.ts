import { join, resolve } from 'node:path';
import { readPulse } from '../../../server/stores/files/pulse/pulse.ts';
import { type ContentOptions, dataFolderOf, openContent } from '../../desk/content-access.ts';
import { lastDays, toStats } from '../../../announcements/reader-statistics.ts';
import { toStatsText } from '../../display/stats-text.ts';
import { RefusedError, UsageError } from '../../program/command-errors.ts';
import type { CommandIo } from '../../program/command-io.ts';
import type { Report } from '../../program/report.ts';

export interface StatsOptions extends ContentOptions {
  readonly days?: string;
  readonly data?: string;
}

const dayLength = 86_400_000;

/** What the server's counters say about the last days, of all announcements or of one. */
export async function readStats(
  id: string | undefined,
  options: StatsOptions,
  io: CommandIo,
): Promise<Report> {
  const dayCount = parseDays(options.days ?? '30');
  const days = Array.from({ length: dayCount }, (_, ago) =>
    toDay(io.now() - (dayCount - 1 - ago) * dayLength),
  );
  const history = await (await openContent(options, io)).readHistory();
  const dataDir = options.data === undefined ? dataFolderOf(io) : resolve(io.cwd, options.data);
  const counts = (await readPulse(join(dataDir, 'pulse'), days[0] ?? '')).filter(
    ({ day, announcement }) => day <= (days.at(-1) ?? '') && (id === undefined || announcement === id),
  );
  if (id !== undefined && counts.length === 0 && !history.announcements.some((entry) => entry.id === id)) {
    throw new RefusedError(`there is no announcement ${id}; typebadge announce list shows all there are`);
  }
  const stats = toStats(counts, days, history);
  return { value: stats, toText: (paint, columns) => toStatsText(stats, dataDir, paint, columns) };
}

function toDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

function parseDays(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > 3660) {
    throw new UsageError(`--days takes a whole number from 1 to 3660, not "${text}"`);
  }
  return Number(text);
}
