import { expect, test } from 'vitest';
import type { RoundOutcome } from '../../../../src/tui/state/app-state.ts';
import { toRemarks } from '../../../../src/tui/text/figures/verdict-text.ts';
import { resultsApp } from '../../screens/sample.ts';

/** A round of that accuracy, in percent. */
function toOutcome(accuracy: number): RoundOutcome {
  const { outcome } = resultsApp();
  if (outcome?.statistics === undefined) throw new Error('The sample has no statistics.');
  return { ...outcome, statistics: { ...outcome.statistics, accuracy } };
}

test('a round of wrong keys counts, and the results say what it is worth', () => {
  expect(toRemarks(toOutcome(0))).toEqual(['No key right: counted, but no best.']);
  expect(toRemarks(toOutcome(49.9))).toEqual(['Most keys wrong: counted, but no best.']);
  expect(toRemarks(toOutcome(50))).toEqual([]);
});

test('the client says the same before the server answers', () => {
  const { statistics: _, ...outcome } = toOutcome(0);
  const waiting = { ...outcome, statistics: undefined, score: { ...outcome.score, accuracy: 0 } };
  expect(toRemarks(waiting)).toEqual(['No key right: counted, but no best.']);
});
