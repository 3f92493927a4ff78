import { createRandom } from '../choice/random-draw.ts';
import { drillText } from './drill.ts';
import { guidedText } from './guided.ts';
import { defaultMode, type ModeOf } from './mode.ts';
import { defaultPractice, type Material, type Practice, type RoundText } from './practice.ts';
import { linedText } from './text.ts';
import { wordsText } from './words.ts';

export function roundText(practice: Practice, material: Material): RoundText {
  const { mode } = practice;
  switch (mode.type) {
    case 'words':
    case 'time':
      return wordsText(mode, material, practice);
    case 'text':
      return linedText(mode.text, material.before);
    case 'quote':
      return quoteText(mode, material);
    case 'code':
      return codeText(material);
    case 'drill':
      return drillText(mode, material, practice);
    case 'guided':
      return guidedText(mode, material);
  }
}

/** In UTF-16 units: quotes below the first are short, below the second medium. */
const [mediumFrom, longFrom] = [100, 300];

/** A quote of this length, or any if there is none; words with punctuation if the language has no quotes. */
export function quoteText({ length }: ModeOf<'quote'>, material: Material): RoundText {
  const { quotes, seed } = material;
  const same = quotes.filter(({ text }) => length === 'any' || lengthOf(text) === length);
  const possible = same.length > 0 ? same : quotes;
  const quote = possible[Math.floor(createRandom(seed)() * possible.length)];
  if (quote === undefined) {
    return wordsText(defaultMode, material, { ...defaultPractice, punctuation: true });
  }
  return { words: linedText(quote.text).words, source: quote.from };
}

function lengthOf({ length }: string): 'short' | 'medium' | 'long' {
  if (length < mediumFrom) return 'short';
  return length < longFrom ? 'medium' : 'long';
}

/** A piece of code, line by line; its indentation is shown, not typed. */
function codeText({ code, seed }: Material): RoundText {
  return linedText(code[Math.floor(createRandom(seed)() * code.length)] ?? '');
}
