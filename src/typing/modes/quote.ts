import { createRandom } from '../choice/random.ts';
import type { Material, RoundText } from './material.ts';
import type { ModeOf } from './mode.ts';
import { defaultPractice } from './practice.ts';
import { linedText } from './text.ts';
import { wordsText } from './words.ts';

/** In UTF-16 units: quotes below the first are short, below the second medium. */
const [mediumFrom, longFrom] = [100, 300];

/** A quote of this length, or any quote if there is none; words with punctuation if the language has no quotes. */
export function quoteText({ length }: ModeOf<'quote'>, material: Material): RoundText {
  const { quotes, seed } = material;
  const same = quotes.filter(({ text }) => length === 'any' || lengthOf(text) === length);
  const possible = same.length > 0 ? same : quotes;
  const quote = possible[Math.floor(createRandom(seed)() * possible.length)];
  if (quote === undefined) {
    return wordsText({ type: 'words', count: 30 }, material, { ...defaultPractice, punctuation: true });
  }
  return { words: linedText(quote.text).words };
}

function lengthOf({ length }: string): 'short' | 'medium' | 'long' {
  if (length < mediumFrom) return 'short';
  return length < longFrom ? 'medium' : 'long';
}
