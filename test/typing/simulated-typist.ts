// Typists who do not exist: how long a key takes them and how often they miss it is a formula. They show what a mode of
// practice chooses for a weakness that is known, and say nothing of people.
import { languageOf } from '../../src/server/stores/languages.ts';
import type { Library } from '../../src/server/typing/library.ts';
import type { Random } from '../../src/typing/choice/random-draw.ts';
import { createRandom } from '../../src/typing/choice/random-draw.ts';
import { modeName } from '../../src/typing/modes/mode.ts';
import { defaultPractice, type Practice } from '../../src/typing/modes/practice.ts';
import { roundText } from '../../src/typing/modes/round-text.ts';
import { backspaceKey, spaceKey } from '../../src/typing/rules/rules.ts';
import { wordText } from '../../src/typing/rules/word.ts';
import type { FinishedRound } from '../../src/typing/statistics/finished-round.ts';
import { type History, newHistory } from '../../src/typing/statistics/history.ts';
import { foldRounds } from './fold-rounds.ts';

export interface SimulatedTypist {
  /** Milliseconds that a letter takes after the one before it, on average; missing at the beginning of a word. */
  readonly timeOf: (letter: string, before: string | undefined) => number;
  /** How often the letter goes wrong in this word, 0 to 1. */
  readonly missesOf: (letter: string, word: string) => number;
  /** Told of every letter typed, in order; a typist who learns remembers it. */
  readonly learn?: (letter: string, before: string | undefined, word: string) => void;
}

/** Someone with no weakness but those given. */
export function newTypist(weaknesses: Partial<SimulatedTypist> = {}): SimulatedTypist {
  return { timeOf: () => 180, missesOf: () => 0.03, ...weaknesses };
}

/** One key takes from 70 % to 130 % of its time. */
const jitter = 0.6;

/** Types these words: what goes wrong is taken back and typed again. */
function typeWords(
  words: readonly string[],
  typist: SimulatedTypist,
  random: Random,
): Pick<FinishedRound, 'words' | 'keys' | 'seekTimes' | 'timing'> {
  const keys: string[] = [];
  const seekTimes: number[] = [];
  const press = (key: string, ms: number) => {
    keys.push(key);
    seekTimes.push(Math.max(1, Math.round(ms * (1 - jitter / 2 + jitter * random()))));
  };
  for (const word of words) {
    let before: string | undefined;
    for (const letter of word) {
      const ms = typist.timeOf(letter, before);
      if (random() < typist.missesOf(letter, word)) {
        press(letter === '#' ? '%' : '#', ms);
        press(backspaceKey, 120);
      }
      press(letter, ms);
      typist.learn?.(letter, before, word);
      before = letter;
    }
    press(spaceKey, 100);
  }
  const duration = seekTimes.reduce((sum, ms) => sum + ms, 0);
  return { words, keys, seekTimes, timing: { start: 0, end: duration, duration } };
}

/** Someone at practice: the words of each round follow from the rounds before it. */
export interface Course {
  /** Plays so many rounds and gives the words of each. */
  play(practice: Partial<Practice>, rounds: number): string[][];
  readonly history: () => History;
  /** The rounds so far, as they went into the history. */
  readonly rounds: readonly FinishedRound[];
}

/** @param isBlind every round is chosen as for somebody new: what chance brings */
export function startCourse(
  library: Library,
  typist: SimulatedTypist,
  seed: number,
  isBlind = false,
): Course {
  const random = createRandom(seed);
  const rounds: FinishedRound[] = [];
  let history = newHistory();
  const playOne = (practice: Practice): string[] => {
    const known = isBlind ? newHistory() : history;
    const drawn = roundText(practice, library.materialOf(practice, Math.floor(random() * 2 ** 32), known));
    const words = drawn.words.map(wordText);
    const { language, layout, mode } = practice;
    const kind = { id: String(rounds.length), mode: modeName(mode), language, layout };
    const round: FinishedRound = { ...typeWords(words, typist, random), ...kind };
    rounds.push(round);
    history = foldRounds(history, [round], languageOf);
    return words;
  };
  return {
    play: (practice, count) =>
      Array.from({ length: count }, () => playOne({ ...defaultPractice, ...practice })),
    history: () => history,
    rounds,
  };
}

/** How often a part (a letter, or a pair of letters) comes for each letter of the words. */
export function frequencyOf(part: string, rounds: readonly (readonly string[])[]): number {
  const words = rounds.flat();
  const times = words.reduce((sum, word) => sum + word.split(part).length - 1, 0);
  return times / words.join('').length;
}
