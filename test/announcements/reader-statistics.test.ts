import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyHistory } from '../../src/announcements/announcement.ts';
import { type CountedEvent, lastDays, statistics } from '../../src/announcements/reader-statistics.ts';

const count = (
  day: string,
  announcement: string,
  event: CountedEvent['event'],
  site: string,
  times: number,
): CountedEvent => ({ day, announcement, event, site, count: times });

test('the last days are those of UTC, up to today, earliest first', () => {
  expect(lastDays(3, Date.parse('2026-03-01T23:59:59Z'))).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  expect(lastDays(1, Date.parse('2026-03-01T00:00:00Z'))).toEqual(['2026-03-01']);
  expect(lastDays(0, 0)).toEqual([]);
});

test('what was counted is summed up in total, by day, by announcement and by site', () => {
  const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
  const entry = { id: 'a', message: 'Hello', link: '', published: '', expires: '' };
  const stats = statistics(
    [
      count('2026-01-01', 'a', 'impression', 'one.example', 8),
      count('2026-01-01', 'a', 'click', 'one.example', 2),
      count('2026-01-03', 'a', 'impression', 'two.example', 2),
      count('2026-01-03', 'gone', 'dismiss', 'two.example', 5),
    ],
    days,
    { ...emptyHistory, announcements: [entry] },
  );
  const nothing = { impressions: 0, clicks: 0, dismissals: 0, clickThrough: null };
  const first = { impressions: 8, clicks: 2, dismissals: 0, clickThrough: 0.25 };
  const shown = { impressions: 2, clicks: 0, dismissals: 0, clickThrough: 0 };
  expect(stats).toEqual({
    since: '2026-01-01',
    until: '2026-01-03',
    total: { impressions: 10, clicks: 2, dismissals: 5, clickThrough: 0.2 },
    days: [
      { day: '2026-01-01', ...first },
      { day: '2026-01-02', ...nothing },
      { day: '2026-01-03', ...shown, dismissals: 5 },
    ],
    announcements: [
      {
        id: 'a',
        message: 'Hello',
        ...{ impressions: 10, clicks: 2, dismissals: 0, clickThrough: 0.2 },
        sites: [
          { site: 'one.example', ...first },
          { site: 'two.example', ...shown },
        ],
      },
      {
        id: 'gone',
        message: null,
        ...nothing,
        dismissals: 5,
        sites: [{ site: 'two.example', ...nothing, dismissals: 5 }],
      },
    ],
    sites: [
      { site: 'one.example', ...first },
      { site: 'two.example', ...shown, dismissals: 5 },
    ],
  });
});

test('law: days, announcements and sites each add up to the total', () => {
  const days = ['2026-01-01', '2026-01-02'];
  const counts = fc.array(
    fc.record({
      day: fc.constantFrom(...days),
      announcement: fc.constantFrom('a', 'b', 'c'),
      event: fc.constantFrom('impression' as const, 'click' as const, 'dismiss' as const),
      site: fc.constantFrom('one.example', 'two.example', 'other'),
      count: fc.integer({ min: 1, max: 50 }),
    }),
  );
  fc.assert(
    fc.property(counts, (given) => {
      const stats = statistics(given, days, emptyHistory);
      for (const part of ['impressions', 'clicks', 'dismissals'] as const) {
        const sum = (tallies: readonly { readonly [P in typeof part]: number }[]) =>
          tallies.reduce((total, tally) => total + tally[part], 0);
        expect(sum(stats.days)).toBe(stats.total[part]);
        expect(sum(stats.announcements)).toBe(stats.total[part]);
        expect(sum(stats.sites)).toBe(stats.total[part]);
        for (const own of stats.announcements) expect(sum(own.sites)).toBe(own[part]);
      }
    }),
  );
});
