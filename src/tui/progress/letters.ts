// Statistics of letters and pairs of letters: sums over rounds, grades, sentences, and what to practise.
import type { HistoricalStatistics } from '../../contract/answer-types.ts';
import { percentText } from './figures.ts';
import type { KeyError, LetterSums, RoundRecord } from './round-record.ts';

export type Letters = ReadonlyMap<string, LetterSums>;

/** How often the second letter followed the first, and the sum of its seek times, ms. */
export type Pairs = ReadonlyMap<string, { readonly count: number; readonly ms: number }>;

/** Sums of some rounds by letter or pair, added up. */
function total<Sums extends Record<string, number>>(rounds: readonly Readonly<Record<string, Sums>>[]) {
  const totals = new Map<string, Sums>();
  for (const [name, sums] of rounds.flatMap((round) => Object.entries(round))) {
    const before: Record<string, number> | undefined = totals.get(name);
    if (before === undefined) totals.set(name, { ...sums });
    else for (const [key, value] of Object.entries(sums)) before[key] = (before[key] ?? 0) + value;
  }
  return totals;
}

/** What was typed of each letter in these rounds. */
export function lettersOf(records: readonly RoundRecord[]): Letters {
  return total(records.map(({ letters }) => letters));
}

export function pairsOf(records: readonly RoundRecord[]): Pairs {
  return total(records.map(({ bigrams = {} }) => bigrams));
}

/** The same from the statistics of the session API. */
export function lettersOfHistory({ letter_accuracy, letter_seek_time }: HistoricalStatistics): Letters {
  const letters = Object.entries(letter_accuracy).map(([letter, { presented, correct }]) => {
    const { total_time_ms: seekMs = 0, count: seekCount = 0 } = letter_seek_time[letter] ?? {};
    return [letter, { presented, correct, seekMs, seekCount }] as const;
  });
  return new Map(letters);
}

export type KeyMeasure = 'accuracy' | 'speed';

/** A key pressed less often has no figure yet. */
export const minPresses = 10;

/** The figure of a letter: percent right, or ms; undefined if too little is known. */
export function letterValue(sums: LetterSums | undefined, measure: KeyMeasure): number | undefined {
  const { presented = 0, correct = 0, seekMs = 0, seekCount = 0 } = sums ?? {};
  if (measure === 'accuracy') return presented < minPresses ? undefined : (correct / presented) * 100;
  return seekCount < minPresses ? undefined : seekMs / seekCount;
}

/** The letters of which enough is known with their figures, in alphabetical order. */
export function letterValues(letters: Letters, measure: KeyMeasure): [letter: string, value: number][] {
  return [...letters]
    .flatMap(([letter, sums]): [string, number][] => {
      const value = letterValue(sums, measure);
      return value === undefined ? [] : [[letter, value]];
    })
    .sort(([a], [b]) => a.localeCompare(b));
}

/** The same in one sentence; empty if nothing is known. */
export function lettersText(letters: Letters): string {
  const times = new Map(letterValues(letters, 'speed'));
  const texts = letterValues(letters, 'accuracy').map(([letter, accuracy]) => {
    const ms = times.get(letter);
    return `${letter} ${percentText(accuracy)} %${ms === undefined ? '' : ` in ${Math.round(ms)} ms`}`;
  });
  return texts.length === 0 ? '' : `Each letter, % right and time from the key before: ${texts.join(', ')}.`;
}

/** Pairs that were met often enough, with their mean time, ms; the slowest first. */
export function slowPairs(pairs: Pairs): [pair: string, ms: number][] {
  return [...pairs]
    .filter(([, { count }]) => count >= minPresses)
    .map(([pair, { count, ms }]): [string, number] => [pair, ms / count])
    .sort(([, a], [, b]) => b - a);
}

const maxPairs = 8;

/** The slowest of the pairs that were met often enough, in one sentence; empty without any. */
export function slowPairsText(pairs: Pairs): string {
  const slowest = slowPairs(pairs).map(([pair, ms]) => `${pair} ${Math.round(ms)} ms`);
  return slowest.length === 0 ? '' : `Slowest bigrams: ${slowest.slice(0, maxPairs).join(', ')}.`;
}

