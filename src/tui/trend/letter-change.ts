import type { RoundRecord } from '../record/round-line.ts';
import { fingerNumbers, letters, toFinger } from '../round/keyboard.ts';
import type { LetterSums } from '../round/round-summary.ts';
import { toWilson } from './wilson.ts';

/** One letter or finger: how it was, and how it is in the latest rounds. */
export interface LetterChange {
  /** The letter, or the number of the finger as text. */
  readonly key: string;
  readonly before: Measure;
  readonly recent: Measure;
  /** Only what the figures bear out: the intervals of the two accuracies do not touch. */
  readonly verdict: 'better' | 'worse' | 'unclear';
}

export interface Measure {
  readonly presented: number;
  /** Percent right; undefined when it was met too rarely. */
  readonly accuracy: number | undefined;
  /** Mean seek time, ms; undefined when too few were measured. */
  readonly seekMs: number | undefined;
}

/** The latest rounds are compared with all before them. */
const recentRuns = 20;

/** Fewer meetings with a letter give no figure. */
export const fewestMeetings = 20;

export interface Changes {
  readonly beforeRuns: number;
  readonly recentRuns: number;
  readonly letters: readonly LetterChange[];
  readonly fingers: readonly LetterChange[];
}

/** Letters and fingers before and in the latest 20 rounds; with fewer than 40 rounds, in the later half. */
export function toChanges(records: readonly RoundRecord[]): Changes {
  const count = Math.min(recentRuns, Math.floor(records.length / 2));
  const before = records.slice(0, records.length - count);
  const recent = records.slice(records.length - count);
  const change = (key: string, group: readonly string[]) =>
    toChange(key, sum(before, group), sum(recent, group));
  return {
    beforeRuns: before.length,
    recentRuns: recent.length,
    letters: letters.map((letter) => change(letter, [letter])),
    fingers: fingerNumbers.map((finger) =>
      change(
        String(finger),
        letters.filter((letter) => toFinger(letter) === finger),
      ),
    ),
  };
}

/** Whether enough is known of both times to compare them. */
export function isComparable({ before, recent }: LetterChange): boolean {
  return before.accuracy !== undefined && recent.accuracy !== undefined;
}

function sum(records: readonly RoundRecord[], group: readonly string[]): LetterSums {
  const total = { presented: 0, correct: 0, seekMs: 0, seekCount: 0 };
  for (const record of records) {
    for (const letter of group) {
      const sums = record.letters[letter];
      if (sums === undefined) continue;
      total.presented += sums.presented;
      total.correct += sums.correct;
      total.seekMs += sums.seekMs;
      total.seekCount += sums.seekCount;
    }
  }
  return total;
}

function toChange(key: string, before: LetterSums, recent: LetterSums): LetterChange {
  return { key, before: toMeasure(before), recent: toMeasure(recent), verdict: toVerdict(before, recent) };
}

function toMeasure({ presented, correct, seekMs, seekCount }: LetterSums): Measure {
  return {
    presented,
    accuracy: presented < fewestMeetings ? undefined : (correct / presented) * 100,
    seekMs: seekCount < fewestMeetings ? undefined : seekMs / seekCount,
  };
}

function toVerdict(before: LetterSums, recent: LetterSums): LetterChange['verdict'] {
  if (before.presented < fewestMeetings || recent.presented < fewestMeetings) return 'unclear';
  const was = toWilson(before.correct, before.presented);
  const is = toWilson(recent.correct, recent.presented);
  if (is.low > was.high) return 'better';
  return is.high < was.low ? 'worse' : 'unclear';
}
