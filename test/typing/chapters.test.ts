import { expect, test } from 'vitest';
import { foldRounds, historyBytes, newHistory } from '../../src/typing/statistics/history.ts';
import { newJournalRound } from '../server/stores/journal-rounds.ts';

test('rounds of a thousand kinds all count, and take the room of a few', () => {
  const kinds = Array.from({ length: 1_000 }, (_, at) => ({
    ...newJournalRound(String(at)),
    mode: `words-${10 + (at % 100)}`,
    layout: `layout-${at}`,
  }));
  const history = foldRounds(newHistory(), kinds);
  expect(history.rounds).toBe(1_000);
  expect(Object.keys(history.chapters).length).toBeLessThanOrEqual(33);
  const chapters = Object.values(history.chapters);
  expect(chapters.reduce((sum, { rounds, notCounted }) => sum + rounds + notCounted, 0)).toBe(1_000);
  expect(historyBytes(history)).toBeLessThan(2_000_000);
});

test('kinds that are there already go on by themselves', () => {
  const round = (at: number, layout: string) => ({ ...newJournalRound(`${layout}-${at}`), layout });
  const many = Array.from({ length: 100 }, (_, at) => round(0, `layout-${at}`));
  const history = foldRounds(foldRounds(newHistory(), many), [round(1, 'layout-3'), round(1, 'layout-99')]);
  expect(history.chapters['words-30 en layout-3']).toMatchObject({ layout: 'layout-3' });
  expect(history.chapters['other en qwerty']?.mode).toBe('other');
});
