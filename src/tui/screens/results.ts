import {
  bothEnds,
  cut,
  firstLines,
  fittingParts,
  padded,
  plural,
  sideBySide,
  widthOf,
} from '../../kit/terminal-text.ts';
import { qwerty } from '../../typing/letters/layout.ts';
import { blockLetter, blockRows } from '../look/block-font.ts';
import type { Look } from '../look/look.ts';
import { hasSpeed } from '../progress/figures.ts';
import { lettersOfHistory, limitsOf } from '../progress/letters.ts';
import { speedSeries } from '../progress/speed-series.ts';
import { finishedOf, timingOf } from '../round/round-view.ts';
import { missedText } from '../round/scoring.ts';
import { momentsOf } from '../state/pace.ts';
import type { RoundOutcome, State } from '../state/state.ts';
import type { KeyName, StampedKey } from '../terminal/keys.ts';
import { drawSpeedChart, scaleWidth } from '../view/charts.ts';
import { drawKeyMap, drawLegend, drawnLayout, keyMapWidth } from '../view/keyboard.ts';
import { drawKeys, type Page, pageMargin } from '../view/page.ts';
import { withOtherMeasure } from './history.ts';
import { openScreen, type Reaction, reaction, withoutRound } from './reaction.ts';
import { pressScroll } from './reading.ts';
import { type ResultsText, resultsKeys, resultsText } from './results-text.ts';

/** After typing on past the end of a round, keys act again after this pause, ms. */
const pauseAfterTypingOn = 700;

/** Others, such as Enter, are pressed on purpose. */
const typingKeys: readonly KeyName[] = ['character', 'space', 'backspace', 'delete-word'];

export function pressResults(state: State, key: StampedKey): Reaction {
  const { outcome } = state;
  if (key.name === 'escape') return reaction(state, 'quit-discarding');
  if (outcome === undefined || key.repeat) return reaction(state);
  if (key.time < outcome.settlesAt) {
    const settlesAt = Math.max(outcome.settlesAt, key.time + pauseAfterTypingOn);
    return reaction(typingKeys.includes(key.name) ? { ...state, outcome: { ...outcome, settlesAt } } : state);
  }
  if (key.name === 'enter' || key.name === 'tab')
    return reaction({ ...withoutRound(state), missed: '' }, 'new-round');
  switch (key.text) {
    case 'm': {
      const missed = missedText(outcome.round);
      return missed === ''
        ? reaction({ ...state, notice: 'Nothing to practise: no word missed.' })
        : reaction({ ...withoutRound(state), missed }, 'new-round');
    }
    case 'r': {
      const pastMoments = momentsOf(finishedOf(outcome.round));
      const again = { attempt: state.attempt + 1, pastMoments, notice: '' };
      return reaction({ ...state, ...again }, 'repeat-round');
    }
    case '?':
      return reaction(openScreen(state, 'help', key.time));
    case 'k':
      return reaction(withOtherMeasure(state));
    default:
      return pressScroll(state, key);
  }
}

interface Results extends ResultsText {
  readonly look: Look;
  readonly state: State;
  readonly outcome: RoundOutcome;
  readonly width: number;
  /** There is room for everything: a keyboard beside the chart, and rows for the hands. */
  readonly isFull: boolean;
}

/** The figures of the round above, those of all its kind below; each group says which it is. */
export function drawResults(look: Look, state: State): Page {
  const { outcome, size } = state;
  if (outcome === undefined) return { blocks: [], bottom: [] };
  const width = size.columns - pageMargin;
  const isFull = size.columns >= 80 && size.rows >= 24;
  const text = resultsText(look, state, outcome);
  const results: Results = { look, state, outcome, width, isFull, ...text };
  const below = drawBelow(results);
  const blocks = [drawHead(results), drawMiddle(results, below.length), below];
  return { blocks: isFull ? blocks : [blocks.flat()], bottom: drawBottom(results) };
}

