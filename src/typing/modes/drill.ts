import { bigramBias, letterBias, slowPairs, wordBias } from '../choice/weaknesses.ts';
import type { Bias } from '../choice/weighting.ts';
import { normalForm } from '../rules/word.ts';
import type { DrillMode } from './mode.ts';
import type { Focus, Material, Practice, RoundText } from './practice.ts';
import { linedText } from './text.ts';
import { drawText } from './words.ts';

const wordCount = 30;
/** How many times as strongly as a round of words a drill prefers weak letters. */
const letterStrength = 1.4;
/**
 * Share of a drill that is drawn without preference, so that no letter, pair or word disappears. It is larger
 * for words, because fewer of them have what is drilled, and more letters are in none of these.
 */
const evenShares = { bigrams: 0.2, letters: 0.2, words: 0.5 } as const;
/** More letters or pairs cannot be kept in mind while typing. */
const maxTargets = 6;
/**
 * Minimum number of words with each target. Pairs: one more than the presses that a verdict needs, because
 * one may go wrong. Letters: few, so that the other places depend on how much practice each of them needs.
 */
const minTimes = { bigrams: 4, letters: 2, words: 0 } as const;

/** Words with the letters or pairs that this player misses or is slow on, or words that went wrong before. */
export function drillText(
  { on, text, targets }: DrillMode,
  material: Material,
  practice: Practice,
): RoundText {
  if (text !== undefined) return { words: linedText(text, material.before).words };
  const { bias, parts, focus } =
    targets === undefined || on === 'words' ? weakest(on, material) : requested(targets, material);
  const wanted = { parts, minTimes: minTimes[on], evenShare: evenShares[on] };
  return { ...drawText(wordCount, bias, material, practice, wanted), ...(focus && { focus }) };
}

/** What a drill is about. */
interface Drilled {
  readonly bias: Bias;
  /** What most of the words have. */
  readonly parts: readonly string[];
  readonly focus?: readonly Focus[];
}

function weakest(on: DrillMode['on'], { chapters, language, drillable, isWord }: Material): Drilled {
  if (on === 'words') {
    const bias = wordBias(chapters, isWord);
    return { bias, parts: [...bias.keys()] };
  }
  if (on === 'letters') {
    const letters = [...letterBias(chapters, language.alphabet)].filter(([, strength]) => strength > 0);
    const parts = letters.toSorted(([, a], [, b]) => b - a).map(([letter]) => letter);
    return {
      bias: new Map(letters.map(([letter, strength]) => [letter, letterStrength * strength])),
      parts: parts.filter((letter) => drillable().has(letter)).slice(0, maxTargets),
    };
  }
  const { pairs, mean } = slowPairs(chapters, (pair) => drillable().has(pair));
  const focus = pairs.slice(0, maxTargets).map(({ pair, ms }) => ({ text: pair, ms, targetMs: mean }));
  return { bias: bigramBias(pairs), parts: focus.map(({ text }) => text), focus };
}

/** The letters or bigrams that the player has chosen. */
function requested(targets: readonly string[], { language }: Material): Drilled {
  const parts = targets.map((part) => normalForm(part).toLocaleLowerCase(language.id));
  return { bias: new Map(parts.map((part) => [part, letterStrength])), parts };
}
