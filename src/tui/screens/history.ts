import { bothEnds, cut, fittingParts, plural, widthOf, wrapped } from '../../kit/terminal-text.ts';
import type { Look } from '../look/look.ts';
import { hasSpeed, kindName, percentText } from '../progress/figures.ts';
import {
  type KeyMeasure,
  letterValues,
  limitsOf,
  minPresses,
  slowPairs,
  speedLimits,
} from '../progress/letters.ts';
import type { ProgressReport } from '../progress/report.ts';
import { totalText, trendText } from '../progress/report-text.ts';
import type { RoundRecord } from '../progress/round-record.ts';
import { type HistoryPage, type HistoryView, historyPages, type State } from '../state/state.ts';
import type { StampedKey } from '../terminal/keys.ts';
import { closeScale, drawChart, scaleWidth } from '../view/charts.ts';
import { drawFigures, drawLegend } from '../view/keyboard.ts';
import { drawKeys, frameRows, type KeyHint, type Page, pageMargin } from '../view/page.ts';
import { type Reaction, reaction } from './reaction.ts';
import { maxScroll, pressReading } from './reading.ts';

export function pressHistory(state: State, key: StampedKey): Reaction {
  const { page: shown, kinds, kind } = state.historyView;
  if ((key.name === 'left' || key.name === 'right') && kinds.length > 1) {
    const step = key.name === 'left' ? -1 : 1;
    const next = (kind + step + kinds.length) % kinds.length;
    return reaction({ ...withView(state, { kind: next }), scroll: 0 }, 'load-report');
  }
  if (state.options.plain) return pressReading(state, key);
  const after = (historyPages.indexOf(shown) + 1) % historyPages.length;
  const page = historyPages[key.name === 'tab' ? after : Number(key.text) - 1];
  if (page !== undefined) return reaction({ ...withView(state, { page }), scroll: 0 });
  if (key.text === 'k') return reaction(withOtherMeasure(state));
  return pressReading(state, key);
}

function withView(state: State, change: Partial<HistoryView>): State {
  return { ...state, historyView: { ...state.historyView, ...change } };
}

export function withOtherMeasure(state: State): State {
  return { ...state, measure: state.measure === 'accuracy' ? 'speed' : 'accuracy' };
}

interface PageContent {
  readonly look: Look;
  readonly report: ProgressReport;
  readonly view: HistoryView;
  readonly scroll: number;
  readonly measure: KeyMeasure;
  readonly width: number;
  readonly rows: number;
}

const pages: Readonly<Record<HistoryPage, (content: PageContent) => string[]>> = {
  progress: drawProgress,
  letters: drawFiguresPage,
  bigrams: drawFiguresPage,
  rounds: drawRounds,
};

export function drawHistory(look: Look, state: State): Page {
  const { report, size, measure, scroll, historyView: view } = state;
  const width = size.columns - pageMargin;
  const rows = size.rows - frameRows;
  const first = wrapped('No finished rounds yet: the first one will be shown here.', width);
  const hasRounds = report !== undefined && report.rounds.length > 0;
  const page = hasRounds ? pages[view.page]({ look, report, view, scroll, measure, width, rows }) : first;
  return {
    blocks: [[drawHeader(look, state, width), '', ...(report === undefined ? [] : page)]],
    bottom: [drawKeys(look, keysOf(view, maxScroll(state) > 0), width)],
  };
}

/** Title and pages, and as much of the kind and its totals as fits beside them. */
function drawHeader({ paint }: Look, { report, historyView }: State, width: number): string {
  const { page: shown, kinds, kind } = historyView;
  const name = paint('strong', 'History');
  const names = historyPages.map((page, at) =>
    paint(page === shown ? 'current' : 'faint', `${at + 1} ${page}`),
  );
  const title = width < 60 ? `${name} ${paint('faint', shown)}` : fittingParts([name, ...names], '  ', width);
  const ofKind = report?.kind ?? kinds[kind];
  if (report === undefined || ofKind === undefined) return title;
  const counted = `${plural(report.runs, 'round')} on ${plural(report.days.length, 'day')}`;
  const scope = [kindName(ofKind), report.runs === 0 ? `${report.notCounted} not counted` : counted];
  return bothEnds(title, paint('faint', fittingParts(scope, ': ', width - widthOf(title) - 2)), width);
}

function keysOf({ page, kinds }: HistoryView, hasMore: boolean): KeyHint[] {
  return [
    ['Esc', 'back'],
    ['Tab', 'page'],
    ...(hasMore ? ([['Up/Down', 'scroll']] as const) : []),
    ...(page === 'letters' ? ([['k', 'key colours']] as const) : []),
    ...(kinds.length > 1 ? ([['Left/Right', 'kind']] as const) : []),
  ];
}

/** A lower chart shows nothing. */
const minChartRows = 4;

/** Days from which the median of the week that ends with each says more than single rounds. */
const enoughDays = 14;

