import type { Look } from '../look/look.ts';
import type { LocalRound } from '../round/round.ts';
import { liveWpm } from '../round/scoring.ts';
import type { App } from '../state/app-state.ts';
import { toColumns } from '../terminal/columns.ts';
import { toBarTop } from '../text/figures/score-rows.ts';
import { toBothEnds, toFitting, toFittingParts } from '../text/text-layout.ts';
import { drawBar } from './charts/bar.ts';

/**
 * What is practised, and the place in it: a word, or the time that is left. Where both have no room beside the program's
 * name, that is left out.
 *
 * @param more what else is to be said quietly where there is room, a line each
 * @param placeWidth columns of the longest place of the round, so that the name does not come and go
 */
export function drawTitle(
  { paint, signs }: Look,
  kind: string,
  more: string,
  place: string,
  placeWidth: number,
  width: number,
): string {
  const name = paint('strong', 'typebadge');
  const rest = paint('faint', place);
  const room = width - placeWidth - 1;
  const told = toFittingParts(
    [kind, ...more.split('\n')].filter(Boolean),
    ` ${signs.dot} `,
    room - 'typebadge  '.length,
  );
  if (told !== '') return toBothEnds(`${name}  ${paint('faint', told)}`, rest, width);
  if (kind === '' && toColumns(name) <= room) return toBothEnds(name, rest, width);
  return toBothEnds(paint('strong', toFitting(kind, signs.ellipsis, room)), rest, width);
}

/** How much of the round is done: one piece of the line for each word or second. Empty while there are none. */
export function drawProgress(look: Look, done: number, total: number, width: number): string {
  return total === 0 ? '' : drawBar(look, { value: done, max: total, width, style: 'faint' });
}

/** The word before, faint; with a cross when it was left with a mistake in it. */
export function drawPreviousWord({ paint, signs }: Look, round: LocalRound): string {
  const word = round.words[round.wordIndex - 1];
  if (word === undefined) return '';
  const isRight = round.left[round.wordIndex - 1]?.join('') === word;
  return paint('faint', word) + (isRight ? '' : paint('wrong', ` ${signs.error}`));
}

/** The next three words, or as many as fit. */
export function drawNextWords({ paint }: Look, round: LocalRound, width: number): string {
  const next = round.words.slice(round.wordIndex + 1, round.wordIndex + 4);
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

/** Whole words per minute to show; with reduced motion they change once a word. */
export function toShownWpm(app: App, round: LocalRound): number | undefined {
  const wpm = liveWpm(app.options.reducedMotion ? toLastWord(round) : round);
  return wpm === undefined ? undefined : Math.round(wpm);
}

/** The round as it was when the last word was left. */
function toLastWord(round: LocalRound): LocalRound {
  const input = round.inputs.findLast(({ type }) => type === 'space');
  const word = round.targets[round.wordIndex] ?? '';
  const right = round.typed.filter((key, at) => key === word[at]).length;
  const wrong = round.typed.length - right;
  const score = { ...round.score, right: round.score.right - right, wrong: round.score.wrong - wrong };
  return { ...round, active: input?.at ?? 0, score };
}
