// What is known of letters, fingers and pairs of letters: sums over rounds, what is weak, what has changed.
import type { HistoricalStatistics } from '../../contract/answer-types.ts';
import { fingerOf, type Layout } from '../../typing/letters/layout.ts';
import type { LetterSums, RoundRecord } from './round-record.ts';

export type Letters = ReadonlyMap<string, LetterSums>;

/** How often the second letter followed the first, and the sum of its seek times, ms. */
export type Pairs = ReadonlyMap<string, { readonly count: number; readonly ms: number }>;

const none: LetterSums = { presented: 0, correct: 0, seekMs: 0, seekCount: 0 };

function added(a: LetterSums, b: LetterSums): LetterSums {
  return {
    presented: a.presented + b.presented,
    correct: a.correct + b.correct,
    seekMs: a.seekMs + b.seekMs,
    seekCount: a.seekCount + b.seekCount,
  };
}

/** What was typed of each letter in these rounds; what is not a letter came from elsewhere. */
export function lettersOf(records: readonly RoundRecord[]): Letters {
  const letters = new Map<string, LetterSums>();
  for (const record of records) {
    for (const [letter, sums] of Object.entries(record.letters)) {
      if (/^\p{L}$/u.test(letter)) letters.set(letter, added(letters.get(letter) ?? none, sums));
    }
  }
  return letters;
}

/** The same from the statistics of the session API. */
export function lettersOfHistory({ letter_accuracy, letter_seek_time }: HistoricalStatistics): Letters {
  const letters = Object.entries(letter_accuracy).map(([letter, { presented, correct }]) => {
    const { total_time_ms: seekMs = 0, count: seekCount = 0 } = letter_seek_time[letter] ?? {};
    return [letter, { presented, correct, seekMs, seekCount }] as const;
  });
  return new Map(letters);
}

export function pairsOf(records: readonly RoundRecord[]): Pairs {
  const pairs = new Map<string, { count: number; ms: number }>();
  for (const { bigrams = {} } of records) {
    for (const [pair, { count, ms }] of Object.entries(bigrams)) {
      const sum = pairs.get(pair) ?? { count: 0, ms: 0 };
      if (/^\p{L}{2}$/u.test(pair)) pairs.set(pair, { count: sum.count + count, ms: sum.ms + ms });
    }
  }
  return pairs;
}

export type KeyMeasure = 'accuracy' | 'speed';

/** A key pressed less often says nothing yet. */
export const fewestPresses = 10;

/** What a letter shows: percent right, or ms; undefined if too little is known. */
export function letterValue(sums: LetterSums | undefined, measure: KeyMeasure): number | undefined {
  const { presented, correct, seekMs, seekCount } = sums ?? none;
  if (measure === 'accuracy') return presented < fewestPresses ? undefined : (correct / presented) * 100;
  return seekCount < fewestPresses ? undefined : seekMs / seekCount;
}

/** Pairs that were met often enough, with their mean time, ms; the slowest first. */
export function slowPairs(pairs: Pairs): { readonly pair: string; readonly ms: number }[] {
  return [...pairs]
    .filter(([, { count }]) => count >= fewestPresses)
    .map(([pair, { count, ms }]) => ({ pair, ms: ms / count }))
    .sort((a, b) => b.ms - a.ms);
}

/** From 1, where there is most to gain, to 4. */
export type Grade = 1 | 2 | 3 | 4;

/** Where one grade ends and the next begins, from bad to good. */
export type Limits = readonly [number, number, number];

/** Absolute: a key at 99 % is good however good the others are. */
export const accuracyLimits: Limits = [90, 95, 98];

/**
 * Shares of the typist's own mean time. What a beginner calls fast is slow for others; and somebody whose
 * keys are all alike has no red one.
 */
const speedShares = [1.4, 1.15, 0.9] as const;

/** @param times of some letters or pairs, with their sum in ms and their number */
export function speedLimits(times: Iterable<{ readonly ms: number; readonly count: number }>): Limits {
  let [ms, count] = [0, 0];
  for (const time of times) {
    ms += time.ms;
    count += time.count;
  }
  const mean = count === 0 ? 0 : ms / count;
  const [poor, fair, good] = speedShares.map((share) => Math.round(mean * share));
  return [poor ?? 0, fair ?? 0, good ?? 0];
}

/** Where the grades of these letters end. */
export function limitsOf(letters: Letters, measure: KeyMeasure): Limits {
  if (measure === 'accuracy') return accuracyLimits;
  return speedLimits(
    [...letters.values()].map(({ seekMs, seekCount }) => ({ ms: seekMs, count: seekCount })),
  );
}

export function gradeOf(value: number, measure: KeyMeasure, limits: Limits): Grade {
  const isWorse = (limit: number) => (measure === 'accuracy' ? value < limit : value > limit);
  const at = limits.findIndex(isWorse);
  return at === -1 ? 4 : ((at + 1) as Grade);
}

