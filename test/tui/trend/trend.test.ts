import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RoundRecord } from '../../../src/tui/record/round-line.ts';
import { toReportLines, toTrendText } from '../../../src/tui/text/report-text.ts';
import { groupByDay, toDate, toDays } from '../../../src/tui/trend/days.ts';
import { toChanges } from '../../../src/tui/trend/letter-change.ts';
import { toMedianInterval } from '../../../src/tui/trend/median-interval.ts';
import { toMedian, toQuantile } from '../../../src/tui/trend/quantiles.ts';
import { toReport } from '../../../src/tui/trend/report.ts';
import { toTrend } from '../../../src/tui/trend/trend.ts';
import { toLetterStanding } from '../../../src/tui/trend/weak-letters.ts';
import { toWilson } from '../../../src/tui/trend/wilson.ts';

function record(finished: string, wpm: number, letters: RoundRecord['letters'] = {}): RoundRecord {
  return {
    version: 3,
    omitted: 0,
    counts: true,
    finished,
    wpm: 1000,
    standardWpm: wpm,
    accuracy: 95,
    seconds: 30,
    correct: 150,
    total: 158,
    mode: 'words-30',
    language: 'en',
    layout: 'qwerty',
    punctuation: false,
    letters,
    errors: {},
    unmeasured: 0,
  };
}

/** `perDay` rounds on each of `count` days, their speeds from a function of the day and the round. */
function practise(
  count: number,
  perDay: number,
  speed: (day: number, round: number) => number,
): RoundRecord[] {
  return Array.from({ length: count * perDay }, (_, at) => {
    const day = Math.floor(at / perDay);
    const date = new Date(Date.UTC(2026, 0, 1 + day, 12, at % perDay));
    return record(date.toISOString(), speed(day, at % perDay));
  });
}

const noise = (day: number, round: number) => ((day * 7 + round * 13) % 11) - 5;

describe('days', () => {
  test('are those of the typist’s time zone, even across clock changes', () => {
    expect(toDate('2026-03-28T23:30:00Z', 'UTC')).toBe('2026-03-28');
    expect(toDate('2026-03-28T23:30:00Z', 'Europe/Berlin')).toBe('2026-03-29');
    expect(toDate('2026-03-29T22:30:00Z', 'Europe/Berlin')).toBe('2026-03-30');
    expect(toDate('2026-01-01T05:00:00Z', 'America/New_York')).toBe('2026-01-01');
  });

  test('have the median and the middle half of their rounds', () => {
    const rounds = practise(1, 5, (_, round) => [10, 50, 40, 30, 20][round] ?? 0);
    const [day] = toDays(groupByDay(rounds, 'UTC'));
    expect(day).toMatchObject({ runs: 5, wpm: { median: 30, lowerQuartile: 20, upperQuartile: 40 } });
  });

  test('lose no round', () => {
    const instants = fc.date({
      min: new Date('2025-01-01'),
      max: new Date('2027-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.array(instants, { maxLength: 50 }), (dates) => {
        const rounds = dates.map((date) => record(date.toISOString(), 50));
        const days = toDays(groupByDay(rounds, 'Pacific/Auckland'));
        expect(days.reduce((sum, { runs }) => sum + runs, 0)).toBe(dates.length);
        expect(days.map(({ date }) => date)).toEqual([...new Set(days.map(({ date }) => date))].sort());
      }),
    );
  });
});

describe('quantiles', () => {
  test('are between the values, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 300, noNaN: true }), { minLength: 1 }), (values) => {
        const [low, middle, high] = [toQuantile(values, 0.25), toMedian(values), toQuantile(values, 0.75)];
        expect(low).toBeGreaterThanOrEqual(Math.min(...values));
        expect(middle).toBeGreaterThanOrEqual(low);
        expect(high).toBeGreaterThanOrEqual(middle);
        expect(high).toBeLessThanOrEqual(Math.max(...values));
      }),
    );
  });
});

