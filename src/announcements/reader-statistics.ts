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

const dayLength = 86_400_000;

/** The last `count` days in UTC, up to the day of `now` (epoch milliseconds), earliest first. */
export function lastDays(count: number, now: number): string[] {
  return Array.from({ length: count }, (_, ago) =>
    new Date(now - (count - 1 - ago) * dayLength).toISOString().slice(0, 10),
  );
}

/** The totals of the counts on these days (`YYYY-MM-DD`, UTC); the most shown announcements and sites first. */
export function statistics(
  counts: readonly CountedEvent[],
  days: readonly string[],
  { announcements }: HistoryFile,
) {
  const messages = new Map(announcements.map(({ id, message }) => [id, message]));
  const byDay = groupedBy(counts, 'day');
  return {
    since: days[0] ?? '',
    until: days.at(-1) ?? '',
    total: tallyOf(counts),
    days: days.map((day) => ({ day, ...tallyOf(byDay.get(day) ?? []) })),
    announcements: [...groupedBy(counts, 'announcement')]
      // Null if the announcement is no longer in the history.
      .map(([id, own]) => ({ id, message: messages.get(id) ?? null, ...tallyOf(own), sites: sitesOf(own) }))
      .sort(mostShownFirst),
    sites: sitesOf(counts),
  };
}
export type Tally = ReturnType<typeof tallyOf>;

function sitesOf(counts: readonly CountedEvent[]) {
  return [...groupedBy(counts, 'site')]
    .map(([site, own]) => ({ site, ...tallyOf(own) }))
    .sort(mostShownFirst);
}

function groupedBy(counts: readonly CountedEvent[], field: 'day' | 'announcement' | 'site') {
  const groups = new Map<string, CountedEvent[]>();
  for (const count of counts) {
    const group = groups.get(count[field]);
    if (group === undefined) groups.set(count[field], [count]);
    else group.push(count);
  }
  return groups;
}

function mostShownFirst(a: Tally, b: Tally): number {
  return b.impressions - a.impressions || b.clicks - a.clicks;
}

function tallyOf(counts: readonly CountedEvent[]) {
  const sum = (wanted: CountedEvent['event']) =>
    counts.reduce((total, { event, count }) => (event === wanted ? total + count : total), 0);
  const impressions = sum('impression');
  const clicks = sum('click');
  // Clicks per impression, above 1 where readers clicked again; null where it was never shown.
  const clickThrough = impressions === 0 ? null : clicks / impressions;
  return { impressions, clicks, dismissals: sum('dismiss'), clickThrough };
}
