import { fingerNames } from '../round/keyboard.ts';
import {
  type Changes,
  fewestMeetings,
  isComparable,
  type LetterChange,
  type Measure,
} from '../trend/letter-change.ts';
import { toLetterValue, toSortedLetters } from '../trend/letter-value.ts';
import type { MedianInterval } from '../trend/median-interval.ts';
import type { ProgressReport } from '../trend/report.ts';
import { fewestDays, fewestRounds, type Trend } from '../trend/trend.ts';
import { toLetterStanding } from '../trend/weak-letters.ts';
import { toCountText, toOneDecimal, toPercentText } from './figures/figures.ts';
import { toKindLines, toKindList } from './kind-lines.ts';

/** A trend in one sentence that claims no more than the figures bear out. */
export function toTrendText(name: string, unit: string, trend: Trend): string {
  if (trend.kind === 'too-few') {
    const had = `${toCountText(trend.runs, 'round')} on ${toCountText(trend.days, 'day')}`;
    return `${name}: too few to tell a trend (${had}; it takes ${fewestRounds} on ${fewestDays}).`;
  }
  const range = `95 % sure: ${toSigned(trend.low)} to ${toSigned(trend.high)}`;
  if (trend.kind === 'flat') return `${name}: no clear trend (${range} ${unit} a week).`;
  return `${name}: ${trend.kind}, ${toSigned(trend.perWeek)} ${unit} a week (${range}).`;
}

function toSigned(value: number): string {
  const text = Math.abs(value).toFixed(1);
  if (Number(text) === 0) return '0.0';
  return value < 0 ? `-${text}` : `+${text}`;
}

/** The letters to work on, worst first; or that none is weak, or that nobody can tell yet. */
function toWeakLines({ letters }: ProgressReport): string[] {
  const { weak, unknown, known, accuracy } = toLetterStanding(letters);
  if (known === 0 || accuracy === undefined) {
    return [`Weak letters: too little data yet. A letter must occur at least ${fewestMeetings} times.`];
  }
  const all = `all letters together ${toPercentText(accuracy)} %`;
  const parts = weak
    .slice(0, mostNamed)
    .map((letter) => `${letter.letter} (${toPercentText(letter.accuracy)} % right of ${letter.presented})`);
  const rest = weak.length > mostNamed ? ` and ${weak.length - mostNamed} more` : '';
  const found = weak.length === 0 ? 'none stands out' : `${parts.join(', ')}${rest}`;
  return [
    `Weak letters: ${found}; ${all}.`,
    ...(unknown.length === 0
      ? []
      : [`Too little data on ${unknown.join(', ')}: a letter must occur at least ${fewestMeetings} times.`]),
  ];
}

/** The letters that have surely changed, or that none has. */
function toLetterText(changes: Changes): string {
  const known = changes.letters.filter(isComparable);
  if (known.length === 0) return 'Letters over time: too little data to compare yet.';
  const changed = known.filter(({ verdict }) => verdict !== 'unclear');
  const scope = `${toLatest(changes.recentRuns)} against the ${changes.beforeRuns} before`;
  if (changed.length === 0) return `Letters over time: no significant change (${scope}).`;
  const parts = changed
    .toSorted((a, b) => toStep(b) - toStep(a))
    .slice(0, mostNamed)
    .map(
      ({ key, verdict, before, recent }) => `${key} ${verdict} (${toShare(before)} to ${toShare(recent)})`,
    );
  const rest = changed.length > mostNamed ? ` and ${changed.length - mostNamed} more` : '';
  return `Letters over time: ${parts.join(', ')}${rest} (${scope}).`;
}

/** Nobody reads a sentence that lists more. */
const mostNamed = 5;

/** How much a letter has changed, in points. */
function toStep({ before, recent }: LetterChange): number {
  return Math.abs((recent.accuracy ?? 0) - (before.accuracy ?? 0));
}

function toLatest(runs: number): string {
  return runs === 1 ? 'the latest round' : `the latest ${runs} rounds`;
}

function toShare({ accuracy = 0 }: Measure): string {
  return `${toPercentText(accuracy)} %`;
}

/** Everything as sentences, one to a line: for files, pipes and screen readers. */
export function toReportLines(report: ProgressReport): string[] {
  const { runs, days, speedTrend, accuracyTrend, changes } = report;
  if (runs === 0 && report.notCounted > 0)
    return ['No round counts yet.', ...toKindList(report), ...toRemarks(report)];
  if (runs === 0) return ['No finished rounds yet. Start with: typebadge play', ...toRemarks(report)];
  return [
    ...toKindLines(report),
    `${toCountText(runs, 'round')} on ${toCountText(days.length, 'day')}, ${toSpan(days)}.`,
    ...toNowLines(report),
    toTrendText('Speed', 'WPM', speedTrend),
    toTrendText('Accuracy', 'points', accuracyTrend),
    ...toWeakLines(report),
    toLetterText(changes),
    '',
    'Days, newest first:',
    ...days.toReversed().map((day) => {
      const { wpm, accuracy } = day;
      const middle =
        day.runs < 4
          ? ''
          : ` (middle half ${toOneDecimal(wpm.lowerQuartile)} to ${toOneDecimal(wpm.upperQuartile)})`;
      return `${day.date}: ${toCountText(day.runs, 'round')}, median ${toOneDecimal(wpm.median)} WPM${middle}, ${toPercentText(accuracy.median)} % right.`;
    }),
    ...toChangeLines('Letters', changes.letters, changes, (key) => key),
    ...toChangeLines('Fingers', changes.fingers, changes, (key) => fingerNames[Number(key)] ?? key),
    ...toLetterLines(report),
    ...toBigramLines(report),
    ...toRemarks(report),
  ];
}

