import { type Word, wordText } from '../../typing/rules/word.ts';
import { type RoundView, reportsOf } from './round-view.ts';

/** More words would make the drill too long. */
const maxMissed = 15;
const maxSlow = 5;

/** How often each of them comes. */
const repeats = 3;

/** A word is slow if its letters took this many times as long as those of the round. */
const slowShare = 1.25;

interface WordSums {
  readonly word: Word;
  isMissed: boolean;
  ms: number;
  count: number;
}

/**
 * The words of a round that went wrong, the worst of the slow ones after them, each three times: a text to
 * practise. Empty where there are none.
 */
export function missedText(round: RoundView): string {
  const sums = sumWords(round);
  const missed = distinct(sums.filter(({ isMissed }) => isMissed)).slice(0, maxMissed);
  const slow = slowest(sums)
    .filter((word) => !missed.includes(word))
    .slice(0, maxSlow);
  const words = [...missed, ...slow];
  return Array.from({ length: repeats }, () => words)
    .flat()
    .join(' ');
}

/** The words that had a wrong key or lacked a letter, each once, in the order of the round. */
export function missedWords(round: RoundView): string[] {
  return distinct(sumWords(round).filter(({ isMissed }) => isMissed));
}

/** For each word: whether it had a wrong key or lacks a letter, and the measured times of its letters. */
function sumWords(round: RoundView): WordSums[] {
  const sums = round.words.map((word): WordSums => ({ word, isMissed: false, ms: 0, count: 0 }));
  let at = 0;
  for (const report of reportsOf(round)) {
    const sum = sums[at];
    if (sum === undefined) break;
    if (report.kind === 'character' && !report.isRight) sum.isMissed = true;
    if (report.kind === 'character' && report.isRight && report.isFirst && report.at > 0 && report.ms > 0) {
      sum.ms += report.ms;
      sum.count += 1;
    }
    if (report.kind !== 'advance') continue;
    if (report.omitted > 0) sum.isMissed = true;
    at += 1;
  }
  return sums;
}

/** The slowest first. */
function slowest(sums: readonly WordSums[]): string[] {
  const timed = sums.filter(({ count }) => count > 0);
  const ms = timed.reduce((sum, each) => sum + each.ms, 0);
  const count = timed.reduce((sum, each) => sum + each.count, 0);
  const limit = (ms / Math.max(1, count)) * slowShare;
  const slow = timed.filter((each) => each.ms / each.count > limit);
  return distinct(slow.sort((a, b) => b.ms / b.count - a.ms / a.count));
}

function distinct(sums: readonly WordSums[]): string[] {
  return [...new Set(sums.map(({ word }) => wordText(word)))];
}
