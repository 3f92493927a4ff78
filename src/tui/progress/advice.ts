import { type Letters, wilson } from './letters.ts';

/** What to practise next, and why. */
export type Advice =
  | { readonly kind: 'too-few' }
  | {
      readonly kind: 'letter';
      readonly letter: string;
      /** Percent right, of how many. */
      readonly accuracy: number;
      readonly presented: number;
      /** Mean seek time of this letter and of all letters, ms; undefined if not measured often enough. */
      readonly seekMs: number | undefined;
      readonly overallSeekMs: number;
      readonly overallAccuracy: number;
      /** Whether it is the errors or the slowness that costs more. */
      readonly reason: 'errors' | 'slow';
      /** What is typed for it most often; empty if nothing stands out. */
      readonly confusedWith: string;
    }
  | { readonly kind: 'even'; readonly accuracy: number };

/** Fewer meetings with a letter say nothing about it. */
const fewestMeetings = 15;
/** Fewer letters and times altogether say nothing about any. */
const fewestLetters = 300;
const fewestTimes = 100;

/** A letter that loses less than this per thousand letters is not a weakness, ms. */
const smallestLoss = 250;

/** A wrong key, its deletion and the right key: three intervals more than needed. */
const intervalsPerError = 3;

/**
 * The letter whose improvement gains most: the time per thousand letters typed that it loses by more errors
 * and by slower strokes than the typist's average. A rare letter must be far worse than a common one to be
 * named.
 *
 * @param errors the most frequent first
 */
export function adviceOf(
  letters: Letters,
  errors: readonly { readonly expected: string; readonly typed: string; readonly count: number }[],
): Advice {
  const all = [...letters.values()];
  const sum = (of: (letter: (typeof all)[number]) => number) =>
    all.reduce((total, one) => total + of(one), 0);
  const presented = sum((one) => one.presented);
  const times = sum((one) => one.seekCount);
  if (presented < fewestLetters || times < fewestTimes) return { kind: 'too-few' };
  const share = sum((one) => one.correct) / presented;
  const meanMs = sum((one) => one.seekMs) / times;
  const losses = [...letters].map(([letter, sums]) => {
    const { presented: met, correct, seekMs, seekCount } = sums;
    if (met < fewestMeetings) return { letter, sums, byErrors: 0, bySlowness: 0 };
    const perThousand = (met / presented) * 1000;
    // Only what chance cannot explain is a weakness.
    const excessRate = wilson(correct, met).high < share ? share - correct / met : 0;
    const excessMs = seekCount < fewestMeetings ? 0 : Math.max(0, seekMs / seekCount - meanMs);
    return {
      letter,
      sums,
      byErrors: perThousand * excessRate * intervalsPerError * meanMs,
      bySlowness: perThousand * excessMs,
    };
  });
  const [worst] = losses.sort((a, b) => b.byErrors + b.bySlowness - (a.byErrors + a.bySlowness));
  if (worst === undefined || worst.byErrors + worst.bySlowness < smallestLoss) {
    return { kind: 'even', accuracy: share * 100 };
  }
  const { letter, sums } = worst;
  const confusion = errors.find(({ expected, count }) => expected === letter && count >= 3);
  return {
    kind: 'letter',
    letter,
    accuracy: (sums.correct / sums.presented) * 100,
    presented: sums.presented,
    seekMs: sums.seekCount >= fewestMeetings ? sums.seekMs / sums.seekCount : undefined,
    overallSeekMs: meanMs,
    overallAccuracy: share * 100,
    reason: worst.byErrors >= worst.bySlowness ? 'errors' : 'slow',
    confusedWith: confusion?.typed.trim() ?? '',
  };
}