/** The most useful parts come first; those that do not fit are left out. */
function drawProgress({ look, report, width, rows }: PageContent): string[] {
  const { paint } = look;
  const { days, band, rounds, timeZone } = report;
  const total = wrapped(`${totalText(report)}.`, width).map((line) => paint('strong', line));
  if (report.runs === 0)
    return [...total, ...wrapped('No finished rounds of this kind count: page 4 lists them.', width)];
  const trends = [
    trendText('Speed', 'WPM', report.speedTrend),
    trendText('Accuracy', 'points', report.accuracyTrend),
  ].flatMap((text) => wrapped(text, width));
  const isWeekly = days.length >= enoughDays;
  const points = isWeekly
    ? band.map(({ date, speed, accuracy }) => ({ date, wpm: speed.median, share: accuracy.median }))
    : rounds
        .filter(({ counts }) => counts)
        .map(({ finished: date, standardWpm: wpm, accuracy: share }) => ({ date, wpm, share }))
        .reverse();
  const room = width - scaleWidth;
  const step = Math.max(1, Math.min(4, Math.floor(room / points.length)));
  const shown = points.slice(-Math.floor(room / step));
  const wide = shown.flatMap((point) => Array<typeof point>(step).fill(point));
  const [first = '', last = ''] = [shown[0], shown.at(-1)].map((point) =>
    isWeekly ? point?.date : momentText(point?.date ?? '', timeZone).slice(0, 10),
  );
  const dates = first === last ? last : bothEnds(first, last, wide.length);
  const free = rows - trends.length - 3;
  const hasAccuracy = free >= 2 * minChartRows + 1;
  const chartRows = Math.max(2, Math.min(14, Math.floor(hasAccuracy ? (free - 1) / 2 : free)));
  const chart = (title: string, values: readonly number[], max?: number) => [
    paint('faint', title),
    ...drawChart(look, values, chartRows, closeScale(values, max)),
  ];
  const all = shown.length === 1 ? 'one round' : `each of ${shown.length} rounds`;
  const isCut = shown.length < points.length;
  const each = isCut ? `the latest ${shown.length} of ${points.length} rounds` : all;
  const speeds = wide.map(({ wpm }) => wpm);
  const shares = wide.map(({ share }) => share);
  return [
    ...total,
    ...chart(`WPM, ${isWeekly ? 'median of the last 7 days, daily' : each}`, speeds),
    ...(hasAccuracy ? chart('% right', shares, 100) : []),
    paint('faint', ' '.repeat(scaleWidth) + dates),
    ...trends,
  ];
}

/** Every letter, or the slowest pairs of them as far as they fit, unless too little is known. */
function drawFiguresPage({ look, report, view, measure: chosen, width, rows }: PageContent): string[] {
  const isPairs = view.page === 'bigrams';
  const measure = isPairs ? 'speed' : chosen;
  const figures = isPairs ? slowPairs(report.bigrams) : letterValues(report.letters, measure);
  const limits = isPairs ? speedLimits(report.bigrams.values()) : limitsOf(report.letters, measure);
  const note = `Each gets its figure once you have typed it ${minPresses} times in rounds that count: not in drills. Imported rounds may have none.`;
  if (figures.length === 0) return wrapped(note, width);
  const unit =
    measure === 'accuracy' ? '% right' : 'ms from the key before; colours compare with your own mean';
  return [
    look.paint('faint', cut(isPairs ? 'Slowest bigrams, ms' : `Letters, ${unit}`, width)),
    ...drawFigures(look, figures, measure, limits, width).slice(0, rows - 2),
    drawLegend(look, measure, limits),
  ];
}

function drawRounds({ look, report: { rounds, timeZone }, scroll, width, rows }: PageContent): string[] {
  const first = Math.max(0, Math.min(scroll, rounds.length - rows));
  return rounds.slice(first, first + rows).map((round) => {
    const text = fittingParts(roundParts(look, round, timeZone), '  ', width);
    return look.paint(round.counts ? 'plain' : 'faint', text);
  });
}

function roundParts({ signs }: Look, round: RoundRecord, timeZone: string): string[] {
  const { consistency, rawWpm } = round;
  return [
    momentText(round.finished, timeZone),
    `${(hasSpeed(round) ? round.standardWpm.toFixed(1) : signs.dash).padStart(5)} WPM`,
    `${percentText(round.accuracy).padStart(5)} %`,
    `${Math.round(round.seconds)} s`.padStart(5),
    ...(round.counts ? [] : ['not counted']), // more important than what may have no room after it
    ...(rawWpm === undefined || !hasSpeed(round) ? [] : [`raw ${rawWpm.toFixed(1)}`]),
    ...(typeof consistency === 'number' ? [`consistency ${Math.round(consistency)} %`] : []),
  ];
}

/** YYYY-MM-DD HH:MM on the typist's clock. */
function momentText(finished: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(new Date(finished));
}