/** The title, and the speed in block letters beside the other figures of the round. */
function drawHead(results: Results): string[] {
  const { look, outcome, width } = results;
  const { score } = outcome;
  const digits = hasSpeed(score) ? [...String(Math.round(score.standard_wpm))] : [];
  const letters = digits.map((digit) => blockLetter(digit, look.ascii));
  const style = score.verdict === null ? 'accent' : 'faint';
  const large = Array.from({ length: blockRows }, (_, row) =>
    look.paint(style, letters.map((letter) => letter[row] ?? '').join(' ')),
  );
  const at = widthOf(large[0] ?? '') + (digits.length === 0 ? 0 : 3);
  // The last row is the list of wrong keys.
  const figures = results.figures.map((parts, row, { length }) =>
    fittingParts(parts, '  ', width - at, row === length - 1 ? ` ${look.signs.ellipsis}` : ''),
  );
  return [drawTitle(results), ...sideBySide(large, figures, at)];
}

function drawTitle({ look, width, title, remarks, problem, place, goal }: Results): string {
  const { paint, signs } = look;
  const remark = cut(remarks.join('  '), width, signs.ellipsis);
  const left = remark === '' ? paint('strong', title) : paint('warning', remark);
  const room = Math.max(0, width - widthOf(left) - 2);
  if (problem !== '') return bothEnds(left, paint('warning', cut(problem, room)), width);
  const parts = [place, goal].filter((part) => part !== '');
  return bothEnds(left, paint('faint', fittingParts(parts, ', ', room)), width);
}

/** Rows of the chart if there is room for all, of the letters beside it, and of the other parts. */
const maxChartRows = 12;
const otherRows = 1 + blockRows + 3 + 2;

/** The speed over the round, unless that was too short for one; beside it the keys in all rounds of the kind. */
function drawMiddle(results: Results, rowsBelow: number): string[] {
  const { look, state, outcome, reports, known, width, isFull } = results;
  const { round, score } = outcome;
  const layout = drawnLayout(state.catalog, round.roundSetup) ?? qwerty;
  const hasMap = isFull && known !== undefined;
  const free = state.size.rows - otherRows - rowsBelow - 1;
  const rows = isFull ? Math.max(2, Math.min(maxChartRows, free)) : 1;
  const columns = Math.min(width - (hasMap ? keyMapWidth(layout) + 3 : 0) - scaleWidth, isFull ? 100 : width);
  const title = isFull ? [look.paint('faint', `This round: WPM, ${look.signs.error} an error`)] : [];
  const series = speedSeries(reports, timingOf(round).duration, columns);
  const chart = hasSpeed(score) ? [...title, ...drawSpeedChart(look, series, rows)] : [];
  if (!hasMap) return chart;
  const letters = lettersOfHistory(known);
  const { measure } = state;
  const scope = `${plural(known.total_sessions, 'round')} of this kind`;
  const map = [
    look.paint('faint', `${scope}: ${measure === 'accuracy' ? '% right' : 'ms'}`),
    ...drawKeyMap(look, layout, letters, measure),
    drawLegend(look, measure, limitsOf(letters, measure)),
  ];
  return sideBySide(chart, map, columns + scaleWidth + 3);
}

/** Columns of the names at the left of these rows, and of a name with its percentage. */
const labelWidth = 9;
const shareWidth = 14;

/**
 * How a drill went, or what the hands did in all rounds of the kind: shares in columns of equal width, or not
 * at all.
 */
function drawBelow({ look, width, isFull, known, scope, drill, hands }: Results): string[] {
  if (known === undefined) return firstLines(drill, width, isFull ? 8 : 3, look.signs.ellipsis);
  const rows = hands.flatMap(({ name, parts }, row) => {
    const shares = parts.map((part) => padded(part, isFull ? shareWidth : widthOf(part) + 3)).join('');
    const cells = row < 3 ? [shares.trimEnd()] : parts;
    const text = fittingParts(cells, '   ', width - labelWidth, ` ${look.signs.ellipsis}`);
    return text === '' ? [] : [look.paint('faint', padded(name, labelWidth)) + text];
  });
  return [look.paint('faint', `In ${scope} of this kind:`), ...rows];
}

function drawBottom({ look, state, known, advice, timing, width, isFull }: Results): string[] {
  const { paint, signs } = look;
  const rows = firstLines(advice, width, isFull ? 1 : 2, signs.ellipsis);
  return [
    ...rows.filter((row) => row !== '').map((row) => paint('warning', row)),
    // A problem is more important than how well the keys were timed.
    state.notice === '' ? paint('faint', timing) : paint('warning', cut(state.notice, width, signs.ellipsis)),
    drawKeys(look, resultsKeys(state, isFull && known !== undefined), width),
  ];
}
