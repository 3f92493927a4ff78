import { drawBandChart } from '../draw/charts/band-chart.ts';
import { drawHeatLegend } from '../draw/heat-map.ts';
import { drawDates, drawFingerChanges, drawLetterChanges, drawUncompared } from '../draw/history-rows.ts';
import {
  drawLetterHeat,
  drawPairSquare,
  drawSlowPairs,
  toSquareSize,
  toUnknownLetters,
} from '../draw/key-heat.ts';
import { drawRoundDetail, drawRoundList } from '../draw/round-list.ts';
import type { Look } from '../look/look.ts';
import type { HistoryView } from '../state/history-view.ts';
import { toDaySums } from '../text/day-text.ts';
import { toCountText } from '../text/figures/figures.ts';
import { toTrendText } from '../text/report-text.ts';
import { toFirstRows, toFittingParts, toRows } from '../text/text-layout.ts';
import { fewestPresses, type KeyMeasure } from '../trend/key-measure.ts';
import { type Changes, isComparable } from '../trend/letter-change.ts';
import type { ProgressReport } from '../trend/report.ts';
import { Lines } from './lines.tsx';

/** A page of the history and the space that there is for it. */
interface Page {
  readonly look: Look;
  readonly report: ProgressReport;
  readonly view: HistoryView;
  readonly width: number;
  readonly rows: number;
}

/** The page of the history that is looked at, in at most `rows` rows. */
export function HistoryBody(page: Page) {
  const rows = page.rows - 1; // a blank row below the title
  return <Lines rows={['', ...toPageRows({ ...page, rows }).slice(0, rows)]} />;
}

function toPageRows(page: Page): string[] {
  const { look, report, view, width, rows } = page;
  const opened = report.rounds[view.round];
  if (view.page === 'letters') return toLetterRows(page);
  if (view.page === 'bigrams') return toBigramRows(page);
  if (view.page === 'progress') return toProgressRows(page);
  return view.isOpen && opened !== undefined ? drawRoundDetail(look, opened, width, rows) : toRoundRows(page);
}

/** The rounds; above those of one day, what each kind of them came to. */
function toRoundRows({ look, report, view, width, rows }: Page): string[] {
  if (view.day === 'all days') return drawRoundList(look, report, view, width, rows);
  const room = Math.max(0, rows - fewestListed);
  const sums = toFirstRows(toDaySums(view.kinds), look.signs.ellipsis, width, room);
  const list = drawRoundList(look, report, view, width, rows - sums.length - 1);
  return [...sums.map((row) => look.paint('faint', row)), '', ...list];
}

/** Rows of the list that sums leave to it on the smallest screen. */
const fewestListed = 6;

/** What has the most to say comes first; what does not fit stays away. */
function toProgressRows({ look, report, width, rows }: Page): string[] {
  if (report.runs === 0) return toRows('No finished rounds yet that count: page 4 lists the others.', width);
  const trends = [
    ...toRows(toTrendText('Speed', 'WPM', report.speedTrend), width),
    ...toRows(toTrendText('Accuracy', 'points', report.accuracyTrend), width),
  ];
  const tables = report.changes.recentRuns === 0 ? [] : drawTables(look, report.changes, width);
  const others = trends.length + headingRows;
  const hasAccuracy = rows - others >= 2 * fewestChartRows + headingRows;
  const hasTables = rows - others - tables.length >= 2 * fewestChartRows + headingRows;
  const left = rows - others - (hasTables ? tables.length : 0) - (hasAccuracy ? headingRows : 0);
  const chartRows = Math.max(2, Math.min(14, Math.floor(left / (hasAccuracy ? 2 : 1))));
  const dates = drawDates(look, report.days, width);
  const speed = report.band.map((day) => day.speed);
  const accuracy = report.band.map((day) => day.accuracy);
  return [
    look.paint('faint', width < 60 ? 'WPM; shade: 95 % sure' : 'WPM, median of a week; shade: 95 % sure'),
    ...drawBandChart(look, speed, width, chartRows),
    ...(hasAccuracy
      ? [look.paint('faint', '% right'), ...drawBandChart(look, accuracy, width, chartRows, 100)]
      : []),
    dates,
    ...trends,
    ...(hasTables ? tables : []),
  ];
}

/** Fewer rows of a chart show nothing. */
const fewestChartRows = 4;
/** A chart's heading and its dates. */
const headingRows = 2;

/** Letters and fingers before and now; one sentence where none can be compared. */
function drawTables(look: Look, changes: Changes, width: number): string[] {
  if (!changes.letters.some(isComparable) && !changes.fingers.some(isComparable)) {
    return ['', ...toRows(nothingToCompare, width).map((row) => look.paint('faint', row))];
  }
  const earlier = toCountText(changes.beforeRuns, 'earlier round');
  const scope = `% right: ${earlier}, then the latest ${changes.recentRuns}.`;
  return [
    '',
    look.paint('faint', toFittingParts([scope, '+/- mark significant changes.'], ' ', width)),
    ...drawLetterChanges(look, changes.letters, width),
    ...drawFingerChanges(look, changes.fingers, width),
    ...drawUncompared(look, changes, width),
  ];
}

const nothingToCompare = 'Letters and fingers: too little data to compare earlier rounds with the latest.';

/** What letters and bigrams come from. */
const whatFills =
  'They come from finished rounds that count: not from drills or rounds that ended early. Imported rounds may have none.';

function toLetterRows({ look, report, view, width, rows }: Page): string[] {
  if (report.letters.size === 0) return toRows(`No letters yet. ${whatFills}`, width);
  const letters = drawLetters(look, report, view.measure, width);
  const tables = report.changes.recentRuns === 0 ? [] : drawTables(look, report.changes, width);
  return letters.length + tables.length <= rows ? [...letters, ...tables] : letters;
}

/** The letters that show a figure, and which others were met. */
function drawLetters(look: Look, report: ProgressReport, measure: KeyMeasure, width: number): string[] {
  const heat = drawLetterHeat(look, report, measure, width);
  const unknown = toUnknownLetters(report, measure);
  const unit = measure === 'accuracy' ? '% right' : 'ms from the key before';
  const table = [look.paint('faint', `Letters, ${unit}`), ...heat, drawHeatLegend(look, measure)];
  const met = measure === 'accuracy' ? 'Met' : 'Timed';
  const rest = unknown.length === 0 ? '' : `${met} fewer than ${fewestPresses} times: ${unknown.join(' ')}`;
  const remark = rest === '' ? [] : toRows(rest, width).map((row) => look.paint('faint', row));
  return heat.length === 0 ? toRows(noLetterKnown, width).concat('', remark) : [...table, ...remark];
}

const noPairKnown = `A pair of letters shows its time once it was met ${fewestPresses} times: a few more rounds.`;

const noLetterKnown = `A letter shows its figure once it was met ${fewestPresses} times: a few more rounds.`;

/** All pairs as a table where it fits, else the slowest ones. */
function toBigramRows({ look, report, width, rows }: Page): string[] {
  if (report.bigrams.size === 0) {
    return toRows(`No bigrams yet. ${whatFills}`, width);
  }
  const legend = drawHeatLegend(look, 'speed');
  const square = toSquareSize(report);
  if (square === undefined) return toRows(noPairKnown, width);
  if (square.rows + 2 <= rows && square.columns <= width) {
    const heading = 'Bigrams, hundredths of a second: first letter down, second across';
    return [look.paint('faint', heading), ...drawPairSquare(look, report), legend];
  }
  return [
    look.paint('faint', 'Slowest bigrams, ms'),
    ...drawSlowPairs(look, report, width, rows - 2),
    legend,
  ];
}
