import { Spacer } from 'ink';
import type { HistoricalStatistics } from '../../contract/statistics-types.ts';
import { drawBodyRows, toErrorParts } from '../draw/body-rows.ts';
import { drawSparkline, drawSpeedChart, scaleWidth } from '../draw/charts/chart.ts';
import { drawScoreRows } from '../draw/charts/score-bars.ts';
import { drawDrill, drawShortDrill } from '../draw/drill-rows.ts';
import {
  drawHeatLegend,
  drawHeatMap,
  type KeySize,
  toHeatMapWidth,
  toHeatTitle,
  toLetterRows,
} from '../draw/heat-map.ts';
import { drawKeyHints } from '../draw/key-hints.ts';
import { toDrawnLayout } from '../draw/small-keyboard.ts';
import type { Look } from '../look/look.ts';
import { toMissedText } from '../round/missed-words.ts';
import { toSpeedSeries } from '../round/speed-series.ts';
import { type App, isOfflineByChoice, type RoundOutcome } from '../state/app-state.ts';
import { toColumns } from '../terminal/columns.ts';
import type { Size } from '../terminal/size.ts';
import { toAdviceText } from '../text/advice-text.ts';
import { toHistoryText } from '../text/drill-text.ts';
import { toFinerFigures } from '../text/figures/score-rows.ts';
import { toTimingParts } from '../text/figures/timing-text.ts';
import { toRemarks, toVerdictText } from '../text/figures/verdict-text.ts';
import { toGoalText } from '../text/goal-text.ts';
import { toBothEnds, toFitting, toFittingParts, toGaps, toRows, toSideBySide } from '../text/text-layout.ts';
import { toAdvice } from '../trend/advice.ts';
import { Gap, Line, Lines, Screen } from './lines.tsx';

interface ResultsProps {
  readonly look: Look;
  readonly app: App;
  readonly outcome: RoundOutcome;
  readonly size: Size;
}

const hints = [
  ['Enter', 'next round'],
  ['m', 'missed words'],
  ['Esc', 'leave'],
  ['k', 'speed or accuracy'],
  ['Ctrl+Y', 'history'],
  ['?', 'help'],
  ['Ctrl+O', 'options'],
] as const;

/** Those of the keys that do something here: nothing may be left to practise, and no keyboard drawn. */
function toHints({ round }: RoundOutcome, hasKeyboard = true) {
  const isPerfect = toMissedText(round) === '';
  return hints.filter(([key]) => (key !== 'm' || !isPerfect) && (key !== 'k' || hasKeyboard));
}

export function ResultsScreen(props: ResultsProps) {
  const { size } = props;
  const isFull = size.columns >= 80 && size.rows >= 24;
  return <Screen size={size}>{isFull ? <FullResults {...props} /> : <ShortResults {...props} />}</Screen>;
}

function drawTitle({ look, app, outcome }: ResultsProps, width: number): string {
  const title = outcome.round.ended === undefined ? 'Round finished' : 'Round ended';
  const whereabouts = drawWhereabouts(look, app, outcome, width - title.length - 1);
  const goal = toGoalText(app.goal);
  const isRoomy = title.length + goal.length + toColumns(whereabouts) + 5 <= width;
  const left = look.paint('strong', title) + (isRoomy ? `   ${look.paint('faint', goal)}` : '');
  return toBothEnds(left, whereabouts, width);
}

/** Where the round is: on its way, at the server, or kept here. */
function drawWhereabouts(look: Look, app: App, outcome: RoundOutcome, room: number): string {
  const { paint, signs } = look;
  const { delivery } = app;
  const warn = (text: string) => paint('warning', toFitting(text, signs.ellipsis, room));
  if (outcome.round.ended !== undefined) return paint('faint', 'kept in your own record');
  if (outcome.unsaved !== '') return warn('the server could not write it to its disk');
  if (outcome.history !== undefined) {
    return paint('faint', toHistoryText(outcome));
  }
  if (delivery.lost !== '') return warn(`only in your own record: ${delivery.lost}`);
  if (isOfflineByChoice(app)) return paint('faint', 'offline: kept for a later start');
  if (delivery.away !== '') return warn('server away: kept here until it returns');
  return paint('faint', delivery.isThere === true ? 'the server has it' : `saving${signs.ellipsis}`);
}

/** Rows of everything but the chart, what the hands do and the blank rows between the groups. */
const otherRows = 10;

/** Blank rows between the groups even on the smallest screen that shows all of this. */
const fewestGaps = 3;

