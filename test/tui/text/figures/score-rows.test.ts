import { describe, expect, test } from 'vitest';
import type { SessionStatistics } from '../../../../src/contract/statistics-types.ts';
import type { RoundOutcome } from '../../../../src/tui/state/app-state.ts';
import { toScoreRows } from '../../../../src/tui/text/figures/score-rows.ts';
import { history, resultsApp } from '../../screens/sample.ts';

function toOutcome(statistics: Partial<SessionStatistics>): RoundOutcome {
  const { outcome } = resultsApp();
  if (outcome?.statistics === undefined) throw new Error('The sample has no statistics.');
  return { ...outcome, before: history, statistics: { ...outcome.statistics, ...statistics } };
}

const starred = (statistics: Partial<SessionStatistics>) =>
  toScoreRows(toOutcome(statistics))
    .filter(({ isNewBest }) => isNewBest)
    .map(({ label }) => label);

describe('the figures of a round', () => {
  test('a shorter text is done sooner, which is no best', () => {
    const slow = { standard_wpm: 12, time_seconds: 4, is_new_best_accuracy: false, is_new_best_time: true };
    expect(starred(slow)).toEqual([]);
    const [, , time] = toScoreRows(toOutcome(slow));
    expect(time).toMatchObject({ text: '4.0', scope: 'for 161 characters', bestText: '', averageText: '' });
  });

  test('speed has the star before accuracy', () => {
    expect(starred({ standard_wpm: 200, is_new_best_accuracy: true })).toEqual(['WPM']);
    expect(starred({ standard_wpm: 12, is_new_best_accuracy: true })).toEqual(['%']);
  });
});