/** From 1, where there is most to gain, to 4. */
type Grade = 1 | 2 | 3 | 4;

/** Where one grade ends and the next begins, from bad to good. */
export type Limits = readonly [number, number, number];

/** Absolute: a key at 99 % is good however good the others are. */
export const accuracyLimits: Limits = [90, 95, 98];

/**
 * Shares of the typist's own mean time, because beginners and experts differ; somebody whose keys are equally
 * fast has no red one.
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

/** The upper end of the 95 % interval of a share, 0 to 1 (Wilson 1927), accurate for small numbers, too. */
export function maxShare(correct: number, total: number): number {
  const z = 1.96;
  const share = correct / total;
  const middle = (share + (z * z) / (2 * total)) / (1 + (z * z) / total);
  const half =
    (z / (1 + (z * z) / total)) * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total));
  return Math.min(1, middle + half);
}

/** A letter presented less often is not judged. */
const minPresented = 15;
/** With fewer letters and times in all, no letter is judged. */
const minLetters = 300;
const minTimes = 100;

/** A letter that costs less than this per thousand letters is not a weakness, ms. */
const minLoss = 250;

/** A wrong key, its deletion and the right key: three intervals more than needed. */
const intervalsPerError = 3;

/** The accuracy of a slow letter is mentioned if it is this many points below that of all letters. */
const notable = 3;

/**
 * What to practise next, in one sentence: the letter whose improvement gains most, which is the time per
 * thousand letters typed that it loses by more errors and by slower strokes than the typist's average. A rare
 * letter must be far worse than a common one to be named.
 *
 * @param errors the most frequent first
 */
export function adviceText(letters: Letters, errors: readonly KeyError[]): string {
  const all = [...letters.values()];
  const sum = (of: (letter: (typeof all)[number]) => number) =>
    all.reduce((total, one) => total + of(one), 0);
  const presented = sum((one) => one.presented);
  const times = sum((one) => one.seekCount);
  if (presented < minLetters || times < minTimes)
    return 'Play a few more rounds and this line will tell you what to practise.';
  const share = sum((one) => one.correct) / presented;
  const meanMs = sum((one) => one.seekMs) / times;
  const losses = [...letters].map(([letter, { presented: met, correct, seekMs, seekCount }]) => {
    const known = { letter, met, percent: (correct / met) * 100, ms: seekMs / seekCount };
    if (met < minPresented) return { ...known, byErrors: 0, bySlowness: 0 };
    const perThousand = (met / presented) * 1000;
    // A weakness is an accuracy too low to be chance.
    const excessRate = maxShare(correct, met) < share ? share - correct / met : 0;
    const excessMs = seekCount < minPresented ? 0 : Math.max(0, known.ms - meanMs);
    const byErrors = perThousand * excessRate * intervalsPerError * meanMs;
    return { ...known, byErrors, bySlowness: perThousand * excessMs };
  });
  const [worst] = losses.sort((a, b) => b.byErrors + b.bySlowness - (a.byErrors + a.bySlowness));
  const overall = Math.floor(share * 100);
  if (worst === undefined || worst.byErrors + worst.bySlowness < minLoss)
    return `No letter stands out: your accuracy is ${overall} %. Try a little faster.`;
  const { letter, met, percent, ms, byErrors, bySlowness } = worst;
  const typed = errors.find(({ wanted, count }) => wanted === letter && count >= 3)?.typed.trim();
  const instead = typed ? `, often ${typed} instead` : '';
  if (byErrors >= bySlowness)
    return `Practise ${letter}: right ${Math.floor(percent)} % of ${met} times (all letters ${overall} %)${instead}.`;
  const also = share * 100 - percent >= notable ? `; right only ${Math.floor(percent)} %${instead}` : '';
  return `Practise ${letter}: ${Math.round(ms)} ms (all letters ${Math.round(meanMs)} ms)${also}.`;
}
