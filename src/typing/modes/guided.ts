import { focusWeights, inventWords } from '../choice/guided-words.ts';
import {
  leastConfident,
  lettersByFrequency,
  letterTimeOf,
  openLetters,
  targetMs,
} from '../choice/open-letters.ts';
import { createRandom, drawApart, weightedWords } from '../choice/random-draw.ts';
import { wordsOf } from '../rules/word.ts';
import type { ModeOf } from './mode.ts';
import type { Material, RoundText } from './practice.ts';

const wordCount = 30;
/** If fewer words have only open letters, or have the focused letter inside, invented ones are added. */
const minWords = 60;
const minWithFocus = 20;
const maxLength = 10;

/** Words of the open letters, most with the one that needs most practice; invented ones if too few. */
export function guidedText(
  { target_wpm: wpm }: ModeOf<'guided'>,
  { seed, words, language, chapters, isLeftOut }: Material,
): RoundText {
  const random = createRandom(seed);
  const target = wpm === undefined ? targetMs : 60_000 / (wpm * 5);
  const guided = chapters.filter(({ mode }) => mode === 'guided');
  const open = openLetters(lettersByFrequency(words, language.alphabet), guided, target);
  const focus = leastConfident(open, guided, target);
  const ofOpenLetters = new RegExp(`^[${open.join('')}]{1,${maxLength}}$`);
  const possible = words.filter((word) => ofOpenLetters.test(word));
  const withFocus = possible.reduce((count, word) => count + Number(word.includes(focus, 1)), 0);
  const missing = Math.max(minWords - possible.length, minWithFocus - withFocus);
  const invented = inventWords(words, open, focus, missing, random);
  const pool = [...new Set([...possible, ...invented.filter((word) => !isLeftOut(word))])];
  const weighted = weightedWords(pool, focusWeights(pool, focus));
  const drawn = drawApart(new Array<typeof weighted>(wordCount).fill(weighted), weighted, random);
  const opened = open.map((letter) => ({ text: letter, ms: letterTimeOf(letter, guided), targetMs: target }));
  return { words: wordsOf(drawn), focus: opened };
}
