import type { LetterSums } from '../round/round-summary.ts';
import { fewestMeetings } from './letter-change.ts';
import { toWilson } from './wilson.ts';

/** How a typist does with each letter, over all rounds of a kind. */
export interface LetterStanding {
  /** Letters that are typed worse than all together, beyond chance; the one that costs most comes first. */
  readonly weak: readonly WeakLetter[];
  /** Letters met too rarely to tell, by the alphabet. */
  readonly unknown: readonly string[];
  /** Letters of which enough is known. */
  readonly known: number;
  /** Percent right of all letters together; undefined where none was met. */
  readonly accuracy: number | undefined;
}

interface WeakLetter {
  readonly letter: string;
  /** Percent right, of how many. */
  readonly accuracy: number;
  readonly presented: number;
}

export function toLetterStanding(letters: ReadonlyMap<string, LetterSums>): LetterStanding {
  const all = [...letters].filter(([, { presented }]) => presented > 0);
  const presented = all.reduce((sum, [, sums]) => sum + sums.presented, 0);
  const correct = all.reduce((sum, [, sums]) => sum + sums.correct, 0);
  const share = presented === 0 ? 0 : correct / presented;
  const known = all.filter(([, sums]) => sums.presented >= fewestMeetings);
  const lossOf = ({ presented, correct }: LetterSums) => presented * share - correct;
  return {
    weak: known
      .filter(([, sums]) => isWeak(sums, share))
      .toSorted(([, a], [, b]) => lossOf(b) - lossOf(a))
      .map(([letter, sums]) => ({
        letter,
        accuracy: (sums.correct / sums.presented) * 100,
        presented: sums.presented,
      })),
    unknown: all
      .filter(([, sums]) => sums.presented < fewestMeetings)
      .map(([letter]) => letter)
      .toSorted((a, b) => a.localeCompare(b)),
    known: known.length,
    accuracy: presented === 0 ? undefined : share * 100,
  };
}

/** Beyond chance; where all is right, rounding makes nothing weak. */
function isWeak({ presented, correct }: LetterSums, share: number): boolean {
  return correct < presented && toWilson(correct, presented).high < share;
}
