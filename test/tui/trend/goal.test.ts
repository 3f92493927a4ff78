import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RoundRecord } from '../../../src/tui/record/round-line.ts';
import { addToDays, toDailyGoal } from '../../../src/tui/trend/goal.ts';

function record(finished: string, seconds: number, more: Partial<RoundRecord> = {}): RoundRecord {
  const figures = {
    wpm: 60,
    standardWpm: 60,
    accuracy: 100,
    correct: 1,
    total: 1,
    omitted: 0,
    unmeasured: 0,
  };
  const kind = { mode: 'words-30', language: 'en', layout: 'qwerty', punctuation: false };
  return {
    version: 3,
    finished,
    seconds,
    counts: true,
    letters: {},
    errors: {},
    ...figures,
    ...kind,
    ...more,
  };
}

const none = new Map<string, number>();

function goal(records: readonly RoundRecord[], now: string, timeZone = 'UTC') {
  return toDailyGoal(addToDays(none, records, timeZone), 5, now, timeZone);
}

describe('the goal of the day', () => {
  test('counts minutes of today, and days in a row up to today or yesterday', () => {
    const days = ['2026-03-01', '2026-03-02', '2026-03-03'].map((date) =>
      record(`${date}T10:00:00.000Z`, 300),
    );
    expect(goal(days, '2026-03-03T12:00:00Z')).toEqual({ minutes: 5, done: 5, streak: 3 });
    expect(goal(days, '2026-03-04T12:00:00Z')).toEqual({ minutes: 5, done: 0, streak: 3 });
    expect(goal(days, '2026-03-05T12:00:00Z')).toEqual({ minutes: 5, done: 0, streak: 0 });
  });

  test('a minute counts when it is complete, and a day from the second that completes it', () => {
    const typed = (seconds: number) =>
      goal([record('2026-03-01T10:00:00.000Z', seconds)], '2026-03-01T12:00:00Z');
    expect(typed(299.9)).toEqual({ minutes: 5, done: 4, streak: 0 });
    expect(typed(300)).toEqual({ minutes: 5, done: 5, streak: 1 });
  });

  test('drills and rounds ended by a limit count as practice, pasted ones do not', () => {
    const at = '2026-03-01T10:00:00.000Z';
    const records = [
      record(at, 60, { counts: false, mode: 'drill' }),
      record(at, 60, { counts: false, ended: 'mistake' }),
      record(at, 600, { counts: false }),
    ];
    expect(goal(records, at).done).toBe(2);
  });

  test('a day is that of the typist’s calendar, east and west of Greenwich', () => {
    const late = [record('2026-03-01T23:30:00.000Z', 300)];
    expect(goal(late, '2026-03-02T08:00:00Z', 'Asia/Tokyo').done).toBe(5);
    expect(goal(late, '2026-03-02T08:00:00Z', 'America/New_York').done).toBe(0);
    expect(goal(late, '2026-03-02T08:00:00Z', 'America/New_York').streak).toBe(1);
  });

  test('days of 23 and of 25 hours, and one that a zone left out, break no streak that the calendar does not break', () => {
    const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia');
    const starts = fc.constantFrom('2026-03-25', '2026-10-22', '2026-03-06', '2026-10-30', '2026-04-03');
    fc.assert(
      fc.property(zones, starts, fc.integer({ min: 1, max: 10 }), (zone, start, length) => {
        const noon = (day: number) =>
          new Date(Date.parse(`${start}T12:00:00Z`) + day * 86_400_000).toISOString();
        const records = Array.from({ length }, (_, day) => record(noon(day), 300));
        expect(goal(records, noon(length - 1), zone).streak).toBe(length);
        expect(goal(records, noon(length), zone).streak).toBe(length);
        expect(goal(records, noon(length + 1), zone).streak).toBe(0);
      }),
    );
  });

  test('rounds in any order, all at once or one by one, give the same result', () => {
    const rounds = fc.array(fc.tuple(fc.nat(20 * 24), fc.nat(400)), { maxLength: 40 });
    fc.assert(
      fc.property(rounds, (list) => {
        const records = list.map(([hour, seconds]) =>
          record(new Date(Date.UTC(2026, 2, 20, hour)).toISOString(), seconds),
        );
        const zone = 'Europe/Berlin';
        const oneByOne = records.reduceRight(
          (days, each) => addToDays(days, [each], zone),
          none as ReadonlyMap<string, number>,
        );
        const now = '2026-04-05T10:00:00Z';
        expect(toDailyGoal(oneByOne, 5, now, zone)).toEqual(goal(records, now, zone));
      }),
    );
  });
});
