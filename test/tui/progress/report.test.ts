import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dailyGoal, dateOf, daysOf, groupByDate, trendOf } from '../../../src/tui/progress/days.ts';
import { maxShare } from '../../../src/tui/progress/letters.ts';
import { kindReport, progressReport, type RoundFilter } from '../../../src/tui/progress/report.ts';
import { reportLines } from '../../../src/tui/progress/report-text.ts';
import { type RoundRecord, roundRecord } from '../../../src/tui/progress/round-record.ts';
import { english } from '../../../src/typing/letters/language.ts';
import { typedRound } from '../../support/typed-rounds.ts';

const sample = roundRecord(typedRound({ at: new Date(0) }), english);

function record(finished: string, change: Partial<RoundRecord> = {}): RoundRecord {
  return { ...sample, finished, letters: {}, bigrams: {}, accuracy: 95, ...change };
}

/** `perDay` rounds on each of `count` days, their speeds from a function of the day and the round. */
function practise(count: number, perDay: number, speed: (day: number, round: number) => number) {
  return Array.from({ length: count * perDay }, (_, at) => {
    const day = Math.floor(at / perDay);
    const date = new Date(Date.UTC(2026, 0, 1 + day, 12, at % perDay));
    return record(date.toISOString(), { standardWpm: speed(day, at % perDay) });
  });
}

function reportOf(records: readonly RoundRecord[], filter: RoundFilter = {}, damagedLines = 0) {
  return progressReport({ records, imported: [], damagedLines }, 'UTC', filter);
}

describe('days', () => {
  test('are those of the typist’s time zone, even across clock changes', () => {
    expect(dateOf('2026-03-28T23:30:00Z', 'UTC')).toBe('2026-03-28');
    expect(dateOf('2026-03-28T23:30:00Z', 'Europe/Berlin')).toBe('2026-03-29');
    expect(dateOf('2026-03-29T22:30:00Z', 'Europe/Berlin')).toBe('2026-03-30');
    expect(dateOf('2026-01-01T05:00:00Z', 'America/New_York')).toBe('2026-01-01');
  });

  test('lose no round', () => {
    const oldestFirst = (a: RoundRecord, b: RoundRecord) => (a.finished < b.finished ? -1 : 1);
    const min = new Date('2025-01-01');
    const instants = fc.date({ min, max: new Date('2027-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.array(instants, { maxLength: 50 }), (dates) => {
        const rounds = dates.map((date) => record(date.toISOString())).sort(oldestFirst);
        const days = daysOf(groupByDate(rounds, 'Pacific/Auckland'));
        expect(days.reduce((sum, { runs }) => sum + runs, 0)).toBe(dates.length);
        expect(days.map(({ date }) => date)).toEqual([...new Set(days.map(({ date }) => date))].sort());
      }),
    );
  });
});

describe('a trend', () => {
  const trend = (records: readonly RoundRecord[]) =>
    trendOf(daysOf(groupByDate(records, 'UTC')), (day) => day.wpm.median);

  test('is not given for few days or few rounds', () => {
    expect(trend(practise(6, 10, (day) => 40 + day))).toEqual({ kind: 'too-few', days: 6, runs: 60 });
    expect(trend(practise(9, 2, (day) => 40 + day))).toEqual({ kind: 'too-few', days: 9, runs: 18 });
  });

  test('of a steady rise is that rise, and one odd day does not change a fall', () => {
    expect(trend(practise(20, 3, (day) => 40 + day))).toEqual({
      kind: 'rising',
      perWeek: expect.closeTo(7, 6),
    });
    const falling = practise(20, 3, (day) => (day === 10 ? 200 : 80 - day));
    expect(trend(falling)).toMatchObject({ kind: 'falling', perWeek: expect.closeTo(-7, 0) });
  });
});

test('a letter that is right 9 times of 10 may be right up to 98 % of the time (Wilson)', () => {
  expect([maxShare(9, 10), maxShare(10, 10)]).toEqual([expect.closeTo(0.982, 3), expect.closeTo(1, 9)]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(500), (total, part) => {
      const correct = Math.min(part, total);
      expect(maxShare(correct, total)).toBeLessThanOrEqual(1);
      expect(maxShare(correct, total)).toBeGreaterThanOrEqual(correct / total - 1e-9);
    }),
  );
});

