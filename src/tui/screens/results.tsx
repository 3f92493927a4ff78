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
import { qwerty } from '../../typing/letters/layout.ts';
import type { KeyReport } from '../../typing/rules/step.ts';
import { blockLetter, blockRows } from '../look/block-font.ts';
import type { Look } from '../look/look.ts';
import { hasSpeed } from '../progress/figures.ts';
import { lettersOfHistory, limitsOf } from '../progress/letters.ts';
import { speedSeries } from '../progress/speed-series.ts';
import { reportsOf, timingOf } from '../round/round-view.ts';
import type { RoundOutcome, ScreenProps, State } from '../state/state.ts';
import { goalText } from '../state/text.ts';
import { drawKeys, resultsKeys } from '../view/key-hints.ts';
import { drawnLayout } from '../view/keyboard.ts';
import { drawSpeedChart, scaleWidth } from './charts.ts';
import { drawKeyboard, drawLegend, keyboardWidth, letterRows } from './heat-maps.ts';
import { Page, pageMargin } from './page.tsx';
import {
  drillText,
  endTitle,
  figureRows,
  handRows,
  historyAdvice,
  knownHistory,
  placeText,
  remarks,
  scopeText,
  timingText,
} from './results-text.ts';

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
export function ResultsScreen({ look, state }: ScreenProps) {
  const { outcome, size } = state;
  if (outcome === undefined) return null;
  const known = knownHistory(state, outcome);
  const width = size.columns - pageMargin;
  const results: Results = { look, state, outcome, reports: reportsOf(outcome.round), known, width };
  const isFull = size.columns >= 80 && size.rows >= 24;
  const blocks = isFull ? drawFull(results) : [drawShort(results)];
  return <Page size={size} blocks={blocks} bottom={drawBottom(results, isFull)} />;
}

/** Rows of the chart if there is room for all, of the letters beside it, and of the other parts. */
const maxChartRows = 12;
const otherRows = 1 + blockRows + 3 + 2;

function drawFull(results: Results): string[][] {
  const { look, state, outcome, reports, known, width } = results;
  const keys = letterRows((drawnLayout(state.catalog, outcome.round.roundSetup) ?? qwerty).rows);
  const below =
    known === undefined
      ? firstLines(drillText(outcome), width, 8, look.signs.ellipsis)
      : [look.paint('faint', `In ${scopeText(known)}:`), ...drawHands(results, known)];
  const free = state.size.rows - otherRows - below.length;
  const beside = known === undefined ? 0 : keyboardWidth(keys) + 3;
  const chartWidth = Math.min(width - beside - scaleWidth, 100);
  const series = speedSeries(reports, timingOf(outcome.round).duration, chartWidth);
  const chart = [
    look.paint('faint', `This round: WPM, ${look.signs.error} an error`),
    ...drawSpeedChart(look, series, Math.max(2, Math.min(maxChartRows, free - 1))),
  ];
  return [drawHead(results), sideBySide(chart, drawMap(results, keys), chartWidth + scaleWidth + 3), below];
}

/** What matters most, in twelve rows of forty columns. */
function drawShort(results: Results): string[] {
  const { look, outcome, reports, known, width } = results;
  const series = speedSeries(reports, timingOf(outcome.round).duration, width - scaleWidth);
  return [
    ...drawHead(results),
    ...drawSpeedChart(look, series, 1),
    ...(known === undefined
      ? firstLines(drillText(outcome), width, 3, look.signs.ellipsis)
      : [
          look.paint('faint', cut(`Of ${scopeText(known)}:`, width)),
          fittingParts(handRows(look, known).at(-1)?.parts ?? [], '   ', width),
        ]),
  ];
}

function drawBottom({ look, state, outcome, known, width }: Results, isFull: boolean): string[] {
  const { paint, signs } = look;
  const advice = firstLines(historyAdvice(known), width, isFull ? 1 : 2, signs.ellipsis);
  return [
    ...advice.filter((row) => row !== '').map((row) => paint('warning', row)),
    // A problem is more important than how well the keys were timed.
    state.notice === ''
      ? paint('faint', timingText(outcome.round))
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
  const remark = remarks(outcome).join('  ');
  const place = placeText(state, outcome);
  const left =
    remark === ''
      ? paint('strong', endTitle(state, outcome))
      : paint('warning', cut(remark, width, signs.ellipsis));
  const room = width - widthOf(left) - 2;
  const whole = [goalText(state.goal), place.text].filter((text) => text !== '').join(', ');
  const right =
    [whole, place.text].find((text) => widthOf(text) <= room) ??
    (place.isWarning ? cut(place.text, Math.max(0, room)) : '');
  return bothEnds(left, paint(place.isWarning ? 'warning' : 'faint', right), width);
}

function drawMap(
  { look, state: { measure }, known }: Results,
  keys: readonly (readonly string[])[],
): string[] {
  if (known === undefined) return [];
  const letters = lettersOfHistory(known);
  const title = `${plural(known.total_sessions, 'round')} of this kind: ${measure === 'accuracy' ? '% right' : 'ms'}`;
  return [
    look.paint('faint', title),
    ...drawKeyboard(look, keys, letters, measure),
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
