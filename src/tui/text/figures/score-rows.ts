import type { HistoricalStatistics, SessionStatistics } from '../../../contract/statistics-types.ts';
import { canBeBest, hasSpeed } from '../../round/scoring.ts';
import type { RoundOutcome } from '../../state/app-state.ts';
import { toCountText, toOneDecimal, toPercentText } from './figures.ts';

/** One of the three figures of a round, beside what is known of the rounds before. */
export interface ScoreRow {
  readonly label: string;
  /** Empty where nothing can be told. */
  readonly text: string;
  readonly value: number;
  readonly best: number;
  readonly average: number;
  readonly bestText: string;
  readonly averageText: string;
  /** The end of the bar; 0: it has none. */
  readonly max: number;
  /** What the figure is of, where it cannot be compared with other rounds. */
  readonly scope: string;
  /** Whether to put a star: at most one of the rows has it. */
  readonly isNewBest: boolean;
}

/**
 * Speed and accuracy, against the best and the average of the rounds before this one, and the time. That stands alone:
 * texts differ in length, and where they do not, the speed says the same.
 */
export function toScoreRows(outcome: RoundOutcome): ScoreRow[] {
  const { score, statistics, before } = outcome;
  const wpm = statistics?.standard_wpm || score.standardWpm; // a server without extensions sends none
  const isTimed = hasSpeed(score);
  const accuracy = statistics?.accuracy ?? score.accuracy;
  const had = before !== undefined && before.total_sessions > 0 ? before : undefined;
  const hadWpm = had !== undefined && had.best_standard_wpm > 0 ? had : undefined;
  const star = had === undefined ? undefined : toStar(statistics, had);
  return [
    {
      label: 'WPM',
      text: isTimed ? toOneDecimal(wpm) : '',
      value: isTimed ? wpm : 0,
      ...compare(hadWpm?.best_standard_wpm, hadWpm?.average_standard_wpm, toOneDecimal),
      max: toBarTop(Math.max(isTimed ? wpm : 0, hadWpm?.best_standard_wpm ?? 0)),
      scope: '',
      isNewBest: star === 'wpm',
    },
    {
      label: '%',
      text: toPercentText(accuracy),
      value: accuracy,
      ...compare(had?.best_accuracy, had?.average_accuracy, toPercentText),
      max: 100,
      scope: '',
      isNewBest: star === 'accuracy',
    },
    toTimeRow(outcome),
  ];
}

function toTimeRow({ round, score, statistics }: RoundOutcome): ScoreRow {
  const seconds = statistics?.time_seconds ?? score.seconds;
  return {
    label: 's',
    text: toOneDecimal(seconds),
    value: seconds,
    ...compare(undefined, undefined, toOneDecimal),
    max: 0,
    scope: `for ${toCountText(round.score.right + round.score.wrong, 'character')}`,
    isNewBest: false,
  };
}

/** One star a round: speed before accuracy. */
function toStar(
  statistics: SessionStatistics | undefined,
  had: HistoricalStatistics,
): 'wpm' | 'accuracy' | undefined {
  if (statistics === undefined || !statistics.counts || !canBeBest(statistics.accuracy)) return undefined;
  const { best_standard_wpm: best } = had;
  if (best > 0 && statistics.standard_wpm > best) return 'wpm';
  return statistics.is_new_best_accuracy ? 'accuracy' : undefined;
}

function compare(best: number | undefined, average: number | undefined, toText: (value: number) => string) {
  return {
    best: best ?? 0,
    average: average ?? 0,
    bestText: best === undefined ? '' : toText(best),
    averageText: average === undefined ? '' : toText(average),
  };
}

/** The bar ends at 120 words per minute or at the next 40 above everything it has to show. */
export function toBarTop(value: number): number {
  return Math.max(120, Math.ceil((value + 1) / 40) * 40);
}

/** What the three figures leave out: characters of every kind, how even they came, and what became of the mistakes. */
export function toFinerFigures({ score }: RoundOutcome): string[] {
  const { rawWpm, consistency, correctedErrorRate, uncorrectedErrorRate } = score;
  return [
    ...(hasSpeed(score) ? [`raw ${toOneDecimal(rawWpm)} WPM`] : []),
    ...(consistency === null ? [] : [`consistency ${Math.round(consistency)} %`]),
    `errors corrected ${toOneDecimal(correctedErrorRate)} %`,
    `left ${toOneDecimal(uncorrectedErrorRate)} %`,
  ];
}
