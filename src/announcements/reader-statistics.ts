import type { HistoryFile } from './announcement.ts';

/** How often something happened to an announcement on one site, on one day in UTC (`YYYY-MM-DD`). */
export interface CountedEvent {
  readonly day: string;
  readonly announcement: string;
  readonly event: 'impression' | 'click' | 'dismiss';
  /** Host of the embedding site, or `other`. */
  readonly site: string;
  readonly count: number;
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
  /** Sorted by impressions, most first, as are the sites. */
  readonly announcements: readonly AnnouncementStats[];
  readonly sites: readonly SiteStats[];
}

export interface SiteStats extends Tally {
  readonly site: string;
}

export interface AnnouncementStats extends Tally {
  readonly id: string;
  /** Null if the announcement is no longer in the history. */
  readonly message: string | null;
  readonly sites: readonly SiteStats[];
}

const dayLength = 86_400_000;

/** The last `count` days in UTC, up to the day of `now` (epoch milliseconds), earliest first. */
export function lastDays(count: number, now: number): string[] {
  return Array.from({ length: count }, (_, ago) =>
    new Date(now - (count - 1 - ago) * dayLength).toISOString().slice(0, 10),
  );
}

/** The totals of the counts on these days. */
export function statistics(
  counts: readonly CountedEvent[],
  days: readonly string[],
  { announcements }: HistoryFile,
): Stats {
  const messages = new Map(announcements.map(({ id, message }) => [id, message]));
  const byDay = groupedBy(counts, ({ day }) => day);
  return {
    since: days[0] ?? '',
    until: days.at(-1) ?? '',
    total: tallyOf(counts),
    days: days.map((day) => ({ day, ...tallyOf(byDay.get(day) ?? []) })),
    announcements: [...groupedBy(counts, ({ announcement }) => announcement)]
      .map(([id, own]) => ({ id, message: messages.get(id) ?? null, ...tallyOf(own), sites: sitesOf(own) }))
      .sort(mostShownFirst),
    sites: sitesOf(counts),
  };
}

function sitesOf(counts: readonly CountedEvent[]): SiteStats[] {
  return [...groupedBy(counts, ({ site }) => site)]
    .map(([site, own]) => ({ site, ...tallyOf(own) }))
    .sort(mostShownFirst);
}

function groupedBy(
  counts: readonly CountedEvent[],
  keyOf: (count: CountedEvent) => string,
): Map<string, CountedEvent[]> {
  const groups = new Map<string, CountedEvent[]>();
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

function tallyOf(counts: readonly CountedEvent[]): Tally {
  const sum = (wanted: CountedEvent['event']) =>
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
