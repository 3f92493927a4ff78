import type { Chapter } from '../statistics/history.ts';
import type { Bias } from './biased-words.ts';

/** A bias treats shorter texts as letters and pairs of letters. */
const shortestWord = 3;
/** How strongly a word with one fresh mistake is preferred, and the limit for many mistakes; as logarithms. */
const firstMistake = 3.5;
const strongest = 6;

/** Prefers the words that went wrong before; each correct repetition since then halves the effect. */
export function toWordBias(chapters: readonly Chapter[], isWord: (text: string) => boolean): Bias {
  const troubles = new Map<string, number>();
  for (const { keys } of chapters) {
    for (const [word, trouble] of Object.entries(keys.troubles)) {
      if (word.length >= shortestWord && isWord(word))
        troubles.set(word, (troubles.get(word) ?? 0) + trouble);
    }
  }
  return new Map(
    [...troubles].map(([word, trouble]) => [word, Math.min(strongest, firstMistake + Math.log(trouble))]),
  );
}
