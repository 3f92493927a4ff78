import { toWpm } from '../../typing/statistics/speed.ts';
import type { LocalRound } from './round.ts';
import { toReports } from './round-summary.ts';

/** One column of the chart: the speed around that part of the round, and whether an error fell into it. */
export interface SpeedColumn {
  readonly wpm: number;
  readonly errors: number;
}

/** Half the width of the window that smooths the speed: one word's worth of time, or the chart shows noise. */
const halfWindowMs = 1500;

/**
 * Cuts a round into `columns` equal spans of time. Speed: the characters that stayed in the text, in the window around each
 * span. Right or wrong, spaces included: as `standardWpm`, which is the figure of the result.
 */
export function toSpeedSeries(round: LocalRound, columns: number): SpeedColumn[] {
  const duration = round.active;
  if (duration <= 0 || columns < 1) return [];
  const { left, wrong } = toMoments(round);
  const width = duration / columns;
  const reach = Math.max(halfWindowMs, width / 2);
  const errors = Array<number>(columns).fill(0);
  for (const moment of wrong) {
    const column = Math.min(columns - 1, Math.floor(moment / width));
    errors[column] = (errors[column] ?? 0) + 1;
  }
  return errors.map((count, column) => {
    const middle = (column + 0.5) * width;
    const from = Math.max(0, middle - reach);
    const to = Math.min(duration, middle + reach);
    return { wpm: toWpm(countBetween(left, from, to), to - from), errors: count };
  });
}

/** Active ms of the characters left in the text, and of the wrong keys since the timer started. */
function toMoments(round: LocalRound): { left: number[]; wrong: number[] } {
  const left: number[] = [];
  const wrong: number[] = [];
  const isNeverTimed = round.startedAt === undefined;
  for (const [at, report] of toReports(round).entries()) {
    const isTimed = isNeverTimed || report.isTimed || report.startsTimer;
    const moment = round.inputs[at]?.at ?? 0;
    // A deletion takes back the latest character: it never goes back to an earlier word.
    if (report.kind === 'deletion') left.pop();
    if (report.kind === 'advance' && !report.endsRound) left.push(moment);
    if (report.kind !== 'character') continue;
    if (report.isKept) left.push(moment);
    if (!report.isRight && !report.isAgain && isTimed) wrong.push(moment);
  }
  return { left, wrong };
}

/** How many of the ascending `moments` lie in [from, to). */
function countBetween(moments: readonly number[], from: number, to: number): number {
  return moments.filter((moment) => moment >= from && moment < to).length;
}
