import { bigramBias, letterBias, type SlowPair, slowPairs, wordBias } from '../choice/weaknesses.ts';
import type { Bias } from '../choice/weighting.ts';
import { normalForm } from '../rules/word.ts';
import type { DrillMode } from './mode.ts';
import type { Focus, Material, Practice, RoundText } from './practice.ts';
import { linedText } from './text.ts';
import { drawText } from './words.ts';

const wordCount = 30;
/** How much more strongly than a round of words a drill prefers weak letters. */
const letterStrength = 1.4;
/**
 * Share of a drill that is drawn without preference, so that no letter, pair or word disappears. The fewer words have what is
 * drilled, the more letters are in none of them.
 */
const evenShares = { bigrams: 0.2, letters: 0.2, words: 0.5 } as const;
/** Nobody keeps more letters or pairs in mind while typing. */
const maxTargets = 6;
/**
 * Words with each pair or letter. A pair: one more than the presses that a verdict needs, because one may go wrong. A letter: the other places
 * go by how much practice each of them needs.
 */
const minTimes = { bigrams: 4, letters: 2 } as const;
/** Words with the letters or pairs that this player misses or is slow on, or the words that went wrong before. */
export function drillText(mode: DrillMode, material: Material, practice: Practice): RoundText {
  const { on, text, targets } = mode;
  if (text !== undefined) return { words: linedText(text, material.before).words };
  const { chapters, language, drillable, isWord } = material;
  if (targets !== undefined && on !== 'words') return drillOf(targets, on, material, practice);
  switch (on) {
    case 'letters': {
      const bias = strongLetterBias(chapters, language.alphabet);
      const parts = strongest(bias).filter((letter) => drillable().has(letter));
      const wanted = {
        parts: parts.slice(0, maxTargets),
        minTimes: minTimes.letters,
        evenShare: evenShares.letters,
      };
      return drawText(wordCount, bias, material, practice, wanted);
    }
    case 'words': {
      const bias = wordBias(chapters, isWord);
      const wanted = { parts: [...bias.keys()], minTimes: 0, evenShare: evenShares.words };
      return drawText(wordCount, bias, material, practice, wanted);
    }
    default: {
      const { pairs, mean } = slowPairs(chapters, (pair) => drillable().has(pair));
      const focus = pairs.slice(0, maxTargets);
      const parts = focus.map(({ pair }) => pair);
      const wanted = { parts, minTimes: minTimes.bigrams, evenShare: evenShares.bigrams };
      const drawn = drawText(wordCount, bigramBias(pairs), material, practice, wanted);
      return { ...drawn, focus: focus.map((pair) => toFocus(pair, mean)) };
    }
  }
}

/** Words with the letters or bigrams that the player asks for. */
function drillOf(
  targets: readonly string[],
  on: 'letters' | 'bigrams',
  material: Material,
  practice: Practice,
): RoundText {
  const parts = targets.map((part) => normalForm(part).toLocaleLowerCase(material.language.id));
  const bias = new Map(parts.map((part) => [part, letterStrength]));
  const wanted = { parts, minTimes: minTimes[on], evenShare: evenShares[on] };
  return drawText(wordCount, bias, material, practice, wanted);
}

function strongLetterBias(chapters: Material['chapters'], alphabet: string): Bias {
  const bias = letterBias(chapters, alphabet);
  return new Map([...bias].map(([letter, strength]) => [letter, letterStrength * strength]));
}

/** What is preferred at all, the most preferred first. */
function strongest(bias: Bias): string[] {
  const preferred = [...bias].filter(([, strength]) => strength > 0);
  return preferred.sort(([, a], [, b]) => b - a).map(([part]) => part);
}

/** A pair that costs this player much time, with the mean time of all pairs as target. */
function toFocus({ pair, ms }: SlowPair, mean: number): Focus {
  return { text: pair, ms, targetMs: mean };
}
