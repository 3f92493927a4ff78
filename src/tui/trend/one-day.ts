import type { RoundHistory } from '../record/round-history.ts';
import { toDayEnd, toDayStart, toEarlierDate } from './days.ts';
import { type Kind, type ProgressReport, toAllKinds, toReport } from './report.ts';
import { filterRounds } from './round-filter.ts';

/** The report on one kind of rounds, and what other kinds there are. */
interface KindReport {
  readonly report: ProgressReport;
  readonly kinds: readonly Kind[];
}

/** @param place of the kind among all that there are */
export function toKindReport(history: RoundHistory, timeZone: string, place: number): KindReport {
  const kinds = toAllKinds(history);
  const { mode, language, layout, source } = kinds[place] ?? {};
  return { report: toReport(history, timeZone, { mode, language, layout, source }), kinds };
}

/**
 * The same of one day. Its rounds are listed whatever their kind: they are what somebody remembers of a day.
 *
 * @param ago days between it and `now`, an instant as ISO 8601 UTC
 */
export function toDayReport(
  history: RoundHistory,
  timeZone: string,
  place: number,
  ago: number,
  now: string,
): KindReport {
  const date = toEarlierDate(now, ago, timeZone);
  const range = { since: toDayStart(date, timeZone), before: toDayEnd(date, timeZone) };
  const records = filterRounds(history, range);
  const imported = filterRounds(history, { ...range, source: 'all' }).filter(({ source }) => source);
  const day = toKindReport({ ...history, records, imported }, timeZone, place);
  const { source = 'own' } = day.kinds[place] ?? {};
  const rounds = filterRounds({ ...history, records, imported }, { source }).reverse();
  return { ...day, report: { ...day.report, rounds } };
}
