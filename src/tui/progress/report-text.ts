import { plural } from '../../kit/terminal-text.ts';
import { durationText, fingerNames, hasSpeed, kindName, percentText } from './figures.ts';
import {
  type Changes,
  fewestMeetings,
  isComparable,
  type KeyChange,
  letterStanding,
  letterValue,
  slowPairs,
} from './letters.ts';
import type { Kind, ProgressReport } from './report.ts';
import type { RoundRecord } from './round-record.ts';
import { type Day, fewestDays, fewestRounds, type Trend } from './trend.ts';

/** Everything as sentences, one to a line: for files, pipes and screen readers. */
export function reportLines(report: ProgressReport): string[] {
  const { runs, days, speedTrend, accuracyTrend, changes, band } = report;
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
    ...weakLines(report),
    changedLetters(changes),
    '',
    'Days, newest first:',
    ...days.toReversed().map(dayText),
    ...changeLines('Letters', changes.letters, changes, (key) => key),
    ...changeLines('Fingers', changes.fingers, changes, (key) => fingerNames[Number(key)] ?? key),
    ...letterLines(report),
    ...pairLines(report),
    ...remarks(report),
  ];
}

/** A total over all kinds, and what the figures below are of; nothing if only usual rounds were typed. */
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

/** How a figure moved over the latest 90 days, in one sentence. */
export function trendText(name: string, unit: string, trend: Trend): string {
  if (trend.kind === 'too-few') {
    const had = `${plural(trend.runs, 'round')} on ${plural(trend.days, 'day')}`;
    return `${name}: too few to tell a trend (${had}; it takes ${fewestRounds} on ${fewestDays}).`;
  }
  if (trend.kind === 'flat') return `${name}: unchanged.`;
  const sign = trend.perWeek < 0 ? '-' : '+';
  return `${name}: ${trend.kind}, ${sign}${Math.abs(trend.perWeek).toFixed(1)} ${unit} a week.`;
}

/** Nobody reads a sentence that lists more. */
const maxNamed = 5;

/** The letters to work on, worst first; or that none is weak, or that nobody can tell yet. */
function weakLines({ letters }: ProgressReport): string[] {
  const { weak, unknown, known, accuracy } = letterStanding(letters);
  if (known === 0 || accuracy === undefined) {
    return [`Weak letters: too little data yet. A letter must occur at least ${fewestMeetings} times.`];
  }
  const parts = weak
    .slice(0, maxNamed)
    .map((one) => `${one.letter} (${percentText(one.accuracy)} % right of ${one.presented})`);
  const rest = weak.length > maxNamed ? ` and ${weak.length - maxNamed} more` : '';
  const found = weak.length === 0 ? 'none stands out' : `${parts.join(', ')}${rest}`;
  return [
    `Weak letters: ${found}; all letters together ${percentText(accuracy)} %.`,
    ...(unknown.length === 0
      ? []
      : [`Too little data on ${unknown.join(', ')}: a letter must occur at least ${fewestMeetings} times.`]),
  ];
}

/** The letters that have surely changed, or that none has. */
function changedLetters(changes: Changes): string {
  const known = changes.letters.filter(isComparable);
  if (known.length === 0) return 'Letters over time: too little data to compare yet.';
  const changed = known.filter(({ verdict }) => verdict !== 'unclear');
  const scope = `${latestText(changes.recentRuns)} against the ${changes.beforeRuns} before`;
  if (changed.length === 0) return `Letters over time: no significant change (${scope}).`;
  const stepOf = ({ before, recent }: KeyChange) => Math.abs((recent.accuracy ?? 0) - (before.accuracy ?? 0));
  const parts = changed
    .sort((a, b) => stepOf(b) - stepOf(a))
    .slice(0, maxNamed)
    .map(({ key, verdict, before, recent }) => `${key} ${verdict} (${share(before)} to ${share(recent)})`);
  const rest = changed.length > maxNamed ? ` and ${changed.length - maxNamed} more` : '';
  return `Letters over time: ${parts.join(', ')}${rest} (${scope}).`;
}

function latestText(runs: number): string {
  return runs === 1 ? 'the latest round' : `the latest ${runs} rounds`;
}

function share({ accuracy = 0 }: KeyChange['before']): string {
  return `${percentText(accuracy)} %`;
}

function dayText({ date, runs, wpm, accuracy }: Day): string {
  const middle =
    runs < 4 ? '' : ` (middle half ${wpm.lowerQuartile.toFixed(1)} to ${wpm.upperQuartile.toFixed(1)})`;
  return `${date}: ${plural(runs, 'round')}, median ${wpm.median.toFixed(1)} WPM${middle}, ${percentText(accuracy.median)} % right.`;
}