describe('a trend', () => {
  const trendOf = (records: readonly RoundRecord[]) =>
    toTrend(toDays(groupByDay(records, 'UTC')), (day) => day.wpm.median);

  test('is not given for few days or few rounds', () => {
    expect(trendOf(practise(6, 10, (day) => 40 + day))).toEqual({ kind: 'too-few', days: 6, runs: 60 });
    expect(trendOf(practise(9, 2, (day) => 40 + day))).toEqual({ kind: 'too-few', days: 9, runs: 18 });
  });

  test('of a steady rise is that rise', () => {
    expect(trendOf(practise(20, 3, (day, round) => 40 + day + noise(day, round) / 5))).toMatchObject({
      kind: 'rising',
      perWeek: expect.closeTo(7, 0),
    });
  });

  test('of a fall is a fall, and one odd day does not change it', () => {
    const falling = practise(20, 3, (day) => (day === 10 ? 200 : 80 - day));
    expect(trendOf(falling)).toMatchObject({ kind: 'falling', perWeek: expect.closeTo(-7, 1) });
  });

  test('is not claimed from noise', () => {
    const trend = trendOf(practise(20, 3, (day, round) => 50 + noise(day, round)));
    expect(trend.kind).toBe('flat');
  });

  test('has the slope in its interval, and is the same for figures shifted up', () => {
    const speeds = fc.array(fc.integer({ min: 20, max: 120 }), { minLength: 10, maxLength: 30 });
    fc.assert(
      fc.property(speeds, fc.integer({ min: 1, max: 50 }), (list, shift) => {
        const trend = trendOf(practise(list.length, 3, (day) => list[day] ?? 0));
        const shifted = trendOf(practise(list.length, 3, (day) => (list[day] ?? 0) + shift));
        if (trend.kind === 'too-few' || shifted.kind === 'too-few') throw new Error('There are enough days.');
        expect(trend.low).toBeLessThanOrEqual(trend.perWeek);
        expect(trend.high).toBeGreaterThanOrEqual(trend.perWeek);
        expect(shifted.perWeek).toBeCloseTo(trend.perWeek, 6);
      }),
    );
  });

  test('is rarely claimed falsely from pure noise', () => {
    let state = 7;
    const random = () => {
      state = (state * 1103515245 + 12345) & 0x7fffffff;
      return state / 0x7fffffff;
    };
    let claims = 0;
    for (let typist = 0; typist < 400; typist += 1) {
      if (trendOf(practise(14, 2, () => 50 + random() * 20)).kind !== 'flat') claims += 1;
    }
    expect(claims / 400).toBeLessThan(0.09); // a 95 % interval leaves 5 % to chance
  });

  test('is described in words that claim no more than is known', () => {
    expect(toTrendText('Speed', 'WPM', { kind: 'too-few', days: 1, runs: 3 })).toBe(
      'Speed: too few to tell a trend (3 rounds on 1 day; it takes 20 on 7).',
    );
    expect(toTrendText('Speed', 'WPM', { kind: 'flat', perWeek: 0.2, low: -0.5, high: 1 })).toBe(
      'Speed: no clear trend (95 % sure: -0.5 to +1.0 WPM a week).',
    );
    expect(toTrendText('Speed', 'WPM', { kind: 'rising', perWeek: 1.2, low: 0.5, high: 2 })).toBe(
      'Speed: rising, +1.2 WPM a week (95 % sure: +0.5 to +2.0).',
    );
  });
});

