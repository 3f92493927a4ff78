import type { HistoricalStatistics } from '../../contract/answer-types.ts';
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
import { type Layout, qwerty } from '../../typing/letters/layout.ts';
import type { KeyReport } from '../../typing/rules/step.ts';
import { blockLetter, blockRows } from '../look/block-font.ts';
import type { Look } from '../look/look.ts';
import { hasSpeed } from '../progress/figures.ts';
import { lettersOfHistory, limitsOf } from '../progress/letters.ts';
import { speedSeries } from '../progress/speed-series.ts';
import { momentsOf } from '../round/pacer.ts';
import { finishedOf, reportsOf, timingOf } from '../round/round-view.ts';
import { missedText } from '../round/scoring.ts';
import type { RoundOutcome, State } from '../state/state.ts';
import { goalText } from '../state/text.ts';
import type { KeyName, StampedKey } from '../terminal/keys.ts';
import { drawSpeedChart, scaleWidth } from '../view/charts.ts';
import { drawKeyMap, drawLegend, drawnLayout, keyMapWidth } from '../view/keyboard.ts';
import { drawKeys, type Page, pageMargin } from '../view/page.ts';
import { withOtherMeasure } from './history.ts';
import { openScreen, type Reaction, reaction, withoutRound } from './reaction.ts';
import { pressScroll } from './reading.ts';
import {
  drillText,
  endTitle,
  figureRows,
  handRows,
  historyAdvice,
  knownHistory,
  placeText,
  problemText,
  remarks,
  resultsKeys,
  scopeText,
  timingText,
} from './results-text.ts';

/** After typing on past the end of a round, keys act again after this pause, ms. */
const pauseAfterTypingOn = 700;

/** Others, such as Enter, are pressed on purpose. */
const typingKeys: readonly KeyName[] = ['character', 'space', 'backspace', 'delete-word'];

