import type { HistoricalStatistics, LetterStats } from '../../contract/answer-types.ts';
import {
  bothEnds,
  cut,
  firstLines,
  fittingParts,
  grid,
  padded,
  plural,
  sideBySide,
  widthOf,
  wrapped,
} from '../../kit/terminal-text.ts';
import { qwerty } from '../../typing/letters/layout.ts';
import type { KeyReport } from '../../typing/rules/step.ts';
import { blockLetter, blockRows } from '../look/block-font.ts';
import type { Look } from '../look/look.ts';
import type { Style } from '../look/styles.ts';
import { fingerNames, hasSpeed, percentText, rowNames } from '../progress/figures.ts';
import { accuracyLimits, fewestPresses, gradeOf, lettersOfHistory, limitsOf } from '../progress/letters.ts';
import { speedSeries } from '../progress/speed-series.ts';
import { drilledPairs, isReached } from '../round/drill-times.ts';
import { missedText as textToPractise } from '../round/missed-words.ts';
import { reportsOf, timingOf } from '../round/round-view.ts';
import type { RoundOutcome, ScreenProps, State } from '../state/state.ts';
import { goalText } from '../state/text.ts';
import { drawnLayout } from '../view/keyboard.ts';
import { drawSparkline, drawSpeedChart, scaleWidth } from './charts.ts';
import { drawKeyboard, drawLegend, type KeySize, keyboardWidth, letterRows } from './heat-maps.ts';
import { resultsKeys } from './keys.ts';
import { drawKeys, gapRows, Page, pageMargin } from './page.tsx';
import {
  comparison,
  endTitle,
  finerFigures,
  handShares,
  historyAdvice,
  knownHistory,
  missedText,
  placeText,
  remarks,
  roundErrors,
  scopeText,
  timingParts,
} from './results-text.ts';

/** All that the parts of the screen are drawn from. */
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
  const key: KeySize =
    columns >= 150 && rows >= 44
      ? { width: 7, rows: 4 }
      : columns >= 110 && rows >= 34
        ? { width: 5, rows: 3 }
        : { width: 3, rows: 2 };
  const keys = letterRows((drawnLayout(state.catalog, outcome.round.practised) ?? qwerty).rows);
  const below =
    known === undefined
      ? drawDrill(results, 8)
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
  const line = drawSparkline(look, speedSeries(reports, timingOf(outcome.round).duration, width));
  const head = [...drawHead(results), ...line];
  const rest = state.size.rows - head.length - bottomRows - 1;
  return [
    ...head,
    ...(known === undefined
      ? drawDrill(results, rest)
      : [look.paint('faint', cut(`Of ${scopeText(known)}:`, width)), drawErrors(results, known, width)]),
  ];
}

/** Advice, what to know of the timing, and the keys. */
function drawBottom(results: Results, adviceRows: number): string[] {
  const { look, state, outcome, known, width } = results;
  const { ellipsis } = look.signs;
  const advice = firstLines(historyAdvice(known), width, adviceRows, ellipsis);
  const timing = fittingParts(
    [`Timing: ${timingParts(outcome.round)[0]}`, ...timingParts(outcome.round).slice(1)],
    ', ',
    width,
  );
  const { next, again, missed, leave, measure, history, palette, options, help } = resultsKeys;
  const keys = [
    next,
    again,
    ...(textToPractise(outcome.round) === '' ? [] : [missed]),
    leave,
    ...(known === undefined || adviceRows > 1 ? [] : [measure]),
    history,
    palette,
    help,
    options,
  ];
  return [
    ...advice.filter((row) => row !== '').map((row) => look.paint('warning', row)),
    // What went wrong is more important than how well the keys were timed.
    state.notice === ''
      ? look.paint('faint', timing)
      : look.paint('warning', cut(state.notice, width, ellipsis)),
    drawKeys(look, keys, width),
  ];
}

/** The title, and the speed in block letters beside the other figures of the round. */
function drawHead(results: Results): string[] {
  const { look, outcome } = results;
  const { score } = outcome;
  const digits = hasSpeed(score) ? [...String(Math.round(score.standardWpm))] : [];
  const letters = digits.map((digit) => blockLetter(digit, look.ascii));
  const style: Style = score.verdict === null ? 'accent' : 'faint';
  const large = Array.from({ length: blockRows }, (_, row) =>
    look.paint(style, letters.map((letter) => letter[row] ?? '').join(' ')),
  );
  const at = widthOf(large[0] ?? '') + (digits.length === 0 ? 0 : 3);
  return [drawTitle(results), ...sideBySide(large, drawFigures(results, results.width - at), at)];
}

function drawTitle({ look, state, outcome, width }: Results): string {
  const { paint, signs } = look;
  const title = endTitle(state, outcome);
  const said = remarks(outcome).join('  ');
  const place = placeText(state, outcome);
  const goal = goalText(state.goal);
  const left = said === '' ? paint('strong', title) : paint('warning', cut(said, width, signs.ellipsis));
  const texts = [[goal, place.text].filter((text) => text !== '').join(', '), place.text];
  const room = width - widthOf(left) - 2;
  const right =
    texts.find((text) => widthOf(text) <= room) ??
    (place.isWarning ? cut(place.text, Math.max(0, room)) : '');
  return bothEnds(left, paint(place.isWarning ? 'warning' : 'faint', right), width);
}

