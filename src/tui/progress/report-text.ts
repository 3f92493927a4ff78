import { plural } from '../../kit/terminal-text.ts';
import { type Day, minDays, minRounds, type Trend } from './days.ts';
import { durationText, kindName, percentText } from './figures.ts';
import { adviceText, lettersText, slowPairsText } from './letters.ts';
import type { Kind, ProgressReport } from './report.ts';

/** Everything as sentences, one to a line: for files, pipes and screen readers. */
export function reportLines(report: ProgressReport): string[] {
  const { runs, days, speedTrend, accuracyTrend, band, letters, bigrams, errors } = report;
  if (runs === 0 && report.notCounted > 0)
    return ['No round counts yet.', ...kindList(report), ...remarks(report)];
  if (runs === 0) return ['No finished rounds yet. Start with: typebadge play', ...remarks(report)];
  const week = band.at(-1);
  return [
    ...kindLines(report),
    `${plural(runs, 'round')} on ${plural(days.length, 'day')}, ${spanText(days)}.`,
    ...(week === undefined || days.length < 2
      ? []
      : [
          `Latest week: median ${week.speed.median.toFixed(1)} WPM, ${percentText(week.accuracy.median)} % right.`,
        ]),
    trendText('Speed', 'WPM', speedTrend),
    trendText('Accuracy', 'points', accuracyTrend),
    adviceText(letters, errors),
    '',
    'Days, newest first:',
    ...days.toReversed().map(dayText),
    ...[lettersText(letters), slowPairsText(bigrams)].flatMap((text) => (text === '' ? [] : ['', text])),
    ...remarks(report),
  ];
}

/** A total over all kinds, and the kind of the rest; empty if all rounds are of the default kind. */
function kindLines(report: ProgressReport): string[] {
  const { kind, kinds, kindsNotCounted } = report;
  if (kind === undefined) return [];
  const isOnly = kinds.length + kindsNotCounted.length === 1;
  if (isOnly && kindName(kind) === 'words-30') return [];
  const latest = `Of the latest kind, ${kindName(kind)}:`;
  if (isOnly) return [latest];
  return [
    `${totalText(report)}.`,
    'Each kind of round, the latest first; --mode, --language and --layout choose one:',
    ...kindList(report),
    '',
    latest,
  ];
}

/** Such as `In all 120 rounds, 1 h 20 min of typing on 31 days`. */
export function totalText({ total }: Pick<ProgressReport, 'total'>): string {
  const { runs, seconds, days } = total;
  return `In all, ${plural(runs, 'round')}, ${durationText(seconds)} of typing on ${plural(days, 'day')}`;
}

/** One line for each kind; those of which no round counts come last. */
function kindList({ kinds, kindsNotCounted }: Pick<ProgressReport, 'kinds' | 'kindsNotCounted'>) {
  return [
    ...kinds.map(
      (kind) =>
        `${kindName(kind)}: ${plural(kind.runs, 'round')}, median ${kind.wpm.toFixed(1)} WPM${bestText(kind)}.`,
    ),
    ...kindsNotCounted.map((kind) => `${kindName(kind)}: ${plural(kind.runs, 'round')}, not counted.`),
  ];
}

function bestText({ bestWpm }: Kind): string {
  return bestWpm === 0 ? '' : `, best ${bestWpm.toFixed(1)}`;
}

function spanText(days: readonly Day[]): string {
  const [first = '', last = ''] = [days[0]?.date, days.at(-1)?.date];
  return first === last ? first : `${first} to ${last}`;
}

/** The trend of a figure over the latest 90 days, in one sentence. */
export function trendText(name: string, unit: string, trend: Trend): string {
  if (trend.kind === 'too-few') {
    const had = `${plural(trend.runs, 'round')} on ${plural(trend.days, 'day')}`;
    return `${name}: no trend yet (${had}; it takes ${minRounds} rounds on ${minDays} days).`;
  }
  if (trend.kind === 'flat') return `${name}: unchanged.`;
  const sign = trend.perWeek < 0 ? '-' : '+';
  return `${name}: ${trend.kind}, ${sign}${Math.abs(trend.perWeek).toFixed(1)} ${unit} a week.`;
}

function dayText({ date, runs, wpm, accuracy }: Day): string {
  const middle =
    runs < 4 ? '' : ` (middle half ${wpm.lowerQuartile.toFixed(1)} to ${wpm.upperQuartile.toFixed(1)})`;
  return `${date}: ${plural(runs, 'round')}, median ${wpm.median.toFixed(1)} WPM${middle}, ${percentText(accuracy.median)} % right.`;
}

/** What is not in the figures. */
function remarks({ notCounted, damagedLines, imported }: ProgressReport): string[] {
  const found = [
    notCounted > 0 &&
      `${plural(notCounted, 'round')} not counted: drills, pasted, or faster than anyone types.`,
    imported > 0 &&
      `${plural(imported, 'round')} imported from other programs: kept apart (--source all shows them too).`,
    damagedLines > 0 &&
      `${plural(damagedLines, 'damaged line')} of the record could not be read and was left as it is.`,
  ].filter((text) => text !== false);
  return found.length === 0 ? [] : ['', ...found];
}