export function pressResults(state: State, key: StampedKey): Reaction {
  const { outcome } = state;
  if (key.name === 'escape') return reaction(state, 'leave');
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
        ? reaction({ ...state, notice: 'Nothing to practise: no word was missed.' })
        : reaction({ ...withoutRound(state), missed }, 'new-round');
    }
    case 'r': {
      const again = { attempt: state.attempt + 1, pastMoments: momentsOf(finishedOf(outcome.round)) };
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

interface Results {
  readonly look: Look;
  readonly state: State;
  readonly outcome: RoundOutcome;
  readonly reports: readonly KeyReport[];
  /** Statistics over all rounds of the kind; undefined if there are none. */
  readonly known: HistoricalStatistics | undefined;
  readonly width: number;
}

/** The figures of the round above, those of all its kind below; each group says which it is. */
export function drawResults(look: Look, state: State): Page {
  const { outcome, size } = state;
  if (outcome === undefined) return { blocks: [], bottom: [] };
  const known = knownHistory(state, outcome);
  const width = size.columns - pageMargin;
  const results: Results = { look, state, outcome, reports: reportsOf(outcome.round), known, width };
  const isFull = size.columns >= 80 && size.rows >= 24;
  const blocks = isFull ? drawFull(results) : [drawShort(results)];
  return { blocks, bottom: drawBottom(results, isFull) };
}

/** Rows of the chart if there is room for all, of the letters beside it, and of the other parts. */
const maxChartRows = 12;
const otherRows = 1 + blockRows + 3 + 2;

function drawFull(results: Results): string[][] {
  const { look, state, outcome, known, width } = results;
  const layout = drawnLayout(state.catalog, outcome.round.roundSetup) ?? qwerty;
  const below =
    known === undefined
      ? firstLines(drillText(outcome, results.reports), width, 8, look.signs.ellipsis)
      : [look.paint('faint', `In ${scopeText(known)}:`), ...drawHands(results, known)];
  const free = state.size.rows - otherRows - below.length;
  const beside = known === undefined ? 0 : keyMapWidth(layout) + 3;
  const chartWidth = Math.min(width - beside - scaleWidth, 100);
  const chart = drawSpeed(results, chartWidth, Math.max(2, Math.min(maxChartRows, free - 1)));
  if (chart.length > 0) chart.unshift(look.paint('faint', `This round: WPM, ${look.signs.error} an error`));
  const map = drawMap(results, layout);
  return [drawHead(results), sideBySide(chart, map, chartWidth + scaleWidth + 3), below];
}

/** What matters most, in twelve rows of forty columns. */
function drawShort(results: Results): string[] {
  const { look, outcome, reports, known, width } = results;
  return [
    ...drawHead(results),
    ...drawSpeed(results, width - scaleWidth, 1),
    ...(known === undefined
      ? firstLines(drillText(outcome, reports), width, 3, look.signs.ellipsis)
      : [
          look.paint('faint', cut(`Of ${scopeText(known)}:`, width)),
          fittingParts(handRows(look, known).at(-1)?.parts ?? [], '   ', width),
        ]),
  ];
}

/** No rows for a round that was too short for a speed. */
function drawSpeed({ look, outcome, reports }: Results, columns: number, rows: number): string[] {
  if (!hasSpeed(outcome.score)) return [];
  return drawSpeedChart(look, speedSeries(reports, timingOf(outcome.round).duration, columns), rows);
}

function drawBottom({ look, state, outcome, reports, known, width }: Results, isFull: boolean): string[] {
  const { paint, signs } = look;
  const advice = firstLines(historyAdvice(known), width, isFull ? 1 : 2, signs.ellipsis);
  return [
    ...advice.filter((row) => row !== '').map((row) => paint('warning', row)),
    // A problem is more important than a race, and than how well the keys were timed.
    state.notice === ''
      ? paint('faint', fittingParts([outcome.race, timingText(reports)], ' ', width))
      : paint('warning', cut(state.notice, width, signs.ellipsis)),
    drawKeys(look, resultsKeys(state, isFull && known !== undefined), width),
  ];
}

/** The title, and the speed in block letters beside the other figures of the round. */
function drawHead(results: Results): string[] {
  const { look, outcome, reports, width } = results;
  const { score } = outcome;
  const digits = hasSpeed(score) ? [...String(Math.round(score.standardWpm))] : [];
  const letters = digits.map((digit) => blockLetter(digit, look.ascii));
  const style = score.verdict === null ? 'accent' : 'faint';
  const large = Array.from({ length: blockRows }, (_, row) =>
    look.paint(style, letters.map((letter) => letter[row] ?? '').join(' ')),
  );
  const at = widthOf(large[0] ?? '') + (digits.length === 0 ? 0 : 3);
  const figures = figureRows(look, outcome, reports).map((parts) => fittingParts(parts, '  ', width - at));
  return [drawTitle(results), ...sideBySide(large, figures, at)];
}

function drawTitle({ look, state, outcome, width }: Results): string {
  const { paint, signs } = look;
  const remark = cut(remarks(outcome).join('  '), width, signs.ellipsis);
  const left = remark === '' ? paint('strong', endTitle(state, outcome)) : paint('warning', remark);
  const room = width - widthOf(left) - 2;
  const problem = problemText(state, outcome);
  if (problem !== '') return bothEnds(left, paint('warning', cut(problem, Math.max(0, room))), width);
  const parts = [placeText(outcome), goalText(state.goal)].filter((part) => part !== '');
  return bothEnds(left, paint('faint', fittingParts(parts, ', ', room)), width);
}

function drawMap({ look, state: { measure }, known }: Results, layout: Layout): string[] {
  if (known === undefined) return [];
  const letters = lettersOfHistory(known);
  const title = `${plural(known.total_sessions, 'round')} of this kind: ${measure === 'accuracy' ? '% right' : 'ms'}`;
  return [
    look.paint('faint', title),
    ...drawKeyMap(look, layout, letters, measure),
    drawLegend(look, measure, limitsOf(letters, measure)),
  ];
}

/** Columns of the names at the left of these rows, and of a name with its percentage. */
const labelWidth = 9;
const shareWidth = 14;

/** What the hands did in all rounds of the kind, with columns of equal width where these are shares. */
function drawHands({ look, width }: Results, known: HistoricalStatistics): string[] {
  return handRows(look, known).map(({ name, parts }, row) => {
    const shares = parts.map((part) => padded(part, shareWidth)).join('');
    const cells = row < 3 ? [shares.trimEnd()] : parts;
    return look.paint('faint', padded(name, labelWidth)) + fittingParts(cells, '   ', width - labelWidth);
  });
}
