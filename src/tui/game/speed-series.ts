import type { Run } from './run.ts';
import { walkInputs } from './run-summary.ts';
import { toWpm } from './scoring.ts';

/** One column of the chart: the speed around that part of the run, and whether an error fell into it. */
export interface SpeedColumn {
  readonly wpm: number;
  readonly errors: number;
}

/** Half the width of the window that smooths the speed: one word's worth of time, or the chart shows noise. */
const halfWindowMs = 1500;

/** Cuts a run into `columns` equal spans of time. Speed: right keystrokes in the window around each span. */
export function toSpeedSeries(run: Run, columns: number): SpeedColumn[] {
  const duration = run.active;
  if (duration <= 0 || columns < 1) return [];
  const { right, wrong } = toMoments(run);
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
    return { wpm: toWpm(countBetween(right, from, to), to - from), errors: count };
  });
}

/** Active ms of the right and of the wrong keystrokes since the timer started. */
function toMoments(run: Run): { right: number[]; wrong: number[] } {
  const right: number[] = [];
  const wrong: number[] = [];
  let isRunning = run.startedAt === undefined;
  for (const { input, expected, position } of walkInputs(run.words, run.inputs)) {
    if (input.type === 'backspace') continue;
    const isSpace = input.type === 'space';
    const isRight = !isSpace && input.char === expected;
    if (isRight && position === 0) isRunning = true;
    if (!isRunning || (isSpace && expected === '')) continue;
    (isRight ? right : wrong).push(input.at);
  }
  return { right, wrong };
}

/** How many of the ascending `moments` lie in [from, to). */
function countBetween(moments: readonly number[], from: number, to: number): number {
  return moments.filter((moment) => moment >= from && moment < to).length;
}