describe('the report', () => {
  test('has days newest first, and mentions damage', () => {
    const lines = reportLines(
      reportOf(
        practise(2, 4, (day, round) => 50 + day * 10 + round),
        {},
        1,
      ),
    );
    expect(lines[0]).toBe('8 rounds on 2 days, 2026-01-01 to 2026-01-02.');
    const days = lines.filter((line) => /^2026-/.test(line));
    expect(days).toEqual([
      '2026-01-02: 4 rounds, median 61.5 WPM (middle half 60.8 to 62.3), 95.0 % right.',
      '2026-01-01: 4 rounds, median 51.5 WPM (middle half 50.8 to 52.3), 95.0 % right.',
    ]);
    expect(lines.at(-1)).toContain('1 damaged line');
    expect(lines.join('\n')).not.toMatch(/undefined|NaN/);
  });

  test('keeps modes, languages and layouts apart, is about the latest kind, and begins with a total over all', () => {
    const timed = record('2026-01-03T00:00:00Z', {
      standardWpm: 90,
      mode: 'time-60',
      language: 'de',
      seconds: 60,
    });
    const records = [...practise(2, 1, (day) => 50 + 10 * day), timed];
    const report = reportOf(records);
    expect([report.runs, report.days.map(({ wpm }) => wpm.median)]).toEqual([1, [90]]);
    expect(report.kinds).toMatchObject([
      { mode: 'time-60', language: 'de', layout: 'qwerty', runs: 1, wpm: 90 },
      { mode: 'words-30', language: 'en', layout: 'qwerty', runs: 2, wpm: 55 },
    ]);
    expect(report.total).toMatchObject({ runs: 3, days: 3 });
    expect(reportLines(report)[0]).toMatch(/^In all, 3 rounds, .* on 3 days\.$/);
    expect(reportOf(records, { mode: 'words-30' }).total).toEqual(report.total);
  });
});

test('the history goes through all kinds, kept apart; those that never count come after the others', () => {
  const history = {
    records: [
      record('2026-03-08T10:00:00.000Z'),
      record('2026-03-08T23:30:00.000Z', { mode: 'time-15' }),
      record('2026-03-09T08:00:00.000Z', { mode: 'drill', counts: false }),
      record('2026-03-09T20:00:00.000Z'),
    ],
    imported: [
      record('2026-03-01T09:00:00.000Z', { source: 'keybr' }),
      record('2026-03-09T09:00:00.000Z', { source: 'keybr' }),
    ],
    damagedLines: 0,
  };
  const { report, kinds } = kindReport(history, 'UTC', 2);
  expect(kinds.map(({ mode, runs, source }) => `${mode} ${runs} ${source}`)).toEqual([
    'words-30 2 own',
    'time-15 1 own',
    'drill 0 own',
    'words-30 2 keybr',
  ]);
  expect([report.kind, report.rounds.map(({ mode }) => mode)]).toEqual([undefined, ['drill']]);
});

describe('the goal of the day', () => {
  const typed = (finished: string, seconds: number, change: Partial<RoundRecord> = {}) =>
    record(finished, { seconds, ...change });
  const goal = (records: readonly RoundRecord[], now: string, zone = 'UTC') =>
    dailyGoal(records, 5, now, zone);

  test('a minute counts when it is complete; drills are practice, pasted rounds are not', () => {
    const at = '2026-03-01T10:00:00Z';
    expect(goal([typed(at, 299.9)], at)).toEqual({ minutes: 5, done: 4, streak: 0 });
    const drill = typed(at, 60, { counts: false, mode: 'drill' });
    expect(goal([drill, typed(at, 600, { counts: false })], at).done).toBe(1);
  });

  test('days of 23 and of 25 hours, and one that a zone left out, break no streak', () => {
    const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia');
    const starts = fc.constantFrom('2026-03-25', '2026-10-22', '2026-03-06', '2026-10-30', '2026-04-03');
    fc.assert(
      fc.property(zones, starts, fc.integer({ min: 1, max: 10 }), (zone, start, length) => {
        const noon = (day: number) =>
          new Date(Date.parse(`${start}T12:00:00Z`) + day * 86_400_000).toISOString();
        const records = Array.from({ length }, (_, day) => typed(noon(day), 300));
        expect(goal(records, noon(length - 1), zone).streak).toBe(length);
        expect(goal(records, noon(length), zone).streak).toBe(length);
        expect(goal(records, noon(length + 1), zone).streak).toBe(0);
      }),
    );
  });
});