/** The 95 % interval of a share, 0 to 1 (Wilson 1927): honest for small numbers and near the ends. */
export function wilson(correct: number, total: number): { readonly low: number; readonly high: number } {
  const z = 1.96;
  const share = correct / total;
  const middle = (share + (z * z) / (2 * total)) / (1 + (z * z) / total);
  const half =
    (z / (1 + (z * z) / total)) * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Fewer meetings with a letter do not tell whether it is weak, or has changed. */
export const fewestMeetings = 20;

interface WeakLetter {
  readonly letter: string;
  /** Percent right, of how many. */
  readonly accuracy: number;
  readonly presented: number;
}

/** How a typist does with each letter. */
export interface LetterStanding {
  /** Letters that go wrong more often than all together, beyond chance; the costliest comes first. */
  readonly weak: readonly WeakLetter[];
  /** Letters met too rarely to tell, in alphabetical order. */
  readonly unknown: readonly string[];
  /** Letters of which enough is known. */
  readonly known: number;
  /** Percent right of all letters together; undefined if none was met. */
  readonly accuracy: number | undefined;
}

export function letterStanding(letters: Letters): LetterStanding {
  const all = [...letters].filter(([, { presented }]) => presented > 0);
  const { presented, correct } = all.reduce((sum, [, sums]) => added(sum, sums), none);
  const share = presented === 0 ? 0 : correct / presented;
  const known = all.filter(([, sums]) => sums.presented >= fewestMeetings);
  const lossOf = (sums: LetterSums) => sums.presented * share - sums.correct;
  return {
    weak: known
      .filter(
        ([, sums]) => sums.correct < sums.presented && wilson(sums.correct, sums.presented).high < share,
      )
      .sort(([, a], [, b]) => lossOf(b) - lossOf(a))
      .map(([letter, sums]) => ({
        letter,
        accuracy: (sums.correct / sums.presented) * 100,
        presented: sums.presented,
      })),
    unknown: all
      .filter(([, sums]) => sums.presented < fewestMeetings)
      .map(([letter]) => letter)
      .sort((a, b) => a.localeCompare(b)),
    known: known.length,
    accuracy: presented === 0 ? undefined : share * 100,
  };
}

/** A letter or finger: how it was, and how it is in the latest rounds. */
export interface KeyChange {
  /** The letter, or the number of the finger as text. */
  readonly key: string;
  readonly before: Measure;
  readonly recent: Measure;
  /** `better` or `worse` only if the 95 % intervals of the two accuracies do not touch. */
  readonly verdict: 'better' | 'worse' | 'unclear';
}

interface Measure {
  readonly presented: number;
  /** Percent right; undefined if it was met too rarely. */
  readonly accuracy: number | undefined;
  /** Mean seek time, ms; undefined if too few were measured. */
  readonly seekMs: number | undefined;
}

export interface Changes {
  readonly beforeRuns: number;
  readonly recentRuns: number;
  readonly letters: readonly KeyChange[];
  readonly fingers: readonly KeyChange[];
}

/** The latest rounds, at most, that are compared with all before them. */
const maxRecent = 20;

/** Letters and fingers before and in the latest 20 rounds; of fewer than 40 rounds, in the later half. */
export function changesOf(records: readonly RoundRecord[], layout: Layout): Changes {
  const count = Math.min(maxRecent, Math.floor(records.length / 2));
  const [before, recent] = [records.slice(0, -count || undefined), records.slice(records.length - count)];
  const [earlier, latest] = [lettersOf(before), lettersOf(recent)];
  const letters = [...new Set([...earlier.keys(), ...latest.keys()])].sort((a, b) => a.localeCompare(b));
  const groups = new Map<number, string[]>();
  for (const letter of letters) {
    const finger = fingerOf(layout, letter);
    if (finger !== undefined) groups.set(finger, [...(groups.get(finger) ?? []), letter]);
  }
  const sum = (of: Letters, group: readonly string[]) =>
    group.reduce((total, letter) => added(total, of.get(letter) ?? none), none);
  const change = (key: string, group: readonly string[]) =>
    changeOf(key, sum(earlier, group), sum(latest, group));
  return {
    beforeRuns: before.length,
    recentRuns: recent.length,
    letters: letters.map((letter) => change(letter, [letter])),
    fingers: [...groups].sort(([a], [b]) => a - b).map(([finger, group]) => change(String(finger), group)),
  };
}

/** Whether enough is known of both times to compare them. */
export function isComparable({ before, recent }: KeyChange): boolean {
  return before.accuracy !== undefined && recent.accuracy !== undefined;
}

function changeOf(key: string, before: LetterSums, recent: LetterSums): KeyChange {
  return { key, before: measureOf(before), recent: measureOf(recent), verdict: verdictOf(before, recent) };
}

function measureOf({ presented, correct, seekMs, seekCount }: LetterSums): Measure {
  return {
    presented,
    accuracy: presented < fewestMeetings ? undefined : (correct / presented) * 100,
    seekMs: seekCount < fewestMeetings ? undefined : seekMs / seekCount,
  };
}

function verdictOf(before: LetterSums, recent: LetterSums): KeyChange['verdict'] {
  if (before.presented < fewestMeetings || recent.presented < fewestMeetings) return 'unclear';
  const was = wilson(before.correct, before.presented);
  const is = wilson(recent.correct, recent.presented);
  if (is.low > was.high) return 'better';
  return is.high < was.low ? 'worse' : 'unclear';
}
