import type { KeyReport } from '../../typing/rules/step.ts';
import { wpmOf } from '../../typing/statistics/score-statistics.ts';

/** Half the width of the window that smooths the speed, ms: about one word. A shorter one shows noise. */
const halfWindow = 1500;

/**
 * The speed over a round in `columns` equal spans of its time: the characters that stayed in the text, in the
 * window around each span. Right or wrong, spaces included: like `standardWpm`, the figure of the result. With
 * the errors in each.
 *
 * @param duration ms of the round
 */
export function speedSeries(reports: readonly KeyReport[], duration: number, columns: number) {
  if (duration <= 0 || columns < 1) return [];
  const { left, wrong } = keyMoments(reports, duration);
  const width = duration / columns;
  const reach = Math.max(halfWindow, width / 2);
  const errors = Array<number>(columns).fill(0);
  for (const moment of wrong) {
    const column = Math.min(columns - 1, Math.floor(moment / width));
    errors[column] = (errors[column] ?? 0) + 1;
  }
  return errors.map((count, column) => {
    const middle = (column + 0.5) * width;
    const from = Math.max(0, middle - reach);
    const to = Math.min(duration, middle + reach);
    const typed = left.filter((moment) => moment >= from && moment < to).length;
    return { wpm: wpmOf(typed, to - from), errors: count };
  });
}

/**
 * Ms of the characters left in the text, and of the wrong keys, since the timer started. Keys that were not
 * measured took as long as the others; what is left of the duration after that is a pause at its end.
 */
function keyMoments(reports: readonly KeyReport[], duration: number): { left: number[]; wrong: number[] } {
  const left: number[] = [];
  const wrong: number[] = [];
  let elapsed = 0;
  let measured = 0;
  for (const report of reports) {
    if (report.isTimed) elapsed += report.ms;
    if (report.isTimed && report.ms > 0) measured += 1;
    // A deletion takes back the latest character: it never goes back to an earlier word.
    if (report.kind === 'deletion') left.pop();
    if (report.kind === 'advance' && !report.endsRound) left.push(elapsed);
    if (report.kind !== 'character') continue;
    if (report.isKept) left.push(elapsed);
    if (!report.isRight && !report.isAgain) wrong.push(elapsed);
  }
  const share = elapsed > 0 ? Math.min(duration / elapsed, reports.length / measured) : 0;
  const inTime = (moment: number) => moment * share;
  return { left: left.map(inTime), wrong: wrong.map(inTime) };
}