function FullResults(props: ResultsProps) {
  const { look, app, outcome, size } = props;
  const width = size.columns - 2;
  const known = toKnown(props);
  const isRoomy = size.rows >= 34 && size.columns >= 110;
  const key = toKeySize(size, isRoomy);
  const keys = toLetterRows(toDrawnLayout(app.catalog, outcome.round.practised));
  const mapWidth = toHeatMapWidth(keys, key);
  const body =
    known === undefined
      ? drawDrill(look, outcome, width)
      : [...drawBodyRows(look, known, outcome.round, width), ...(isRoomy ? [''] : [])];
  const remarks = drawRemarks(props, width);
  const room = size.rows - otherRows - body.length;
  const chartRows = Math.min(key.rows * 3, room - fewestGaps);
  const gaps = room - chartRows - (remarks.length - 1);
  const [above = 0, below = 0, last = 0] = toGaps(gaps, fewestGaps);
  const beside = known === undefined ? 0 : mapWidth + 3;
  const chartWidth = Math.min(width - beside - scaleWidth, 100);
  const chart = [
    look.paint('faint', `Speed in this round, ${look.signs.error} an error`),
    ...drawSpeedChart(look, toSpeedSeries(outcome.round, chartWidth), chartRows),
  ];
  const map = known === undefined ? [] : drawMap(props, known, keys, key);
  return (
    <>
      <Line text={drawTitle(props, width)} />
      <Lines rows={remarks} />
      <Lines rows={drawScoreRows(look, outcome, width)} />
      <Gap rows={above} />
      <Lines rows={toSideBySide(chart, map, chartWidth + scaleWidth + 3)} />
      <Gap rows={below} />
      <Lines rows={body} />
      <Line text={drawAdvice(props, width)} />
      <Line text={drawTiming(props, width)} />
      <Gap rows={last} />
      <Line text={drawKeyHints(look, toHints(outcome, known !== undefined), width)} />
    </>
  );
}

/**
 * What the rounds before say of letters and fingers; undefined where nothing is known and this round adds nothing, such as
 * a drill: a screen full of dashes helps nobody.
 */
function toKnown({ app, outcome }: ResultsProps): HistoricalStatistics | undefined {
  const known = outcome.history ?? app.history;
  const isFinal = outcome.history !== undefined || outcome.round.ended !== undefined;
  const isDrill = outcome.round.practised.mode.type === 'drill'; // the others of its kind say as little
  return isDrill || (isFinal && known?.total_sessions === 0) ? undefined : known;
}

function toKeySize({ columns, rows }: Size, isRoomy: boolean): KeySize {
  if (columns >= 150 && rows >= 44) return { width: 7, rows: 4 };
  return isRoomy ? { width: 5, rows: 3 } : { width: 3, rows: 2 };
}

function drawMap(
  { look, app }: ResultsProps,
  known: HistoricalStatistics,
  keys: readonly (readonly string[])[],
  key: KeySize,
): string[] {
  return [
    look.paint('faint', toHeatTitle(look, keys, known, app.measure)),
    ...drawHeatMap(look, keys, known, app.measure, key),
    drawHeatLegend(look, app.measure),
  ];
}

/**
 * Nobody is to wonder at a speed that does not count, or that skipped letters; the finer figures follow, in a row of their own where the
 * same has no room for all of them.
 */
function drawRemarks({ look, outcome }: ResultsProps, width: number): string[] {
  const remarks = toRemarks(outcome);
  const figures = toFinerFigures(outcome);
  const rows =
    toColumns([...remarks, ...figures].join('  ')) <= width
      ? [[remarks, figures]]
      : [[remarks], [[], figures]];
  return rows.map(([warned = [], finer = []]) => {
    const parts = [
      ...warned.map((remark) => look.paint('warning', remark)),
      ...finer.map((figure) => look.paint('faint', figure)),
    ];
    return toFittingParts(parts, '  ', width);
  });
}

/** What went wrong is more important than how well the keys were timed. */
function drawTiming({ look, app, outcome }: ResultsProps, width: number): string {
  if (app.notice !== '') return look.paint('warning', toFitting(app.notice, look.signs.ellipsis, width));
  const parts = toTimingParts(outcome.round.quality, app.isOffThread);
  return look.paint('faint', toFittingParts([`Timing: ${parts[0]}`, ...parts.slice(1)], ', ', width));
}

function drawAdvice(props: ResultsProps, width: number): string {
  const { look } = props;
  const known = toKnown(props);
  const text = known === undefined ? '' : toAdviceText(toAdvice(known));
  return look.paint('warning', toFitting(text, look.signs.ellipsis, width));
}

/** On a small screen the reason why a round does not count takes the place of the title. */
function drawShortTitle(props: ResultsProps, width: number): string {
  const { look, outcome } = props;
  if (toVerdictText(outcome) === null) return drawTitle(props, width);
  const [why = ''] = toRemarks(outcome);
  return look.paint('warning', toFitting(why, look.signs.ellipsis, width));
}

/** Rows of a short screen that a drill leaves to the other figures. */
const shortRows = 8;

/** What matters most, in twelve rows of forty columns. */
function ShortResults(props: ResultsProps) {
  const { look, outcome, size } = props;
  const width = size.columns - 2;
  const remarks = toVerdictText(outcome) === null ? toRemarks(outcome) : [];
  const known = toKnown(props);
  const advice = toRows(known === undefined ? '' : toAdviceText(toAdvice(known)), width).slice(0, 2);
  return (
    <>
      <Line text={drawShortTitle(props, width)} />
      <Lines rows={drawScoreRows(look, outcome, width)} />
      <Lines rows={drawSparkline(look, toSpeedSeries(outcome.round, width))} />
      {known !== undefined && (
        <Line text={toFittingParts(toErrorParts(look, known, outcome.round), '  ', width)} />
      )}
      <Lines rows={drawShortDrill(look, outcome, width, size.rows - shortRows)} />
      <Spacer />
      <Lines rows={remarks.map((row) => look.paint('warning', row))} />
      <Lines rows={advice.map((row) => look.paint('warning', row))} />
      <Line text={drawTiming(props, width)} />
      <Line text={drawKeyHints(look, toHints(outcome), width)} />
    </>
  );
}