describe('letters over time', () => {
  const sums = (presented: number, correct: number) => ({
    presented,
    correct,
    seekMs: presented * 200,
    seekCount: presented,
  });

  test('are called better or worse only if chance cannot explain it', () => {
    const before = Array.from({ length: 20 }, (_, at) =>
      record(`2026-01-0${1 + (at % 9)}T00:00:00Z`, 50, {
        a: sums(10, 8),
        b: sums(10, 9),
        c: sums(10, 10),
        d: sums(1, 0),
      }),
    );
    const recent = Array.from({ length: 20 }, () =>
      record('2026-02-01T00:00:00Z', 50, { a: sums(10, 10), b: sums(10, 9), c: sums(10, 8), d: sums(1, 1) }),
    );
    const { letters, fingers, beforeRuns, recentRuns } = toChanges([...before, ...recent]);
    expect([beforeRuns, recentRuns]).toEqual([20, 20]);
    const verdicts = Object.fromEntries(letters.map(({ key, verdict }) => [key, verdict]));
    expect(verdicts).toMatchObject({ a: 'better', b: 'unclear', c: 'worse', z: 'unclear' });
    expect(letters.find(({ key }) => key === 'a')).toMatchObject({
      before: { presented: 200, accuracy: 80, seekMs: 200 },
      recent: { presented: 200, accuracy: 100, seekMs: 200 },
    });
    expect(fingers.map(({ key }) => key)).toEqual(['0', '1', '2', '3', '6', '7', '8', '9']);
  });

  test('that came too rarely have no figure', () => {
    const { letters } = toChanges([
      record('2026-01-01T00:00:00Z', 50, { q: sums(3, 3) }),
      record('2026-01-02T00:00:00Z', 50),
    ]);
    expect(letters.find(({ key }) => key === 'q')?.before).toEqual({
      presented: 3,
      accuracy: undefined,
      seekMs: undefined,
    });
  });

  test('have a Wilson interval that contains the share and stays within 0 and 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(500), (total, part) => {
        const correct = Math.min(part, total);
        const { low, high } = toWilson(correct, total);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(correct / total + 1e-9);
        expect(high).toBeGreaterThanOrEqual(correct / total - 1e-9);
      }),
    );
    expect(toWilson(9, 10)).toEqual({ low: expect.closeTo(0.596, 3), high: expect.closeTo(0.982, 3) });
  });
});

