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
import type { Style } from '../look/look.ts';
import { hasSpeed } from '../progress/figures.ts';
import { lettersOfHistory, limitsOf } from '../progress/letters.ts';
import { speedSeries } from '../progress/speed-series.ts';
import { reportsOf, timingOf } from '../round/round-view.ts';
import { missedText } from '../round/scoring.ts';
import type { RoundOutcome, ScreenProps, State } from '../state/state.ts';
import { goalText } from '../state/text.ts';
import { drawKeys, resultsKeys } from '../view/key-hints.ts';
import { drawnLayout } from '../view/keyboard.ts';
import { drawSpeedChart, scaleWidth } from './charts.ts';
import { drawKeyboard, drawLegend, type KeySize, keyboardWidth, letterRows } from './heat-maps.ts';
import { gapRows, Page, pageMargin } from './page.tsx';
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

/** The data that the parts of the screen are drawn from. */
interface Results {
  readonly look: Look;
  readonly state: State;
  readonly outcome: RoundOutcome;
  readonly reports: readonly KeyReport[];
  /** What all rounds of the kind say; undefined if that is nothing. */
  readonly known: HistoricalStatistics | undefined;
  readonly width: number;
}

/** The figures of the round above, those of all its kind below; each group says which it is. */
export function ResultsScreen({ look, state }: ScreenProps) {
  const { outcome, size } = state;
  if (outcome === undefined) return null;
  const results: Results = {
    look,
    state,
    outcome,
    reports: reportsOf(outcome.round),
    known: knownHistory(state, outcome),
    width: size.columns - pageMargin,
  };
  const isFull = size.columns >= 80 && size.rows >= 24;
  const top = isFull ? drawFull(results) : drawShort(results);
  return <Page size={size} top={top} bottom={drawBottom(results, isFull ? 1 : 2)} />;
}

/** Rows of the large figures. */
const headRows = 1 + blockRows;
const bottomRows = 3;

function drawFull(results: Results): string[] {
  const { look, state, outcome, reports, known, width } = results;
  const { columns, rows } = state.size;
  const key: KeySize = columns >= 110 && rows >= 34 ? { width: 5, rows: 3 } : { width: 3, rows: 2 };
  const keys = letterRows((drawnLayout(state.catalog, outcome.round.roundSetup) ?? qwerty).rows);
  const below =
    known === undefined
      ? firstLines(drillText(outcome), width, 8, look.signs.ellipsis)
      : [look.paint('faint', `In ${scopeText(known)}:`), ...drawHands(results, known)];
  const free = rows - headRows - bottomRows - below.length;
  const chartRows = Math.max(2, Math.min(key.rows * 3, free - 3));
  const beside = known === undefined ? 0 : keyboardWidth(keys, key) + 3;
  const chartWidth = Math.min(width - beside - scaleWidth, 100);
  const chart = [
    look.paint('faint', `This round: WPM, ${look.signs.error} an error`),
    ...drawSpeedChart(look, speedSeries(reports, timingOf(outcome.round).duration, chartWidth), chartRows),
  ];
  const middle = sideBySide(chart, drawMap(results, keys, key), chartWidth + scaleWidth + 3);
  const [above = [], between = []] = gapRows(free - middle.length, 3);
  return [...drawHead(results), ...above, ...middle, ...between, ...below];
}

/** What matters most, in twelve rows of forty columns. */
function drawShort(results: Results): string[] {
  const { look, outcome, reports, known, width, state } = results;
  const series = speedSeries(reports, timingOf(outcome.round).duration, width - scaleWidth);
  const line = drawSpeedChart(look, series, 1);
  const head = [...drawHead(results), ...line];
  const rest = state.size.rows - head.length - bottomRows - 1;
  return [
    ...head,
    ...(known === undefined
      ? firstLines(drillText(outcome), width, rest, look.signs.ellipsis)
      : [
          look.paint('faint', cut(`Of ${scopeText(known)}:`, width)),
          fittingParts(handRows(look, known).at(-1)?.parts ?? [], '   ', width),
        ]),
  ];
}

/** Advice, what to know of the timing, and the keys. */
function drawBottom(results: Results, adviceRows: number): string[] {
  const { look, state, outcome, known, width } = results;
  const { ellipsis } = look.signs;
  const advice = firstLines(historyAdvice(known), width, adviceRows, ellipsis);
  const { next, again, missed, leave, measure, history, palette, options, help } = resultsKeys;
  const keys = [
    next,
    again,
    ...(missedText(outcome.round) === '' ? [] : [missed]),
    leave,
    ...(known === undefined || adviceRows > 1 ? [] : [measure]),
    history,
    palette,
    help,
    options,
  ];
  return [
    ...advice.filter((row) => row !== '').map((row) => look.paint('warning', row)),
    // A problem is more important than how well the keys were timed.
    state.notice === ''
      ? look.paint('faint', timingText(outcome.round))
      : look.paint('warning', cut(state.notice, width, ellipsis)),
    drawKeys(look, keys, width),
  ];
}

/** The title, and the speed in block letters beside the other figures of the round. */
function drawHead(results: Results): string[] {
  const { look, outcome, reports, width } = results;
  const { score } = outcome;
  const digits = hasSpeed(score) ? [...String(Math.round(score.standardWpm))] : [];
  const letters = digits.map((digit) => blockLetter(digit, look.ascii));
  const style: Style = score.verdict === null ? 'accent' : 'faint';
  const large = Array.from({ length: blockRows }, (_, row) =>
    look.paint(style, letters.map((letter) => letter[row] ?? '').join(' ')),
  );
  const at = widthOf(large[0] ?? '') + (digits.length === 0 ? 0 : 3);
  const figures = figureRows(look, outcome, reports).map((parts) => fittingParts(parts, '  ', width - at));
  return [drawTitle(results), ...sideBySide(large, figures, at)];
}

function drawTitle({ look, state, outcome, width }: Results): string {
  const { paint, signs } = look;
  const title = endTitle(state, outcome);
  const remark = remarks(outcome).join('  ');
  const place = placeText(state, outcome);
  const goal = goalText(state.goal);
  const left = remark === '' ? paint('strong', title) : paint('warning', cut(remark, width, signs.ellipsis));
  const texts = [[goal, place.text].filter((text) => text !== '').join(', '), place.text];
  const room = width - widthOf(left) - 2;
  const right =
    texts.find((text) => widthOf(text) <= room) ??
    (place.isWarning ? cut(place.text, Math.max(0, room)) : '');
  return bothEnds(left, paint(place.isWarning ? 'warning' : 'faint', right), width);
}

function drawMap(
  { look, state: { measure }, known }: Results,
  keys: readonly (readonly string[])[],
  size: KeySize,
): string[] {
  if (known === undefined) return [];
  const letters = lettersOfHistory(known);
  const what = measure === 'accuracy' ? '% right' : 'ms';
  const title = `${plural(known.total_sessions, 'round')} of this kind: ${what}`;
  return [
    look.paint('faint', title),
    ...drawKeyboard(look, keys, letters, measure, size),
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
