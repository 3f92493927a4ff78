import { expect, it } from 'vitest';
import { readWordList } from '../../src/server/typing/library.ts';
import { createRandom } from '../../src/typing/choice/random-draw.ts';
import { letterBias } from '../../src/typing/choice/weaknesses.ts';
import { createWordChooser } from '../../src/typing/choice/word-choice.ts';
import { english } from '../../src/typing/letters/language.ts';
import { chaptersOf, foldRounds, newHistory } from '../../src/typing/statistics/history.ts';

const choose = createWordChooser(readWordList());
const alphabet = [...'abcdefghijklmnopqrstuvwxyz'];
const typists = 6;
const practised = 20;

/** The letters of each round that a typist meets who misses, or is slow to find, the weak ones more than the others. */
function practise(weak: string, way: 'missed' | 'slow', seed: number): string[] {
  const random = createRandom(seed);
  const met: string[] = [];
  let history = newHistory();
  for (let round = 0; round < 2 * practised; round++) {
    const words = choose({
      seed: seed * 1000 + round,
      bias: letterBias(chaptersOf(history), english.alphabet),
    });
    met.push(words.join(''));
    const pressed = [...words.join(' '), ' '].flatMap((key): [string, number][] => {
      const isWeak = weak.includes(key);
      const ms = Math.round((150 + 80 * random()) * (isWeak && way === 'slow' ? 1.6 : 1));
      const isMissed = key !== ' ' && random() < (isWeak && way === 'missed' ? 0.15 : 0.03);
      return isMissed
        ? [
            ['#', ms],
            ['\b', 0],
            [key, ms],
          ]
        : [[key, ms]];
    });
    const [keys, seekTimes] = [pressed.map(([key]) => key), pressed.map(([, ms]) => ms)];
    const timing = { start: 0, end: 60_000, duration: 60_000 };
    history = foldRounds(history, [{ id: String(round), words, keys, seekTimes, timing }]);
  }
  return met;
}

const lettersOf = (rounds: readonly string[][]) => rounds.flat().join('');
const share = (text: string, letter: string) => (text.split(letter).length - 1) / text.length;
const uniform = lettersOf([Array.from({ length: 1200 }, (_, seed) => choose({ seed }).join(''))]);
const practiseAll = (weak: string, way: 'missed' | 'slow') =>
  Array.from({ length: typists }, (_, at) => practise(weak, way, at + 1));

it.each([
  ['e', 'missed'],
  ['q', 'missed'],
  ['rt', 'missed'],
  ['kzp', 'missed'],
  ['a', 'slow'],
  ['jn', 'slow'],
] as const)('a typist by whom %s is %s meets it at least 1.5 times as often after 20 rounds', (weak, way) => {
  const rounds = practiseAll(weak, way);
  const later = lettersOf(rounds.map((met) => met.slice(practised)));
  for (const letter of weak)
    expect(share(later, letter) / share(uniform, letter), letter).toBeGreaterThan(1.5);
  for (const met of rounds) {
    const soon = met.slice(0, 30).join('');
    expect(alphabet.filter((letter) => !soon.includes(letter))).toEqual([]);
  }
});

it('for a typist without weaknesses, no letter becomes rare', () => {
  const later = lettersOf(practiseAll('', 'missed').map((met) => met.slice(practised)));
  const shares = alphabet.map((letter) => share(later, letter) / share(uniform, letter));
  expect(Math.min(...shares)).toBeGreaterThan(0.7);
});
