import { expect, test } from 'vitest';
import type { RoundRecord } from '../../../src/tui/record/round-line.ts';
import { toRoundRecord } from '../../../src/tui/record/round-record.ts';
import { toDayReport, toKindReport } from '../../../src/tui/trend/one-day.ts';
import { typeSample } from '../screens/sample.ts';

const sample = toRoundRecord(typeSample(), false);
const round = (finished: string, change: Partial<RoundRecord> = {}): RoundRecord => ({
  ...sample,
  finished,
  ...change,
});

const history = {
  records: [
    round('2026-03-08T10:00:00Z'),
    round('2026-03-08T23:30:00Z', { mode: 'time-15' }), // on the 9th in Berlin
    round('2026-03-09T08:00:00Z', { mode: 'drill', counts: false }),
    round('2026-03-09T20:00:00Z'),
  ],
  imported: [
    round('2026-03-09T09:00:00Z', { source: 'keybr' }),
    round('2026-03-01T09:00:00Z', { source: 'keybr' }),
  ],
  damagedLines: 0,
};

function modesOf(zone: string, ago: number, place = 0): { listed: string[]; kinds: string[] } {
  const { report, kinds } = toDayReport(history, zone, place, ago, '2026-03-09T21:00:00Z');
  return {
    listed: report.rounds.map(({ mode }) => mode),
    kinds: kinds.map(({ mode, source }) => `${mode} ${source}`),
  };
}

test('a day lists its rounds whatever they practised, the latest first, and drills among them', () => {
  expect(modesOf('UTC', 0)).toEqual({
    listed: ['words-30', 'drill'],
    kinds: ['words-30 own', 'drill own', 'words-30 keybr'],
  });
  expect(modesOf('UTC', 1).listed).toEqual(['time-15', 'words-30']);
  expect(modesOf('UTC', 2)).toEqual({ listed: [], kinds: [] });
  expect(modesOf('UTC', 0, 2).listed).toEqual(['words-30']);
});

test('a day is that of the typist, and its figures are of its own rounds', () => {
  expect(modesOf('Europe/Berlin', 0).listed).toEqual(['words-30', 'drill', 'time-15']);
  const { report } = toDayReport(history, 'UTC', 0, 0, '2026-03-09T21:00:00Z');
  expect([report.kind?.mode, report.runs, report.days.length]).toEqual(['words-30', 1, 1]);
});

test('without a day, kinds are kept apart, and those that never count come last of one’s own', () => {
  const { report, kinds } = toKindReport(history, 'UTC', 2);
  expect(kinds.map(({ mode, runs, source }) => `${mode} ${runs} ${source}`)).toEqual([
    'words-30 2 own',
    'time-15 1 own',
    'drill 0 own',
    'words-30 2 keybr',
  ]);
  expect([report.kind, report.rounds.map(({ mode }) => mode)]).toEqual([undefined, ['drill']]);
});