function toSpan(days: ProgressReport['days']): string {
  const [first = '', last = ''] = [days[0]?.date, days.at(-1)?.date];
  return first === last ? first : `${first} to ${last}`;
}

/** Where speed and accuracy are now, and how surely that is known. */
function toNowLines({ band }: ProgressReport): string[] {
  const now = band.at(-1);
  if (now === undefined || now.speed.low === null) return [];
  return [
    `Latest week: median ${toOneDecimal(now.speed.median)} WPM${toIntervalText(now.speed, toOneDecimal)}, ${toPercentText(now.accuracy.median)} % right${toIntervalText(now.accuracy, toPercentText)}.`,
  ];
}

function toIntervalText({ low, high }: MedianInterval, toText: (value: number) => string): string {
  return low === null || high === null ? '' : ` (95 % sure: ${toText(low)} to ${toText(high)})`;
}

/** Pairs met less often say nothing yet. */
const fewestPairs = 10;
const mostPairs = 8;

function toBigramLines({ bigrams }: ProgressReport): string[] {
  const slow = [...bigrams]
    .filter(([, { count }]) => count >= fewestPairs)
    .map(([pair, { count, ms }]) => ({ pair, mean: ms / count }))
    .sort((a, b) => b.mean - a.mean)
    .slice(0, mostPairs);
  if (slow.length === 0) return [];
  return [
    '',
    `Slowest bigrams: ${slow.map(({ pair, mean }) => `${pair} ${Math.round(mean)} ms`).join(', ')}.`,
  ];
}

/** How often each letter was hit and how fast, where enough of it was typed; the remark on weak letters names the others. */
function toLetterLines({ letters }: ProgressReport): string[] {
  const parts = toSortedLetters(letters).flatMap(([letter, sums]) => {
    const accuracy = toLetterValue(sums, 'accuracy');
    const ms = toLetterValue(sums, 'speed');
    if (accuracy === undefined) return [];
    return [`${letter} ${toPercentText(accuracy)} %${ms === undefined ? '' : ` in ${Math.round(ms)} ms`}`];
  });
  return parts.length === 0
    ? []
    : ['', `Each letter, % right and time from the key before: ${parts.join(', ')}.`];
}

/** Each letter or finger that can be compared, and in one line those that cannot. */
function toChangeLines(
  title: string,
  list: readonly LetterChange[],
  { beforeRuns, recentRuns }: Changes,
  toName: (key: string) => string,
): string[] {
  const known = list.filter(isComparable);
  if (known.length === 0) return [];
  const unknown = list.filter((change) => !isComparable(change)).map(({ key }) => toName(key));
  return [
    '',
    `${title}, ${toCountText(beforeRuns, 'earlier round')} against ${toLatest(recentRuns)}:`,
    ...known.map((change) => `${toName(change.key)}: ${toChangeText(change)}.`),
    ...(unknown.length === 0 ? [] : [`Too little data to compare: ${unknown.join(', ')}.`]),
  ];
}

function toChangeText({ before, recent, verdict }: LetterChange): string {
  const times =
    before.seekMs === undefined || recent.seekMs === undefined
      ? ''
      : `; ${Math.round(before.seekMs)} ms before, ${Math.round(recent.seekMs)} ms now`;
  const claim = verdict === 'unclear' ? '' : `: ${verdict}`;
  return `${toShare(before)} right before, ${toShare(recent)} now${claim}${times}`;
}

/** What is not in the figures. */
function toRemarks({ notCounted, damagedLines, converted, imported }: ProgressReport): string[] {
  const remarks = [
    ...(converted > 0
      ? [
          `${toCountText(converted, 'round')} of an earlier version: spaces were added to the speed, mistakes left in are not in it.`,
        ]
      : []),
    ...(notCounted > 0
      ? [
          `${toCountText(notCounted, 'round')} not counted: drills, ended early, pasted, or faster than anyone types.`,
        ]
      : []),
    ...(imported > 0
      ? [
          `${toCountText(imported, 'round')} imported from other programs: kept apart (--source all shows them too).`,
        ]
      : []),
    ...(damagedLines > 0
      ? [
          `${toCountText(damagedLines, 'damaged line')} of the record could not be read and was left as it is.`,
        ]
      : []),
  ];
  return remarks.length === 0 ? [] : ['', ...remarks];
}