describe('the report', () => {
  test('without rounds says how to begin', () => {
    expect(toReportLines(toReport({ records: [], imported: [], damagedLines: 0 }, 'UTC'))).toEqual([
      'No finished rounds yet. Start with: typebadge play',
    ]);
  });

  test('has days newest first, and mentions damage', () => {
    const records = practise(2, 4, (day, round) => 50 + day * 10 + round);
    expect(toReportLines(toReport({ records, imported: [], damagedLines: 1 }, 'UTC'))).toEqual([
      '8 rounds on 2 days, 2026-01-01 to 2026-01-02.',
      'Latest week: median 56.5 WPM (95 % sure: 50.0 to 63.0), 95.0 % right (95 % sure: 95.0 to 95.0).',
      'Speed: too few to tell a trend (8 rounds on 2 days; it takes 20 on 7).',
      'Accuracy: too few to tell a trend (8 rounds on 2 days; it takes 20 on 7).',
      'Weak letters: too little data yet. A letter must occur at least 20 times.',
      'Letters over time: too little data to compare yet.',
      '',
      'Days, newest first:',
      '2026-01-02: 4 rounds, median 61.5 WPM (middle half 60.8 to 62.3), 95.0 % right.',
      '2026-01-01: 4 rounds, median 51.5 WPM (middle half 50.8 to 52.3), 95.0 % right.',
      '',
      '1 damaged line of the record could not be read and was left as it is.',
    ]);
  });

  const letters = {
    e: { presented: 10, correct: 10, seekMs: 1000, seekCount: 10 },
    q: { presented: 5, correct: 3, seekMs: 800, seekCount: 5 },
    x: { presented: 2, correct: 2, seekMs: 500, seekCount: 2 },
  };
  const linesOf = (count: number, of: RoundRecord['letters']) =>
    toReportLines(
      toReport(
        {
          records: Array.from({ length: count }, () => record('2026-01-01T00:00:00Z', 50, of)),
          imported: [],
          damagedLines: 0,
        },
        'UTC',
      ),
    );

  test('names the weak letters, those of which too little is known, and none that chance explains', () => {
    const lines = linesOf(9, letters);
    expect(lines).toContain('Weak letters: q (60.0 % right of 45); all letters together 88.2 %.');
    expect(lines).toContain('Too little data on x: a letter must occur at least 20 times.');
    const even = { e: letters.e, q: { ...letters.q, correct: 5 } };
    expect(linesOf(9, even)).toContain('Weak letters: none stands out; all letters together 100.0 %.');
    expect(linesOf(1, letters)).toContain(
      'Weak letters: too little data yet. A letter must occur at least 20 times.',
    );
  });

  test('compares letters with themselves in words, and lists in one line those that it cannot', () => {
    const lines = linesOf(9, letters);
    expect(lines).toContain('Letters, 5 earlier rounds against the latest 4 rounds:');
    expect(lines).toContain('e: 100.0 % right before, 100.0 % now; 100 ms before, 100 ms now.');
    expect(lines).toContain('q: 60.0 % right before, 60.0 % now; 160 ms before, 160 ms now.');
    expect(lines).toContainEqual(expect.stringMatching(/^Too little data to compare: a, b, c, .*x, y, z\.$/));
    expect(lines.join('\n')).not.toMatch(/too few then|undefined|NaN/);
    expect(linesOf(2, letters)).toContain('Letters over time: too little data to compare yet.');
  });

  test('weak letters cost most first, and whatever is typed a letter is weak, even or unknown once', () => {
    const sums = fc.record({ presented: fc.nat(200), share: fc.double({ min: 0, max: 1, noNaN: true }) });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...'abcdefgh'), sums), { selector: ([key]) => key }),
        (list) => {
          const all = new Map(
            list.map(([letter, { presented, share }]) => {
              const correct = Math.floor(presented * share);
              return [letter, { presented, correct, seekMs: 0, seekCount: 0 }] as const;
            }),
          );
          const { weak, unknown, known, accuracy = 0 } = toLetterStanding(all);
          const met = [...all.values()].filter(({ presented }) => presented > 0).length;
          expect(known + unknown.length).toBe(met);
          const losses = weak.map((letter) => letter.presented * (accuracy - letter.accuracy));
          for (const [at, loss] of losses.entries()) {
            expect(loss).toBeGreaterThan(0);
            expect(loss).toBeLessThanOrEqual((losses[at - 1] ?? Number.POSITIVE_INFINITY) + 1e-6);
          }
          for (const { letter } of weak) expect(unknown).not.toContain(letter);
        },
      ),
    );
  });

  test('keeps modes, languages and layouts apart, and is about the latest kind', () => {
    const timed = { ...record('2026-01-03T00:00:00Z', 90), mode: 'time-60', language: 'de' };
    const records = [record('2026-01-01T00:00:00Z', 50), record('2026-01-02T00:00:00Z', 60), timed];
    const report = toReport({ records, imported: [], damagedLines: 0 }, 'UTC');
    expect([report.runs, report.days.map(({ wpm }) => wpm.median)]).toEqual([1, [90]]);
    expect(report.kinds).toMatchObject([
      { mode: 'time-60', language: 'de', layout: 'qwerty', runs: 1, wpm: 90 },
      { mode: 'words-30', language: 'en', layout: 'qwerty', runs: 2, wpm: 55 },
    ]);
    expect(toReportLines(report).slice(0, 6)).toEqual([
      'Each kind of round, the latest first; --mode, --language and --layout choose one:',
      'time-60 de: 1 round, median 90.0 WPM, best 90.0.',
      'words-30: 2 rounds, median 55.0 WPM, best 60.0.',
      '',
      'Of the latest kind, time-60 de:',
      '1 round on 1 day, 2026-01-03.',
    ]);
  });
});

describe('the interval of a median', () => {
  test('is known from six values on, and its ranks are those of the tables (n = 10: 2nd to 9th; n = 20: 6th to 15th)', () => {
    const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
    expect(toMedianInterval(upTo(5))).toEqual({ median: 3, low: null, high: null });
    expect(toMedianInterval(upTo(6))).toEqual({ median: 3.5, low: 1, high: 6 });
    expect(toMedianInterval(upTo(10))).toEqual({ median: 5.5, low: 2, high: 9 });
    expect(toMedianInterval(upTo(20))).toEqual({ median: 10.5, low: 6, high: 15 });
    expect(toMedianInterval([])).toEqual({ median: Number.NaN, low: null, high: null });
  });

  test('contains the true median at least as often as it says, for any distribution', () => {
    let state = 7;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    for (const count of [6, 9, 25, 250]) {
      let held = 0;
      for (let trial = 0; trial < 2000; trial++) {
        // A skewed distribution with the median 1.
        const { low, high } = toMedianInterval(
          Array.from({ length: count }, () => Math.log(random()) / Math.log(0.5)),
        );
        if ((low ?? 0) <= 1 && 1 <= (high ?? 0)) held++;
      }
      expect(held / 2000).toBeGreaterThan(0.94);
    }
  });
});