/** Each letter or finger that can be compared, and in one line those that cannot. */
function changeLines(
  title: string,
  list: readonly KeyChange[],
  { beforeRuns, recentRuns }: Changes,
  nameOf: (key: string) => string,
): string[] {
  const known = list.filter(isComparable);
  if (known.length === 0) return [];
  const unknown = list.filter((change) => !isComparable(change)).map(({ key }) => nameOf(key));
  return [
    '',
    `${title}, ${plural(beforeRuns, 'earlier round')} against ${latestText(recentRuns)}:`,
    ...known.map((change) => `${nameOf(change.key)}: ${changeText(change)}.`),
    ...(unknown.length === 0 ? [] : [`Too little data to compare: ${unknown.join(', ')}.`]),
  ];
}

function changeText({ before, recent, verdict }: KeyChange): string {
  const times =
    before.seekMs === undefined || recent.seekMs === undefined
      ? ''
      : `; ${Math.round(before.seekMs)} ms before, ${Math.round(recent.seekMs)} ms now`;
  const claim = verdict === 'unclear' ? '' : `: ${verdict}`;
  return `${share(before)} right before, ${share(recent)} now${claim}${times}`;
}

/** How often each letter was hit and how fast, if enough of it was typed. */
function letterLines({ letters }: ProgressReport): string[] {
  const parts = [...letters]
    .sort(([a], [b]) => a.localeCompare(b))
    .flatMap(([letter, sums]) => {
      const [accuracy, ms] = [letterValue(sums, 'accuracy'), letterValue(sums, 'speed')];
      if (accuracy === undefined) return [];
      return [`${letter} ${percentText(accuracy)} %${ms === undefined ? '' : ` in ${Math.round(ms)} ms`}`];
    });
  return parts.length === 0
    ? []
    : ['', `Each letter, % right and time from the key before: ${parts.join(', ')}.`];
}

const maxPairs = 8;

function pairLines({ bigrams }: ProgressReport): string[] {
  const slow = slowPairs(bigrams).slice(0, maxPairs);
  if (slow.length === 0) return [];
  return ['', `Slowest bigrams: ${slow.map(({ pair, ms }) => `${pair} ${Math.round(ms)} ms`).join(', ')}.`];
}

/** What is not in the figures. */
function remarks({ notCounted, damagedLines, imported }: ProgressReport): string[] {
  const found = [
    ...(notCounted > 0
      ? [`${plural(notCounted, 'round')} not counted: drills, pasted, or faster than anyone types.`]
      : []),
    ...(imported > 0
      ? [
          `${plural(imported, 'round')} imported from other programs: kept apart (--source all shows them too).`,
        ]
      : []),
    ...(damagedLines > 0
      ? [`${plural(damagedLines, 'damaged line')} of the record could not be read and was left as it is.`]
      : []),
  ];
  return found.length === 0 ? [] : ['', ...found];
}

/** What each kind of a day came to, the latest first; rounds that do not count are in the list only. */
export function dayKinds(kinds: readonly Kind[]): string {
  const texts = kinds
    .filter(({ runs }) => runs > 0)
    .map((kind) => {
      const median = kind.runs === 1 ? '' : 'median ';
      return `${kindName(kind)}: ${plural(kind.runs, 'round')}, ${median}${kind.wpm.toFixed(1)} WPM`;
    });
  return texts.length === 0 ? 'No round that counts.' : `${texts.join('; ')}.`;
}

/** What was practised in a round. */
export function roundName({ mode, language, layout, layoutName, source }: RoundRecord): string {
  return kindName({ mode, language, layout, ...(layoutName && { layoutName }), source: source ?? 'own' });
}

/** The rounds of a day, such as `today`, as sentences. */
export function dayLines(
  day: string,
  { rounds, timeZone }: ProgressReport,
  kinds: readonly Kind[],
): string[] {
  if (rounds.length === 0) return [`No finished rounds ${day}.`];
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'short' });
  return [
    `${day.slice(0, 1).toUpperCase()}${day.slice(1)}, ${plural(rounds.length, 'round')}.`,
    dayKinds(kinds),
    '',
    ...rounds.map((round) => {
      const not = round.counts ? '' : ', not counted';
      const speed = hasSpeed(round) ? `${round.standardWpm.toFixed(1)} WPM` : 'too short for a speed';
      const time = clock.format(new Date(round.finished));
      return `${time}: ${roundName(round)}, ${speed}, ${percentText(round.accuracy)} % right in ${Math.round(round.seconds)} s${not}.`;
    }),
  ];
}
