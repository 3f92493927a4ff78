import { expect, test } from 'vitest';
import { qwerty } from '../../src/typing/letters/layout.ts';
import {
  countEntries,
  foldRounds,
  historyBytes,
  newChapter,
  newHistory,
} from '../../src/typing/statistics/history.ts';
import { newStoredRound } from '../server/stores/stored-rounds.ts';

test('rounds of a thousand kinds all count, and take the memory of a few kinds', () => {
  const kinds = Array.from({ length: 1_000 }, (_, at) => ({
    ...newStoredRound(String(at)),
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

test('existing kinds continue separately', () => {
  const round = (at: number, layout: string) => ({ ...newStoredRound(`${layout}-${at}`), layout });
  const many = Array.from({ length: 100 }, (_, at) => round(0, `layout-${at}`));
  const history = foldRounds(foldRounds(newHistory(), many), [round(1, 'layout-3'), round(1, 'layout-99')]);
  expect(history.chapters['words-30 en layout-3']).toMatchObject({ layout: 'layout-3' });
  expect(history.chapters['other en qwerty']?.mode).toBe('other');
});

test('a word that no list can have is not remembered, and remembered ones count by their length', () => {
  const slip = (at: number, word: string) => ({
    ...newStoredRound(String(at)),
    words: [word],
    keys: ['x', ' '],
    seekTimes: [0, 0],
    rules: { earlySpace: 'skip', stopOn: 'none', backspace: 'free' } as const,
  });
  const troublesOf = (word: string) => {
    const history = foldRounds(newHistory(), [slip(1, word)]);
    const [chapter] = Object.values(history.chapters);
    return { history, words: Object.keys(chapter?.keys.troubles ?? {}) };
  };
  expect(troublesOf('ab'.repeat(5_000)).words).toEqual([]);
  const [short, long] = [troublesOf('ab'), troublesOf('ab'.repeat(32))];
  expect([short.words.length, long.words.length]).toEqual([1, 1]);
  expect(historyBytes(long.history) - historyBytes(short.history)).toBe(2 * 62);
  expect(countEntries(Object.values(long.history.chapters))).toBe(
    countEntries(Object.values(short.history.chapters)),
  );
});

test('every entry of every chapter counts for the time to read it and for its memory', () => {
  const empty = newChapter({ mode: 'words-30', language: 'en', layout: 'qwerty' });
  const times = { ms: 100, count: 1, recentMs: 100, recentCount: 1, at: 0 };
  const filled = { ...empty, keys: { ...empty.keys, bigrams: { th: times, he: times, er: times } } };
  const entries = countEntries([filled]);
  expect(entries).toBe(countEntries([empty]) + 3);
  expect(countEntries([filled, { ...filled }])).toBe(2 * entries);
  const bytesOf = (chapter: typeof empty) => historyBytes({ rounds: 1, chapters: { chapter } });
  expect(bytesOf(filled)).toBeGreaterThan(bytesOf(empty));
  // A keyboard of one's own is kept with the chapter.
  expect(bytesOf({ ...filled, keyboard: qwerty }) - bytesOf(filled)).toBeGreaterThan(
    JSON.stringify(qwerty).length,
  );
});
