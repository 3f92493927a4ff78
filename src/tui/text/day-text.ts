import { hasSpeed } from '../round/scoring.ts';
import type { HistoryDay } from '../state/history-view.ts';
import type { Kind, ProgressReport } from '../trend/report.ts';
import { toCountText, toOneDecimal, toPercentText, toSentence } from './figures/figures.ts';
import { toKindName } from './kind-lines.ts';

/** What each kind of a day came to, the latest first; rounds that do not count are in the list only. */
export function toDaySums(kinds: readonly Kind[]): string {
  const counted = kinds.filter(({ runs }) => runs > 0);
  const texts = counted.map((kind) => {
    const median = kind.runs === 1 ? '' : 'median ';
    return `${toKindName(kind)}: ${toCountText(kind.runs, 'round')}, ${median}${toOneDecimal(kind.wpm)} WPM`;
  });
  return texts.length === 0 ? 'No round that counts.' : `${texts.join('; ')}.`;
}

/** That there are no rounds on a day. */
export function toEmptyDayText(day: HistoryDay): string {
  return `No finished rounds ${day}.`;
}

type PastRound = ProgressReport['rounds'][number];

/** What was practised in a round. */
export function toRoundName({ mode, language, layout, layoutName, source }: PastRound): string {
  const own = layoutName === undefined ? {} : { layoutName };
  return toKindName({ mode, language, layout, ...own, source: source ?? 'own' });
}

/** The rounds of a day as sentences. */
export function toDayLines(
  day: HistoryDay,
  { rounds, timeZone }: ProgressReport,
  kinds: readonly Kind[],
): string[] {
  if (rounds.length === 0) return [toEmptyDayText(day)];
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'short' });
  return [
    `${toSentence(day)}, ${toCountText(rounds.length, 'round')}.`,
    toDaySums(kinds),
    '',
    ...rounds.map((round) => {
      const name = toRoundName(round);
      const not = round.counts ? '' : ', not counted';
      const time = clock.format(new Date(round.finished));
      const speed = hasSpeed(round) ? `${toOneDecimal(round.standardWpm)} WPM` : 'too short for a speed';
      return `${time}: ${name}, ${speed}, ${toPercentText(round.accuracy)} % right in ${Math.round(round.seconds)} s${not}.`;
    }),
  ];
}
