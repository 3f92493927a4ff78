import { readLanguages } from '../../../../server/stores/languages.ts';
import { readWordList } from '../../../../server/typing/library.ts';
import { normalForm } from '../../../../typing/rules/word.ts';

/** Fewer words are too few for a guess; more do not improve it. */
const minWords = 20;
const maxWords = 2000;
/** The most frequent words of a language make up half of any text in it. */
const frequentWords = 300;
const minShare = 0.25;
/** A language that comes this close to the best one may be the right one, too, as Danish and Norwegian. */
const clearLead = 1.2;

/** The language of a text, by its most frequent words; undefined where none is clearly ahead. */
export function guessLanguage(text: string): string | undefined {
  const words = normalForm(text.slice(0, maxWords * 20).toLowerCase()).match(/\p{L}+/gu) ?? [];
  if (words.length < minWords) return undefined;
  const shares = [...readLanguages().keys()]
    .map((id) => ({ id, share: shareOf(words.slice(0, maxWords), id) }))
    .toSorted((a, b) => b.share - a.share);
  const [best, second] = shares;
  if (best === undefined || best.share < minShare) return undefined;
  return best.share > clearLead * (second?.share ?? 0) ? best.id : undefined;
}

function shareOf(words: readonly string[], language: string): number {
  const frequent = new Set(readWordList(language).slice(0, frequentWords));
  return words.filter((word) => frequent.has(word)).length / words.length;
}
