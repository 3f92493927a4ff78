import type { App } from '../app/app-state.ts';
import type { Run } from '../game/run.ts';
import { liveWpm } from '../game/scoring.ts';
import type { Look } from '../screen/look.ts';
import { drawBar } from './bar.ts';
import { toBothEnds, toFittingParts } from './text-layout.ts';

export function drawTitle({ paint }: Look, wordNumber: number, total: number, width: number): string {
  const place = total === 0 ? '' : `word ${wordNumber} of ${total}`;
  return toBothEnds(paint('strong', 'typebadge'), paint('faint', place), width);
}

/** How much of the round is done: one piece of the line for each word. */
export function drawProgress(look: Look, wordIndex: number, total: number, width: number): string {
  return drawBar(look, { value: wordIndex, max: total, width, style: 'faint' });
}

/** The word before, faint; with a cross when it was left with a mistake in it. */
export function drawPreviousWord({ paint, signs }: Look, run: Run): string {
  const word = run.words[run.wordIndex - 1];
  if (word === undefined) return '';
  const isRight = run.left[run.wordIndex - 1]?.join('') === word;
  return paint('faint', word) + (isRight ? '' : paint('wrong', ` ${signs.error}`));
}

/** The next three words, or as many as fit. */
export function drawNextWords({ paint }: Look, run: Run, width: number): string {
  const next = run.words.slice(run.wordIndex + 1, run.wordIndex + 4);
  return toFittingParts(next, '   ', width)
    .split('   ')
    .map((word, at) => (at === 0 ? word : paint('faint', word)))
    .join('   ');
}

export interface SpeedOptions {
  /** Undefined while it is too early to tell. */
  readonly wpm: number | undefined;
  readonly best: number;
  readonly average: number;
  readonly width: number;
}

/** Columns of the figure before the bar. */
const figureWidth = 9;

/** Speed as figure and bar, with marks at the average and the best of the rounds before. */
export function drawSpeed(look: Look, { wpm, best, average, width }: SpeedOptions): string {
  const figure = `${(wpm === undefined ? look.signs.dash : String(wpm)).padStart(3)} WPM`;
  const max = toBarTop(Math.max(best, wpm ?? 0));
  const bar = drawBar(look, {
    value: wpm ?? 0,
    max,
    width: width - figureWidth,
    style: 'accent',
    average,
    best,
  });
  return figure.padEnd(figureWidth) + bar;
}

/** The bar ends at 120 words per minute or at the next 40 above everything it has to show. */
export function toBarTop(value: number): number {
  return Math.max(120, Math.ceil((value + 1) / 40) * 40);
}

/** Whole words per minute to show; with reduced motion they change once a word. */
export function toShownWpm(app: App, run: Run): number | undefined {
  const wpm = liveWpm(app.options.reducedMotion ? toLastWord(run) : run);
  return wpm === undefined ? undefined : Math.round(wpm);
}

/** The run as it was when the last word was left. */
function toLastWord(run: Run): Run {
  const input = run.inputs.findLast(({ type }) => type === 'space');
  const word = run.words[run.wordIndex] ?? '';
  const inThisWord = run.typed.filter((key, at) => key === word[at]).length;
  return { ...run, active: input?.at ?? 0, correct: run.correct - inThisWord };
}
