import { type Letters, maxShare } from './letters.ts';
import type { KeyError } from './round-record.ts';

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
