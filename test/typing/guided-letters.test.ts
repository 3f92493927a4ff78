import { describe, expect, it } from 'vitest';
import { languageOf } from '../../src/server/stores/languages.ts';
import { openLibrary } from '../../src/server/typing/library.ts';
import { spaceKey } from '../../src/typing/rules/rules.ts';
import type { FinishedRound } from '../../src/typing/statistics/finished-round.ts';
import { type Course, frequencyOf, newTypist, startCourse } from './simulated-typist.ts';

const library = openLibrary();
const guided = { type: 'guided' } as const;
/** 35 words a minute. */
const targetMs = 60_000 / 35 / 5;
const [firstLetters, enoughTimes, halfLife] = [6, 10, 20];

/** Letters of a language, the most frequent first: a word of rank r (from 0) weighs 1 / (r + 10). */
function orderOf(language: string): string[] {
  const words = library.wordsOf(language);
  const weightOf = (letter: string) =>
    words.reduce((sum, word, rank) => sum + (word.split(letter).length - 1) / (rank + 10), 0);
  const weights = new Map([...languageOf(language).alphabet].map((letter) => [letter, weightOf(letter)]));
  return [...weights].sort(([, a], [, b]) => b - a).map(([letter]) => letter);
}

interface Time {
  readonly round: number;
  readonly ms: number;
}

/** The times of each letter, from the raw keys of flawless rounds; a key that begins a word has none. */
class LetterTimes {
  private readonly times = new Map<string, Time[]>();
  private rounds = 0;

  add({ keys, seekTimes }: FinishedRound): void {
    for (const [at, key] of keys.entries()) {
      if (at === 0 || key === spaceKey || keys[at - 1] === spaceKey) continue;
      const times = this.times.get(key) ?? [];
      times.push({ round: this.rounds, ms: seekTimes[at] as number });
      this.times.set(key, times);
    }
    this.rounds++;
  }

  /** Later rounds weigh more. */
  isLearned(letter: string): boolean {
    const times = this.times.get(letter) ?? [];
    const last = times.at(-1)?.round ?? 0;
    let [count, sum] = [0, 0];
    for (const { round, ms } of times) {
      const weight = 2 ** ((round - last) / halfLife);
      count += weight;
      sum += weight * ms;
    }
    return count >= enoughTimes && sum / count <= targetMs;
  }
}

function openAfter(order: readonly string[], times: LetterTimes): string[] {
  let open = firstLetters;
  while (open < order.length && order.slice(0, open).every((letter) => times.isLearned(letter))) open++;
  return order.slice(0, open);
}

/** Each letter takes 160 ms and, at first, 500 ms more, which fall with practice (power law of practice). */
function newLearner() {
  const times = new Map<string, number>();
  return newTypist({
    missesOf: () => 0,
    timeOf: (letter) => 160 + 500 * (1 + (times.get(letter) ?? 0) / 10) ** -0.7,
    learn: (letter) => times.set(letter, (times.get(letter) ?? 0) + 1),
  });
}

const playOne = (course: Course, language: string, layout: string) =>
  course.play({ language, layout, mode: guided }, 1)[0] as string[];

describe.each([
  ['en', 'colemak'],
  ['tr', 'neo'],
])('guided in %s on %s', (language, layout) => {
  const order = orderOf(language);

  it('a typist who learns opens every letter, and each only after all earlier ones have reached the target', () => {
    const course = startCourse(library, newLearner(), 5);
    const met = new Set<string>();
    const times = new LetterTimes();
    for (let round = 0; round < 250 && met.size < order.length; round++) {
      const open = openAfter(order, times);
      const letters = [...playOne(course, language, layout).join('')];
      expect(letters.filter((letter) => !open.includes(letter))).toEqual([]);
      for (const letter of letters) met.add(letter);
      times.add(course.rounds.at(-1) as FinishedRound);
    }
    expect([...met].sort()).toEqual([...order].sort());
  });

  it('a typist who never reaches the target stays with six letters', () => {
    const course = startCourse(library, newTypist({ timeOf: () => 400 }), 5);
    for (let round = 0; round < 15; round++) {
      const letters = new Set(playOne(course, language, layout).join(''));
      expect([...letters].filter((letter) => !order.slice(0, firstLetters).includes(letter))).toEqual([]);
    }
  });

  it('an open letter that is slow comes 1.5 times as often as in the words of the open letters', () => {
    const first = order.slice(0, firstLetters);
    const words = library
      .wordsOf(language)
      .filter((word) => [...word].every((letter) => first.includes(letter)) && word.length <= 10);
    for (const slow of first.filter((_, at) => at % 2 === 0)) {
      const typist = newTypist({ missesOf: () => 0, timeOf: (letter) => (letter === slow ? 500 : 200) });
      const course = startCourse(library, typist, 5);
      course.play({ language, layout, mode: guided }, 5);
      const met = course.play({ language, layout, mode: guided }, 15);
      expect(frequencyOf(slow, met) / frequencyOf(slow, [words]), slow).toBeGreaterThan(1.5);
      for (const letter of first) expect(frequencyOf(letter, met), letter).toBeGreaterThan(0.02);
    }
  });
});