/** The figures of this round, in as many rows as a block letter has. */
function drawFigures({ look, outcome, reports }: Results, width: number): string[] {
  const { paint, signs } = look;
  const { score } = outcome;
  const { accuracy, seconds } = score;
  const { newBest, before } = comparison(outcome);
  const star = (name: typeof newBest) =>
    newBest === name ? [paint('right', `${signs.newBest} new best`)] : [];
  const had = (best: number, average: number, text: (value: number) => string) =>
    before === undefined || best === 0
      ? []
      : [paint('faint', `best ${text(best)}`), paint('faint', `average ${text(average)}`)];
  const typed = outcome.round.score.right + outcome.round.score.wrong;
  const { source } = outcome.round.practised;
  const from = source === '' ? [] : [paint('faint', `${signs.dash} ${source}`)];
  const errors = roundErrors(reports).map(
    ({ wanted, typed: key, count }) => `${wanted}${signs.to}${key} ${count}${signs.error}`,
  );
  const rows = [
    [
      paint('strong', `${hasSpeed(score) ? score.standardWpm.toFixed(1) : signs.dash} WPM`),
      ...star('wpm'),
      ...had(before?.best_standard_wpm ?? 0, before?.average_standard_wpm ?? 0, (value) => value.toFixed(1)),
    ],
    [
      paint('strong', `${percentText(accuracy)} %`),
      ...star('accuracy'),
      ...had(before?.best_accuracy ?? 0, before?.average_accuracy ?? 0, percentText),
    ],
    [paint('strong', `${seconds.toFixed(1)} s`), paint('faint', `for ${typed} characters`), ...from],
    finerFigures(outcome).map((figure) => paint('faint', figure)),
    errors.length === 0 ? [paint('faint', 'no wrong key')] : [paint('faint', 'wrong'), ...errors],
  ];
  return rows.map((parts) => fittingParts(parts, '  ', width));
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

/** What the hands did in all rounds of the kind: fingers by hand, keyboard rows, flow and errors. */
function drawHands(results: Results, known: HistoricalStatistics): string[] {
  const { look, width } = results;
  const { paint, signs } = look;
  const room = width - labelWidth;
  const [left, right] = handShares(known.hand_balance);
  const hand = (fingers: readonly number[], share: number) => {
    const parts = fingers.map((finger) => {
      const [, name = ''] = fingerNames[finger]?.split(' ') ?? [];
      return padded(`${name} ${drawShare(look, known.finger_stats[finger])}`, shareWidth);
    });
    return `${parts.join('')}${paint('faint', 'share')} ${share} %`;
  };
  const { count, average_ms } = known.sfb_stats;
  const flow = [
    `hands alternate ${Math.round(known.alternation_rate)} %`,
    count > 0 ? `same finger ${Math.round(average_ms)} ms (${count}${signs.error})` : 'same finger none',
    `rhythm ${signs.plusMinus} ${Math.round(known.rhythm_stddev)} ms`,
  ];
  const rows = rowNames
    .map((name, row) => ({ name, stats: known.row_stats[row] }))
    .filter(({ stats }, row) => row < 3 || (stats?.presented ?? 0) > 0)
    .map(({ name, stats }) => padded(`${name} ${drawShare(look, stats)}`, shareWidth));
  return [
    ['Left', hand([0, 1, 2, 3], left)],
    ['Right', hand([6, 7, 8, 9], right)],
    ['Rows', rows.join('')],
    ['Flow', fittingParts(flow, '   ', room)],
    ['Errors', drawErrors(results, known, room)],
  ].map(([label = '', text = '']) => paint('faint', padded(label, labelWidth)) + text.trimEnd());
}

/** Among words, letters in colour are quieter than fields of it. */
const shareStyles: readonly Style[] = ['wrong', 'warning', 'plain', 'right'];

/** Percent right, in the colour of its grade. */
function drawShare({ paint, signs }: Look, stats: LetterStats | undefined): string {
  if (stats === undefined || stats.presented < fewestPresses) return paint('faint', signs.dash);
  const accuracy = (stats.correct / stats.presented) * 100;
  const grade = gradeOf(accuracy, 'accuracy', accuracyLimits);
  return paint(shareStyles[grade - 1] ?? 'plain', `${Math.floor(accuracy)} %`);
}

/** Wanted and typed letter in all rounds of the kind, the most frequent first. */
function drawErrors({ look }: Results, known: HistoricalStatistics, width: number): string {
  const { signs, paint } = look;
  const parts = known.error_patterns.map(
    ({ expected, typed, count }) =>
      `${expected}${signs.to}${typed === ' ' ? signs.space : typed} ${count}${signs.error}`,
  );
  return parts.length === 0
    ? paint('faint', 'no letter typed for another')
    : fittingParts(parts, '   ', width);
}

/** What came of a drill: its pairs with the times before in brackets, or the words that were missed. */
function drawDrill({ look, outcome, reports, width }: Results, rows: number): string[] {
  if (outcome.round.practised.mode.type !== 'drill') return [];
  const { paint, signs } = look;
  const pairs = drilledPairs(outcome.round, reports);
  if (pairs.length === 0) return firstLines(missedText(outcome), width, rows, signs.ellipsis);
  const target = Math.round(pairs[0]?.targetMs ?? 0);
  const [title = ''] = wrapped(`Pairs, ms (before); the target is ${target}`, width);
  const texts = pairs.map((pair) => {
    const before = pair.beforeMs === null ? '' : ` (${Math.round(pair.beforeMs)})`;
    const text = `${pair.pair} ${pair.ms === undefined ? signs.dash : Math.round(pair.ms)}${before}`;
    return isReached(pair) ? paint('right', `${text} reached`) : text;
  });
  const cell = Math.max(...texts.map(widthOf)) + 3;
  return [paint('faint', title), ...grid(texts, cell, width)].slice(0, Math.max(0, rows));
}
