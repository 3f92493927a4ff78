import type { LetterSums } from '../round/round-summary.ts';
import { fewestPresses, type KeyMeasure } from './key-measure.ts';

/** What a letter of the typist's own record shows: percent right, or ms; undefined when too little is known. */
export function toLetterValue(
  { presented, correct, seekMs, seekCount }: LetterSums,
  measure: KeyMeasure,
): number | undefined {
  if (measure === 'accuracy') return presented < fewestPresses ? undefined : (correct / presented) * 100;
  return seekCount < fewestPresses ? undefined : seekMs / seekCount;
}

/** Letters with their sums, in the order of the alphabet. */
export function toSortedLetters(letters: ReadonlyMap<string, LetterSums>): [string, LetterSums][] {
  return [...letters].sort(([a], [b]) => a.localeCompare(b));
}
