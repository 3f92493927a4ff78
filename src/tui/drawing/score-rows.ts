import type { Outcome } from '../app/app-state.ts';
import type { Look } from '../screen/look.ts';
import { drawBar } from './bar.ts';
import { toOneDecimal, toPercentText } from './figures.ts';
import { toWidth } from './text-layout.ts';
import { toBarTop } from './typing-rows.ts';

/** One of the three figures of a run, beside what is known of the rounds before. */
export interface ScoreRow {
  readonly label: string;
  readonly text: string;
  readonly value: number;
  readonly best: number;
  readonly average: number;
  readonly bestText: string;
  readonly averageText: string;
  readonly max: number;
  readonly isNewBest: boolean;
}

/** Speed, accuracy and time, against the best and the average of the rounds before this one. */
export function toScoreRows({ score, statistics, before }: Outcome): ScoreRow[] {
  const wpm = statistics?.wpm ?? score.wpm;
  const accuracy = statistics?.accuracy ?? score.accuracy;
  const seconds = statistics?.time_seconds ?? score.seconds;
  const had = before !== undefined && before.total_sessions > 0 ? before : undefined;
  const longest = Math.max(seconds, had?.best_time ?? 0, had?.average_time ?? 0);
  return [
    {
      label: 'WPM',
      text: toOneDecimal(wpm),
      value: wpm,
      ...compare(had?.best_wpm, had?.average_wpm, toOneDecimal),
      max: toBarTop(Math.max(wpm, had?.best_wpm ?? 0)),
      isNewBest: statistics?.is_new_best_wpm ?? false,
    },
    {
      label: '%',
      text: toPercentText(accuracy),
      value: accuracy,
      ...compare(had?.best_accuracy, had?.average_accuracy, toPercentText),
      max: 100,
      isNewBest: statistics?.is_new_best_accuracy ?? false,
    },
    {
      label: 's',
      text: toOneDecimal(seconds),
      value: seconds,
      ...compare(had?.best_time, had?.average_time, toOneDecimal),
      max: Math.ceil((longest * 1.1) / 10) * 10,
      isNewBest: statistics?.is_new_best_time ?? false,
    },
  ];
}

function compare(best: number | undefined, average: number | undefined, toText: (value: number) => string) {
  return {
    best: best ?? 0,
    average: average ?? 0,
    bestText: best === undefined ? '' : toText(best),
    averageText: average === undefined ? '' : toText(average),
  };
}

const figureWidth = 12;
const comparisonWidth = 40;

/** Figure, bar and comparison, one row each. */
export function drawScoreRows(look: Look, outcome: Outcome, width: number): string[] {
  const hasBars = width >= figureWidth + comparisonWidth + 16;
  return toScoreRows(outcome).map((row) => {
    const figure = toWidth(`${look.paint('strong', row.text.padStart(6))} ${row.label}`, figureWidth);
    const comparison = drawComparison(look, row, hasBars);
    if (!hasBars) return figure + comparison;
    const { value, max, best, average } = row;
    const barWidth = width - figureWidth - comparisonWidth - 2;
    return `${figure}${drawBar(look, { value, max, best, average, width: barWidth, style: 'accent' })}  ${comparison}`;
  });
}

function drawComparison({ paint, signs }: Look, row: ScoreRow, isWide: boolean): string {
  const star = row.isNewBest ? paint('right', isWide ? `${signs.newBest} new best` : signs.newBest) : '';
  if (row.bestText === '') return star;
  const [best, average] = isWide ? [`best ${signs.best}`, `avg ${signs.average}`] : ['best', 'avg']; // the marks in the bar
  const known = paint(
    'faint',
    `${best} ${row.bestText.padStart(5)}  ${average} ${row.averageText.padStart(5)}`,
  );
  return star === '' ? known : `${known}  ${star}`;
}
