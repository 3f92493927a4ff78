import type { SameLength } from './biased-words.ts';
import type { Random } from './random.ts';
import { toWeighted } from './weighted-draw.ts';

/** What most of the words drawn must have: letters, pairs of letters, or longer texts that are words themselves. */
export interface Targets {
  readonly parts: readonly string[];
  /** So many words at least have each part, as far as there are words with it and places. */
  readonly leastTimes: number;
  /** Share of the words that is drawn without targets and preferences, 0 to 1, so that nothing disappears. */
  readonly evenShare: number;
}

/** A word comes at most twice among the words drawn together: a pause of half of them lies between. */
const mostTimes = 2;

/**
 * The words that each of `count` places may have, in random order: so many places for each part, some for any of the parts,
 * where weights decide, and the even share.
 */
export function toTargetSlots(
  { parts, leastTimes, evenShare }: Targets,
  count: number,
  { weighted, plain }: Record<'weighted' | 'plain', readonly SameLength[]>,
  random: Random,
): (readonly SameLength[])[] {
  const any = withOneOf(weighted, parts);
  const places = Math.min(Math.floor(count * (1 - evenShare)), mostTimes * countWords(any));
  const own = parts
    .map((part) => withOneOf(any, [part]))
    .filter((words) => words.length > 0)
    .flatMap((words) => new Array<readonly SameLength[]>(leastTimes).fill(words))
    .slice(0, places);
  const slots = [...own, ...new Array<readonly SameLength[]>(places - own.length).fill(any)];
  return shuffle([...slots, ...new Array<readonly SameLength[]>(count - places).fill(plain)], random);
}

/** Whether a word has a part: a longer part must be the word itself. */
export function hasPart(word: string, part: string): boolean {
  return part.length > 2 ? word === part : word.includes(part);
}

/** The words that have one of the parts, with their weights. */
function withOneOf(classes: readonly SameLength[], parts: readonly string[]): SameLength[] {
  return classes
    .map(({ words, sums, length }) => {
      const weights: number[] = [];
      const holders = words.filter((word, at) => {
        const isHolder = parts.some((part) => hasPart(word, part));
        if (isHolder) weights.push((sums[at] as number) - (sums[at - 1] ?? 0));
        return isHolder;
      });
      return { ...toWeighted(holders, weights), length };
    })
    .filter(({ words }) => words.length > 0);
}

function countWords(classes: readonly SameLength[]): number {
  return classes.reduce((count, { words }) => count + words.length, 0);
}

/** In random order, every order as likely as any other (Fisher & Yates). */
function shuffle<T>(all: T[], random: Random): T[] {
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [all[at], all[other]] = [all[other] as T, all[at] as T];
  }
  return all;
}
