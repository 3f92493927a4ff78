import { beforeEach, expect, it } from 'vitest';
import { createHistoryStatistics, type HistoryStatistics } from '../../../../src/server/typing/statistics.ts';
import { type Layout, qwerty } from '../../../../src/typing/letters/layout.ts';
import {
  chaptersOf,
  foldRounds,
  type History,
  newHistory,
} from '../../../../src/typing/statistics/history.ts';
import { newStoredRound, toRoundId } from '../../stores/stored-rounds.ts';

let computed: number;
let statisticsOf: HistoryStatistics;
const roundOf = (number: number, mode = 'words-30') => ({ ...newStoredRound(toRoundId(number)), mode });
const history = foldRounds(newHistory(), [roundOf(1), roundOf(2), roundOf(3, 'text')]);
const read = (of: History, kind = {}) => statisticsOf(of, chaptersOf(of, kind));

/** Every computation asks once for the layout of each chapter. */
const countLayouts = (): Layout => {
  computed += 1;
  return qwerty;
};

beforeEach(() => {
  computed = 0;
  statisticsOf = createHistoryStatistics(countLayouts);
});

it('computes the statistics of a history once, for all queries that match the same chapters', () => {
  const all = [read(history), read(history), read(history, { layout: 'qwerty' })];
  expect(all.map(({ rounds }) => rounds)).toEqual([3, 3, 3]);
  expect(read(history)).toBe(all[0]);
  expect(computed).toBe(2);
});

it('answers for other chapters, and for a history with another round, with their own statistics', () => {
  expect(read(history).rounds).toBe(3);
  expect(read(history, { mode: 'text' }).rounds).toBe(1);
  expect(read(history, { mode: 'quote' }).rounds).toBe(0);
  expect(read(history).rounds).toBe(3);
  expect(read(foldRounds(history, [roundOf(4)])).rounds).toBe(4);
});

it('computes again after it has failed', () => {
  let fails = true;
  statisticsOf = createHistoryStatistics(() => {
    if (fails) throw new Error('no layouts now');
    return qwerty;
  });
  expect(() => read(history)).toThrow('no layouts now');
  fails = false;
  expect(read(history).rounds).toBe(3);
});
