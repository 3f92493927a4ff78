import { expect, it } from 'vitest';
import { openLibrary } from '../../src/server/typing/library.ts';
import { lettersByFrequency } from '../../src/typing/choice/open-letters.ts';
import { guidedText } from '../../src/typing/modes/guided.ts';
import type { Material } from '../../src/typing/modes/practice.ts';
import { defaultPractice, type Practice } from '../../src/typing/modes/practice.ts';
import { wordText } from '../../src/typing/rules/word.ts';
import type { FinishedRound } from '../../src/typing/statistics/finished-round.ts';
import { type Chapter, chaptersOf, newHistory } from '../../src/typing/statistics/history.ts';
import { newKeyTally } from '../../src/typing/statistics/key-tally.ts';
import { typedRound } from '../support/typed-rounds.ts';
import { foldRounds } from './fold-rounds.ts';

const library = openLibrary();
const practice: Practice = { ...defaultPractice, mode: { type: 'guided' } };
const order = lettersByFrequency(
  library.wordsOf('en'),
  library.materialOf(practice, 1, newHistory()).language.alphabet,
);

const typed: FinishedRound = {
  id: 'r',
  words: ['a'],
  keys: ['a', ' '],
  seekTimes: [0, 0],
  timing: { start: 0, end: 60_000, duration: 60_000 },
};

/** What is known of a player whose keys take this long, a letter each, and once took `best`. */
function chapterOf(
  mode: string,
  times: Readonly<Record<string, number>>,
  best: Readonly<Record<string, number>> = times,
): Chapter {
  const [chapter] = chaptersOf(foldRounds(newHistory(), [typed]));
  const toRecent = (ms: number) => ({ presented: 20, correct: 20, ms: 20 * ms, count: 20, at: 1 });
  const recent = Object.fromEntries(Object.entries(times).map(([letter, ms]) => [letter, toRecent(ms)]));
  return { ...(chapter as Chapter), mode, keys: { ...newKeyTally(), recent, best } };
}

const timesOf = (letters: readonly string[], ms: number) =>
  Object.fromEntries(letters.map((letter) => [letter, ms]));

const guide = (seed: number, material: Partial<Material> = {}) =>
  guidedText({ type: 'guided' }, { ...library.materialOf(practice, seed, newHistory()), ...material });

const openIn = (material: Partial<Material>) => guide(1, material).focus?.map(({ text }) => text);

/** All words of many rounds. */
const wordsOf = (material: Partial<Material>, length = 40) =>
  new Set(Array.from({ length }, (_, seed) => guide(seed, material).words.map(wordText)).flat());

it('a letter that was ever at the target stays open, and keeps open what came after it', () => {
  const fast = timesOf(order.slice(0, 9), 200);
  const tired = { ...fast, [order[0] as string]: 600 };
  expect(openIn({ chapters: [chapterOf('guided', tired, fast)] })).toEqual(order.slice(0, 10));
});

it('the time of a letter at the end of its best round is kept after worse ones', () => {
  const typedAt = (ms: number) =>
    typedRound({ at: new Date(0), mode: 'guided', slipEvery: 0, wpm: 12_000 / ms });
  const rounds = [...Array(10).fill(200), ...Array(10).fill(900)].map((ms) => typedAt(ms));
  const [chapter] = chaptersOf(foldRounds(newHistory(), rounds));
  const { best, recent } = (chapter as Chapter).keys;
  const { ms = 0, count = 1 } = recent.e ?? {};
  expect(Object.keys(best).filter((name) => name.length > 1)).toEqual([]);
  expect(best.e).toBeLessThan(300);
  expect(ms / count).toBeGreaterThan(400);
});

it('the letters are shown with the time that each takes, and the target', () => {
  const { focus } = guide(1, { chapters: [chapterOf('guided', timesOf(order.slice(0, 6), 250))] });
  expect(focus).toHaveLength(7);
  for (const { text, ms, targetMs } of focus ?? []) {
    expect(ms).toBe(text === order[6] ? null : 250);
    expect(targetMs).toBeCloseTo(342.86, 2);
  }
});

it('a list with few words of the open letters, or few with the letter to practise inside, gets invented ones', () => {
  const few = ['abc', 'bcd', 'cde', 'def', 'efa', 'fab'];
  const metOfFew = [...wordsOf({ words: few })];
  expect(metOfFew.length).toBeGreaterThan(40);
  expect(metOfFew.filter((word) => !/^[a-f]{3,6}$/.test(word))).toEqual([]);
  // 125 words of five letters, and the sixth, the one to practise, only begins some of them.
  const five = [...'abcde'];
  const words = five.flatMap((a) => five.flatMap((b) => five.map((c) => a + b + c)));
  words.push(...five.map((letter) => `f${letter}`));
  const invented = [...wordsOf({ words })].filter((word) => !words.includes(word));
  expect(invented.length).toBeGreaterThan(10);
  for (const word of invented) expect(word.indexOf('f', 1)).toBeGreaterThan(0);
});

it('an invented word is never one that the lists leave out', () => {
  const words = library.wordsOf('en').slice(0, 300);
  const isLeftOut = (word: string) => word.length === 3;
  const inventedOf = (material: Partial<Material>) =>
    [...wordsOf({ words, ...material })].filter((word) => !words.includes(word));
  expect(inventedOf({}).filter(isLeftOut)).not.toEqual([]);
  expect(inventedOf({ isLeftOut }).length).toBeGreaterThan(50);
  expect(inventedOf({ isLeftOut }).filter(isLeftOut)).toEqual([]);
});

it('only rounds in guided mode open letters', () => {
  const times = timesOf(order, 100);
  expect(openIn({ chapters: [chapterOf('words-30', times)] })).toEqual(order.slice(0, 6));
  expect(openIn({ chapters: [chapterOf('guided', times)] })).toEqual(order);
});

it('while the language has enough words of the open letters, with the one to practise inside, none is invented', () => {
  const words = new Set(library.wordsOf('en'));
  for (const weak of order.slice(0, 6)) {
    const times = { ...timesOf(order, 200), [weak]: 900 };
    const met = wordsOf({ chapters: [chapterOf('guided', times, timesOf(order, 200))] }, 4);
    expect([...met].filter((word) => !words.has(word) || word.length > 10)).toEqual([]);
    const inside = [...met].filter((word) => word.includes(weak, 1));
    expect(inside.length, weak).toBeGreaterThan(met.size / 2);
  }
});

it('a list of fewer than six letters is practised with all of them', () => {
  expect(openIn({ words: ['ab', 'ba', 'aab'], language: { id: 'xx', name: 'X', alphabet: 'ab' } })).toEqual([
    'a',
    'b',
  ]);
});

it('the time of a letter is known after ten presses, added up over the layouts and modes that count', () => {
  const half = (ms: number) => {
    const chapter = chapterOf('guided', { e: ms });
    const recent = { e: { presented: 5, correct: 5, ms: 5 * ms, count: 5, at: 1 } };
    return { ...chapter, keys: { ...chapter.keys, recent } };
  };
  const timeOf = (chapters: Chapter[]) => guide(1, { chapters }).focus?.find(({ text }) => text === 'e')?.ms;
  expect(timeOf([half(100)])).toBeNull();
  expect(timeOf([half(100), half(300)])).toBe(200);
});
