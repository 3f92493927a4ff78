import { expect, test } from 'vitest';
import { resultCard } from '../../src/cli/commands/stats/result-card.ts';
import type { ProgressReport } from '../../src/tui/progress/report.ts';
import { historyState } from '../tui/screens/sample.ts';

const report = historyState().report as ProgressReport;
const kind = report.kind as NonNullable<ProgressReport['kind']>;
const band = (accuracy: number) => report.band.map((day) => ({ ...day, accuracy: { median: accuracy } }));

test('a card cuts percentages as the screens do: only perfect rounds show 100.0', () => {
  const card = resultCard({ ...report, band: band(99.96) }) ?? '';
  expect(card).toContain('>99.9 %<');
  expect(card).toMatch(/aria-label="[^"]* at 99\.9 percent, /);
});

test('a card shows no best if the kind has none', () => {
  const card = resultCard({ ...report, kind: { ...kind, bestWpm: 0, runs: 1 } }) ?? '';
  expect(card).not.toMatch(/best/);
  expect(card).toMatch(/aria-label="[^"]* percent, 1 round"/);
});
