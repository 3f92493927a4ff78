import { createRandom, drawApart, shuffle, weightedWords } from '../choice/random-draw.ts';
import { bigramBias, letterBias, pairsToGain, wordBias } from '../choice/weaknesses.ts';
import { type Bias, createWeighting } from '../choice/weighting.ts';
import { baseWeight } from '../choice/word-choice.ts';
import { normalForm } from '../rules/word.ts';
import type { DrillMode } from './mode.ts';
import type { Focus, Material, Practice, RoundText } from './practice.ts';
import { linedText } from './text.ts';
import { shownText } from './words.ts';

const wordCount = 30;
/**
 * The weight of a word is multiplied by this for each of its letters. A longer word has more of the targets,
 * but a drill has words of about five letters, as all rounds.
 */
const shortness = 0.37;
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
 * Minimum number of words with each target. Pairs: 4, because a verdict needs 3 presses and one may
 * go wrong. Letters: few, so that the other places depend on how much practice each of them needs.
 */
const minTimes = { bigrams: 4, letters: 2, words: 0 } as const;

/** Words with the letters or pairs that this player misses or is slow on, or words that went wrong before. */
export function drillText(
  { on, text, targets }: DrillMode,
  material: Material,
  practice: Practice,
): RoundText {
  if (text !== undefined) return { words: linedText(text, material.before).words };
  const drilled =
    targets === undefined || on === 'words' ? weakest(on, material) : requested(targets, material);
  const { focus } = drilled;
  return { ...shownText(drawDrill(on, drilled, material), material, practice), ...(focus && { focus }) };
}

interface Drilled {
  readonly bias: Bias;
  /** The letters or pairs that most of the words have, or those words. */
  readonly parts: readonly string[];
  readonly focus?: readonly Focus[];
}

/** `minTimes` places for each part, and the rest for any part, or for any word: in random order. */
function drawDrill(on: DrillMode['on'], { bias, parts }: Drilled, { words, seed }: Material): string[] {
  const random = createRandom(seed);
  const plain = words.map((_, rank) => baseWeight(rank));
  const short = words.map((word, rank) => (plain[rank] as number) * shortness ** word.length);
  const isOfWords = on === 'words';
  const weigh = isOfWords ? createWeighting(new Map(), bias) : createWeighting(bias);
  const weights = weigh(words, short);
  const withOneOf = (wanted: readonly string[]) => {
    const whole = new Set(wanted);
    const isHolder = (word: string) =>
      isOfWords ? whole.has(word) : wanted.some((part) => word.includes(part));
    const ranks = [...words.keys()].filter((rank) => isHolder(words[rank] as string));
    return weightedWords(
      ranks.map((rank) => words[rank] as string),
      ranks.map((rank) => weights[rank] as number),
    );
  };
  const even = weightedWords(words, plain);
  const targeted = Math.floor(wordCount * (1 - evenShares[on]));
  const perPart = parts.flatMap((part) => new Array(minTimes[on]).fill(withOneOf([part])));
  const rest = new Array(wordCount).fill(withOneOf(parts));
  const places = [...perPart, ...rest].slice(0, targeted);
  const others = new Array(wordCount - targeted).fill(even);
  return drawApart(shuffle([...places, ...others], random), even, random);
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
  const { pairs, mean } = pairsToGain(chapters, (pair) => drillable().has(pair));
  const focus = pairs.slice(0, maxTargets).map(({ pair, ms }) => ({ text: pair, ms, targetMs: mean }));
  return { bias: bigramBias(pairs), parts: focus.map(({ text }) => text), focus };
}

/** The letters or bigrams that the player has chosen. */
function requested(targets: readonly string[], { language }: Material): Drilled {
  const parts = targets.map((part) => normalForm(part).toLocaleLowerCase(language.id));
  return { bias: new Map(parts.map((part) => [part, letterStrength])), parts };
}
