import { cut, fittingParts, wrapped } from '../../kit/terminal-text.ts';
import type { Look } from '../look/look.ts';
import { hasSpeed, percentText } from '../progress/figures.ts';
import {
  type KeyMeasure,
  letterValue,
  limitsOf,
  minPresses,
  slowPairs,
  speedLimits,
} from '../progress/letters.ts';
import type { ProgressReport } from '../progress/report.ts';
import { totalText, trendText } from '../progress/report-text.ts';
import { keyErrors, type RoundRecord } from '../progress/round-record.ts';
import type { HistoryView } from '../state/state.ts';
import { closeScale, drawChart, scaleWidth, speedScale } from './charts.ts';
import { drawLegend, drawLetters, drawSlowPairs } from './heat-maps.ts';

/** A page of the history and the space that there is for it. */
export interface HistoryPageProps {
  readonly look: Look;
  readonly report: ProgressReport;
  readonly view: HistoryView;
  readonly width: number;
  readonly rows: number;
}

/** The current page, in at most `rows` rows. */
export function drawHistoryPage(props: HistoryPageProps): string[] {
  const { look, report, view, width, rows } = props;
  const opened = report.rounds[view.round];
  if (view.page === 'letters') return drawLettersPage(props);
  if (view.page === 'bigrams') return drawPairsPage(props);
  if (view.page === 'progress') return drawProgressPage(props);
  if (view.isOpen && opened !== undefined) return drawRound(look, opened, width, rows);
  return drawRounds(props);
}

/** Fewer rows of a chart show nothing. */
const minChartRows = 4;

/** The most useful parts come first; those that do not fit are left out. */
function drawProgressPage({ look, report, width, rows }: HistoryPageProps): string[] {
  const { paint } = look;
  const total = paint('strong', cut(`${totalText(report)}.`, width, look.signs.ellipsis));
  if (report.runs === 0)
    return [total, ...wrapped('No finished rounds of this kind count: page 4 lists them.', width)];
  const trends = [
    trendText('Speed', 'WPM', report.speedTrend),
    trendText('Accuracy', 'points', report.accuracyTrend),
  ].flatMap((text) => wrapped(text, width));
  const points = pointsOf(report, width - scaleWidth);
  const fixed = 1 + trends.length + 2;
  const hasAccuracy = rows - fixed >= 2 * minChartRows + 1;
  const left = rows - fixed - (hasAccuracy ? 1 : 0);
  const chartRows = Math.max(2, Math.min(14, Math.floor(left / (hasAccuracy ? 2 : 1))));
  const chart = (values: readonly number[], max?: number) =>
    drawChart(look, spread(values, points.step), chartRows, closeScale(values, max));
  return [
    total,
    paint('faint', `WPM, ${points.of}`),
    ...chart(points.speeds),
    ...(hasAccuracy ? [paint('faint', '% right'), ...chart(points.accuracies, 100)] : []),
    paint(
      'faint',
      ' '.repeat(scaleWidth) + edges(points.first, points.last, points.speeds.length * points.step),
    ),
    ...trends,
  ];
}

interface Points {
  readonly of: string;
  readonly speeds: readonly number[];
  readonly accuracies: readonly number[];
  readonly first: string;
  readonly last: string;
  /** Columns of each. */
  readonly step: number;
}

/** Days from which their medians say more than single rounds. */
const enoughDays = 14;

/** Single rounds until there are weeks, then the median of the week that ends with each day. */
function pointsOf({ days, band, rounds, timeZone }: ProgressReport, room: number): Points {
  const stepOf = (count: number) =>
    Math.max(1, Math.min(count === 1 ? 1 : 4, Math.floor(room / Math.max(1, count))));
  if (days.length >= enoughDays) {
    const step = stepOf(band.length);
    const shown = band.slice(-Math.floor(room / step));
    return {
      of: 'median of a week, day by day',
      speeds: shown.map(({ speed }) => speed.median),
      accuracies: shown.map(({ accuracy }) => accuracy.median),
      first: shown[0]?.date ?? '',
      last: shown.at(-1)?.date ?? '',
      step,
    };
  }
  const counted = rounds.filter(({ counts }) => counts).reverse();
  const step = stepOf(counted.length);
  const shown = counted.slice(-Math.floor(room / step));
  const dateOf = (round: RoundRecord | undefined) =>
    round === undefined ? '' : momentText(round.finished, timeZone).slice(0, 10);
  return {
    of: counted.length === 1 ? 'one round' : `each of ${shown.length} rounds`,
    speeds: shown.map(({ standardWpm }) => standardWpm),
    accuracies: shown.map(({ accuracy }) => accuracy),
    first: dateOf(shown[0]),
    last: dateOf(shown.at(-1)),
    step,
  };
}

function spread(values: readonly number[], step: number): number[] {
  return values.flatMap((value) => Array<number>(step).fill(value));
}

/** Two texts below the ends of a chart; only the last one if both do not fit or are equal. */
function edges(first: string, last: string, columns: number): string {
  if (columns < first.length + last.length + 1 || first === last) return last;
  return first.padEnd(columns - last.length) + last;
}

/** What letters and bigrams come from. */
const whatFills =
  'They come from finished rounds that count: not from drills. Imported rounds may have none.';

