import type { App } from '../app-state.ts';
import type { Run } from '../game/run.ts';
import { liveWpm } from '../game/scoring.ts';
import type { Look } from '../screen/look.ts';
import { drawBar } from './bar.ts';
import { toFittingParts } from './text-layout.ts';

/** How much of the round is done: one piece of the line for each word. */
export function drawProgress(look: Look, run: Run, width: number): string {
  return drawBar(look, { value: run.wordIndex, max: run.words.length, width, style: 'faint' });
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

/** Columns of the figure before the bar. */
const figureWidth = 9;

/** Speed as figure and bar, with marks at the average and the best of the rounds before. */
export function drawSpeed(look: Look, app: App, run: Run, width: number): string {
  const wpm = toShownWpm(app, run);
  const figure = `${(wpm === undefined ? look.signs.dash : String(Math.round(wpm))).padStart(3)} WPM`;
  const { best_wpm: best, average_wpm: average } = app.history ?? { best_wpm: 0, average_wpm: 0 };
  const max = toBarTop(Math.max(best, wpm ?? 0));
  const bar = drawBar(look, {
    value: wpm ?? 0,
    max,
    width: width - figureWidth,
    style: 'accent',
    average,
    best,
  });
  return `${figure.padEnd(figureWidth)}${bar}`;
}

/** The bar ends at 120 words per minute or at the next 40 above everything it has to show. */
export function toBarTop(value: number): number {
  return Math.max(120, Math.ceil((value + 1) / 40) * 40);
}

/** With reduced motion the figure changes once a word. */
function toShownWpm(app: App, run: Run): number | undefined {
  if (!app.options.reducedMotion) return liveWpm(run);
  const lastSpace = run.inputs.findLastIndex((input) => input.type === 'space');
  const input = run.inputs[lastSpace];
  if (input === undefined || run.startedAt === undefined) return undefined;
  const correct = run.correct - run.typed.filter((key, at) => key === run.words[run.wordIndex]?.[at]).length;
  return liveWpm({ ...run, active: input.at, correct });
}
