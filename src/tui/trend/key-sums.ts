import type { RoundRecord } from '../record/round-line.ts';
import type { LetterSums } from '../round/round-summary.ts';

export interface BigramSums {
  /** Times the second letter followed the first. */
  readonly count: number;
  /** Sum of the seek times of the second letter, ms. */
  readonly ms: number;
}

/** What was typed of each letter in all of these rounds; what is not a letter came from elsewhere. */
export function sumLetters(records: readonly RoundRecord[]): Map<string, LetterSums> {
  const sums = new Map<string, LetterSums>();
  for (const { letters } of records) {
    for (const [letter, { presented, correct, seekMs, seekCount }] of Object.entries(letters)) {
      if (!/^\p{L}$/u.test(letter)) continue;
      const sum = sums.get(letter);
      sums.set(letter, {
        presented: presented + (sum?.presented ?? 0),
        correct: correct + (sum?.correct ?? 0),
        seekMs: seekMs + (sum?.seekMs ?? 0),
        seekCount: seekCount + (sum?.seekCount ?? 0),
      });
    }
  }
  return sums;
}

/** The same of each pair of letters; rounds of earlier versions did not keep them. */
export function sumBigrams(records: readonly RoundRecord[]): Map<string, BigramSums> {
  const sums = new Map<string, BigramSums>();
  for (const { bigrams = {} } of records) {
    for (const [pair, { count, ms }] of Object.entries(bigrams)) {
      if (!/^\p{L}{2}$/u.test(pair)) continue;
      const sum = sums.get(pair);
      sums.set(pair, { count: count + (sum?.count ?? 0), ms: ms + (sum?.ms ?? 0) });
    }
  }
  return sums;
}
