import { join, resolve } from 'node:path';
import type { HistoryFile } from '../../server/badge/announcement.ts';
import { type PulseCount, readPulse } from '../../server/badge/pulse.ts';
import { defaultDataFolder } from '../../server/config.ts';
import type { CommandIo } from '../command-io.ts';
import { RefusedError, type Report } from '../report.ts';
import { UsageError } from '../usage-error.ts';
import { type ContentOptions, openContent } from './content-access.ts';
import { toStatsText } from './stats-text.ts';

export interface StatsOptions extends ContentOptions {
  readonly days?: string;
  readonly data?: string;
}

/** How often something was shown, clicked and dismissed. */
export interface Tally {
  readonly impressions: number;
  readonly clicks: number;
  readonly dismissals: number;
  /** Clicks per impression, above 1 where readers clicked again; null where it was never shown. */
  readonly clickThrough: number | null;
}

export interface Stats {
  /** Both `YYYY-MM-DD`, in UTC, inclusive. */
  readonly since: string;
  readonly until: string;
  readonly total: Tally;
  readonly days: readonly (Tally & { readonly day: string })[];
  /** The most shown first; so are the sites. */
  readonly announcements: readonly AnnouncementStats[];
  readonly sites: readonly SiteStats[];
}

export interface SiteStats extends Tally {
  readonly site: string;
}

export interface AnnouncementStats extends Tally {
  readonly id: string;
  /** Null where the history no longer has it. */
  readonly message: string | null;
  readonly sites: readonly SiteStats[];
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
  const dataDir = resolve(io.cwd, options.data ?? (io.env.TYPEBADGE_DATA || defaultDataFolder()));
  const counts = (await readPulse(join(dataDir, 'pulse'), days[0] ?? '')).filter(
    ({ day, announcement }) => day <= (days.at(-1) ?? '') && (id === undefined || announcement === id),
  );
  if (id !== undefined && counts.length === 0 && !history.announcements.some((entry) => entry.id === id)) {
    throw new RefusedError(`there is no announcement ${id}; typebadge announce list shows all there are`);
  }
  const stats = toStats(counts, days, history);
  return { value: stats, toText: (paint, columns) => toStatsText(stats, dataDir, paint, columns) };
}

function toStats(
  counts: readonly PulseCount[],
  days: readonly string[],
  { announcements }: HistoryFile,
): Stats {
  const messages = new Map(announcements.map(({ id, message }) => [id, message]));
  const byDay = groupedBy(counts, ({ day }) => day);
  return {
    since: days[0] ?? '',
    until: days.at(-1) ?? '',
    total: toTally(counts),
    days: days.map((day) => ({ day, ...toTally(byDay.get(day) ?? []) })),
    announcements: [...groupedBy(counts, ({ announcement }) => announcement)]
      .map(([id, own]) => ({ id, message: messages.get(id) ?? null, ...toTally(own), sites: toSites(own) }))
      .sort(mostShownFirst),
    sites: toSites(counts),
  };
}

function toSites(counts: readonly PulseCount[]): SiteStats[] {
  return [...groupedBy(counts, ({ site }) => site)]
    .map(([site, own]) => ({ site, ...toTally(own) }))
    .sort(mostShownFirst);
}

function groupedBy(
  counts: readonly PulseCount[],
  keyOf: (count: PulseCount) => string,
): Map<string, PulseCount[]> {
  const groups = new Map<string, PulseCount[]>();
  for (const count of counts) {
    const key = keyOf(count);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [count]);
    else group.push(count);
  }
  return groups;
}

function mostShownFirst(a: Tally, b: Tally): number {
  return b.impressions - a.impressions || b.clicks - a.clicks;
}

function toTally(counts: readonly PulseCount[]): Tally {
  const sum = (wanted: PulseCount['event']) =>
    counts.reduce((total, { event, count }) => (event === wanted ? total + count : total), 0);
  const impressions = sum('impression');
  const clicks = sum('click');
  return {
    impressions,
    clicks,
    dismissals: sum('dismiss'),
    clickThrough: impressions === 0 ? null : clicks / impressions,
  };
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