function drawLettersPage({ look, report, view, width, rows }: HistoryPageProps): string[] {
  const { letters } = report;
  const { measure } = view;
  if (letters.size === 0) return wrapped(`No letters yet. ${whatFills}`, width);
  const table = drawLetters(look, letters, measure, width);
  const unknown = [...letters].filter(([, sums]) => letterValue(sums, measure) === undefined);
  const names = unknown.map(([letter]) => letter).sort((a, b) => a.localeCompare(b));
  const met = measure === 'accuracy' ? 'Met' : 'Timed';
  const rest = names.length === 0 ? '' : `${met} fewer than ${minPresses} times: ${names.join(' ')}`;
  const remark = rest === '' ? [] : wrapped(rest, width).map((row) => look.paint('faint', row));
  if (table.length === 0) return [...wrapped(unmet('letter'), width), '', ...remark];
  return [
    look.paint('faint', `Letters, ${unitText(measure)}`),
    ...table,
    drawLegend(look, measure, limitsOf(letters, measure)),
    ...remark,
  ].slice(0, rows);
}

function unitText(measure: KeyMeasure): string {
  return measure === 'accuracy' ? '% right' : 'ms from the key before; colours compare with your own mean';
}

function unmet(what: 'letter' | 'pair of letters'): string {
  return `A ${what} gets its figure once you have typed it ${minPresses} times: play a few more rounds.`;
}

/** The slowest pairs, as many as fit. */
function drawPairsPage({ look, report: { bigrams }, width, rows }: HistoryPageProps): string[] {
  if (bigrams.size === 0) return wrapped(`No bigrams yet. ${whatFills}`, width);
  if (slowPairs(bigrams).length === 0) return wrapped(unmet('pair of letters'), width);
  const legend = drawLegend(look, 'speed', speedLimits(bigrams.values()));
  return [
    look.paint('faint', 'Slowest bigrams, ms'),
    ...drawSlowPairs(look, bigrams, width, rows - 2),
    legend,
  ];
}

/** The rounds around the one under the cursor. */
function drawRounds({ look, report: { rounds, timeZone }, view, width, rows }: HistoryPageProps): string[] {
  const { round: cursor } = view;
  const first = Math.max(0, Math.min(cursor - Math.floor(rows / 2), rounds.length - rows));
  return rounds.slice(first, first + rows).map((round, at) => {
    const isChosen = first + at === cursor;
    const text = fittingParts(
      [momentText(round.finished, timeZone), ...listParts(look, round)],
      '  ',
      width - 2,
    );
    const style = isChosen ? 'strong' : round.counts ? 'plain' : 'faint';
    return `${isChosen ? look.paint('accent', '>') : ' '} ${look.paint(style, text)}`;
  });
}

function listParts({ signs }: Look, round: RoundRecord): string[] {
  const { consistency, rawWpm } = round;
  return [
    `${(hasSpeed(round) ? round.standardWpm.toFixed(1) : signs.dash).padStart(5)} WPM`,
    `${percentText(round.accuracy).padStart(5)} %`,
    `${Math.round(round.seconds)} s`.padStart(5),
    ...(round.counts ? [] : ['not counted']), // more important than what may have no room after it
    ...(rawWpm === undefined || !hasSpeed(round) ? [] : [`raw ${rawWpm.toFixed(1)}`]),
    ...(typeof consistency === 'number' ? [`consistency ${Math.round(consistency)} %`] : []),
  ];
}

/** YYYY-MM-DD HH:MM on the typist's clock. */
export function momentText(finished: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(new Date(finished));
}

/** One round with all that is known of it. */
function drawRound(look: Look, round: RoundRecord, width: number, rows: number): string[] {
  const { signs } = look;
  const { correctedErrorRate, uncorrectedErrorRate, speeds = [] } = round;
  const errors = keyErrors([round.errors]).map(
    ({ wanted, typed, count }) => `${wanted}${signs.to}${typed}${count > 1 ? ` (${count})` : ''}`,
  );
  const figures = [
    ...listParts(look, round).map((part) => part.trim()),
    ...(correctedErrorRate === undefined || uncorrectedErrorRate === undefined
      ? []
      : [`errors ${correctedErrorRate.toFixed(1)} % corrected, ${uncorrectedErrorRate.toFixed(1)} % left`]),
    ...(round.punctuation ? ['punctuation'] : []),
  ];
  const texts = [
    fittingParts(figures, ', ', width),
    ...(errors.length === 0 ? [] : [`Errors: ${fittingParts(errors, ', ', width - 8)}`]),
  ];
  const room = rows - texts.length - 2;
  if (speeds.length === 0 || room < 2) return texts.slice(0, rows);
  const columns = width - scaleWidth;
  const shown = Math.min(speeds.length, columns);
  const values = Array.from(
    { length: shown },
    (_, at) => speeds[Math.floor((at * speeds.length) / shown)] ?? 0,
  );
  const step = Math.max(1, Math.min(4, Math.floor(columns / shown)));
  const chart = drawChart(look, spread(values, step), Math.min(12, room), speedScale(speeds));
  return [...texts, '', look.paint('faint', 'WPM over the round'), ...chart];
}
