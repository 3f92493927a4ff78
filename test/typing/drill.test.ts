import { expect, it } from 'vitest';
import { openLibrary } from '../../src/server/typing/library.ts';
import { defaultPractice, type Practice } from '../../src/typing/modes/practice.ts';
import { roundText } from '../../src/typing/modes/round-text.ts';
import { wordText } from '../../src/typing/rules/word.ts';
import type { FinishedRound } from '../../src/typing/statistics/finished-round.ts';
import { foldRounds, type History, newHistory } from '../../src/typing/statistics/history.ts';

const library = openLibrary();

/** Words of 160 rounds of this drill. */
const drill = (on: 'letters' | 'bigrams' | 'words', history: History) => {
  const practice: Practice = { ...defaultPractice, mode: { type: 'drill', on } };
  const rounds = Array.from({ length: 160 }, (_, seed) =>
    roundText(practice, library.materialOf(practice, seed, history)),
  );
  return { words: rounds.flatMap(({ words }) => words.map(wordText)), focus: rounds[0]?.focus };
};
const shareOf = (words: readonly string[], part: string) =>
  words.filter((word) => word.includes(part)).length / words.length;

/** Ten rounds of these words, in which one letter is missed once each time it comes, or a pair takes long. */
function historyOf(words: readonly string[], { missed = '', slow = '' }): History {
  const text = words.flatMap((word) => [...word, ' ']);
  const keys = text.flatMap((key) => (key === missed ? ['#', '\b', key] : [key]));
  const round: FinishedRound = {
    id: 'r',
    words,
    keys,
    seekTimes: keys.map((key, at) => (`${keys[at - 1]}${key}` === slow ? 900 : key === '\b' ? 0 : 150)),
    timing: { start: 0, end: 60_000, duration: 60_000 },
  };
  return foldRounds(
    newHistory(),
    Array.from({ length: 10 }, (_, at) => ({ ...round, id: String(at) })),
  );
}

const words = ['quick', 'brown', 'maple', 'light', 'south', 'never'];

it('on letters brings the letters that are missed, more strongly than a round of words', () => {
  const history = historyOf(words, { missed: 'w' });
  const plain = Array.from({ length: 160 }, (_, seed) =>
    roundText(defaultPractice, library.materialOf(defaultPractice, seed, history)),
  ).flatMap((round) => round.words.map(wordText));
  const drilled = drill('letters', history);
  // Of 160 rounds it is 1.11; of 40 it depended on the seeds.
  expect(shareOf(drilled.words, 'w')).toBeGreaterThan(1.08 * shareOf(plain, 'w'));
  expect(shareOf(plain, 'w')).toBeGreaterThan(1.2 * shareOf(drill('letters', newHistory()).words, 'w'));
  expect(drilled.focus).toBeUndefined();
});

it('on words brings the words that went wrong, and no other words of their letters', () => {
  const history = historyOf(words, { missed: 'w' });
  const { words: drilled, focus } = drill('words', history);
  const comes = (word: string) => drilled.filter((other) => other === word).length;
  expect(comes('brown')).toBeGreaterThan(100);
  for (const right of ['quick', 'maple', 'light']) expect(comes(right)).toBeLessThan(40);
  expect(focus).toBeUndefined();
});

it('on pairs brings the slow pairs, says which, and against which mean time', () => {
  const { words: drilled, focus } = drill('bigrams', historyOf(words, { slow: 'ro' }));
  expect(shareOf(drilled, 'ro')).toBeGreaterThan(3 * shareOf(drill('bigrams', newHistory()).words, 'ro'));
  expect(focus?.[0]).toMatchObject({ text: 'ro', ms: expect.closeTo(900, -2) });
  expect(focus?.[0]?.targetMs).toBeGreaterThan(150);
  expect(focus?.[0]?.targetMs).toBeLessThan(300);
});
