import { isFitForBest } from '../../typing/statistics/score-statistics.ts';
import { daysOf, groupByDate } from './days.ts';
import type { KindNames } from './figures.ts';
import { type Letters, lettersOf, type Pairs, pairsOf } from './letters.ts';
import { type KeyError, keyErrors, type RoundRecord, type Source, sources } from './round-record.ts';
import { type Day, median, type Trend, trendOf } from './trend.ts';

/** Everything that a typist has typed, oldest first. */
export interface RoundHistory {
  readonly records: readonly RoundRecord[];
  /** Rounds of other programs, each once. */
  readonly imported: readonly RoundRecord[];
  /** Lines that could not be read. */
  readonly damagedLines: number;
}

/** Which rounds the figures are of; what is left out is any. */
export interface RoundFilter {
  /** Such as `words-30`. */
  readonly mode?: string | undefined;
  readonly language?: string | undefined;
  /** Its id, or what the typist calls a custom layout. */
  readonly layout?: string | undefined;
  /** Where they were typed: here, in another program, or anywhere. Default: here. */
  readonly source?: Source | 'own' | 'all' | undefined;
  /** Only rounds finished at this instant (ISO 8601 UTC) or later, and before that one. */
  readonly since?: string | undefined;
  readonly before?: string | undefined;
}

/** Rounds that can be compared: of one mode, language and layout, typed in the same program. */
export interface Kind extends KindNames {
  readonly source: Source | 'own' | 'all';
  readonly runs: number;
  /** Median, mean and best, in standard WPM; mean and best equal those of `stats/historical`. */
  readonly wpm: number;
  readonly averageWpm: number;
  readonly bestWpm: number;
}

/** Everything that follows from the finished rounds of one kind. */
export interface ProgressReport {
  /** The kind that the figures are of: that of the latest round which the filter lets through. */
  readonly kind: Kind | undefined;
  /** All kinds that the filter lets through, the latest first. */
  readonly kinds: readonly Kind[];
  /** Those of which no round counts, such as drills, the latest first. */
  readonly kindsNotCounted: readonly Kind[];
  /** Of the rounds of all kinds: how many, how long, on how many days. */
  readonly total: { readonly runs: number; readonly seconds: number; readonly days: number };
  /** Rounds of the kind. */
  readonly runs: number;
  /** Rounds left out of all figures: drills, pasted ones, or faster than anyone types. */
  readonly notCounted: number;
  readonly damagedLines: number;
  readonly timeZone: string;
  readonly days: readonly Day[];
  /** For each day the medians of the week that ends with it. */
  readonly band: readonly WeekMedian[];
  readonly speedTrend: Trend;
  readonly accuracyTrend: Trend;
  /** Sums over all rounds of the kind, by letter and by pair of letters. */
  readonly letters: Letters;
  readonly bigrams: Pairs;
  /** Wrong keys in all of them, the most frequent first. */
  readonly errors: readonly KeyError[];
  /** Rounds of other programs that the figures leave out. */
  readonly imported: number;
  /** The rounds of the kind, the latest first; also those that do not count. */
  readonly rounds: readonly RoundRecord[];
}

export interface WeekMedian {
  readonly date: string;
  /** In standard WPM, and percent. */
  readonly speed: { readonly median: number };
  readonly accuracy: { readonly median: number };
}

/** Reports on the latest kind of rounds that a filter lets through. */
export function progressReport(
  history: RoundHistory,
  timeZone: string,
  filter: RoundFilter = {},
): ProgressReport {
  const all = filteredRounds(history, filter);
  const counted = all.filter(({ counts }) => counts);
  const source = filter.source ?? 'own';
  const kinds = kindsOf(counted, source);
  const [kind] = kinds;
  const isOfThisKind = (record: RoundRecord) => kind === undefined || isOfKind(record, kind);
  const records = kind === undefined ? [] : counted.filter(isOfThisKind);
  const dates = groupByDate(records, timeZone);
  const { since, before } = filter;
  const whatever = filteredRounds(history, { source, since, before });
  const days = daysOf(dates);
  return {
    kind,
    kinds,
    kindsNotCounted: kindsBeside(kinds, all, source),
    total: {
      runs: whatever.length,
      seconds: whatever.reduce((sum, { seconds }) => sum + seconds, 0),
      days: groupByDate(whatever, timeZone).size,
    },
    runs: records.length,
    notCounted: all.length - counted.length,
    damagedLines: history.damagedLines,
    timeZone,
    days,
    band: weekMedians(days, dates),
    speedTrend: trendOf(days, (day) => day.wpm.median),
    accuracyTrend: trendOf(days, (day) => day.accuracy.median),
    letters: lettersOf(records),
    bigrams: pairsOf(records),
    errors: keyErrors(records.map(({ errors }) => errors)),
    imported: source === 'own' ? history.imported.length : 0,
    rounds: all.filter(isOfThisKind).reverse(),
  };
}

/** The report on one kind of rounds, and what other kinds there are. */
export interface KindReport {
  readonly report: ProgressReport;
  readonly kinds: readonly Kind[];
}

/** What the history screen shows: the kind at a place among all kinds. */
export function kindReport(history: RoundHistory, timeZone: string, kind: number): KindReport {
  const kinds = allKinds(history);
  const { mode, language, layout, source } = kinds[kind] ?? {};
  return { report: progressReport(history, timeZone, { mode, language, layout, source }), kinds };
}

/** Days of which a median is shown: a single day has too few rounds. */
const windowDays = 7;

function weekMedians(days: readonly Day[], dates: ReadonlyMap<string, readonly RoundRecord[]>): WeekMedian[] {
  return days.map(({ date, number }, at) => {
    const week = days.slice(Math.max(0, at + 1 - windowDays), at + 1);
    const rounds = week
      .filter((day) => number - day.number < windowDays)
      .flatMap((day) => dates.get(day.date) ?? []);
    return {
      date,
      speed: { median: median(rounds.map(({ standardWpm }) => standardWpm)) },
      accuracy: { median: median(rounds.map(({ accuracy }) => accuracy)) },
    };
  });
}

/** The rounds of a history that a filter lets through, oldest first. */
export function filteredRounds(
  { records, imported }: RoundHistory,
  { source = 'own', mode, language, layout, since, before }: RoundFilter,
): RoundRecord[] {
  const pool =
    source === 'own'
      ? records
      : source === 'all'
        ? [...records, ...imported].sort((a, b) => (a.finished < b.finished ? -1 : 1))
        : imported.filter((record) => record.source === source);
  return pool.filter(
    (record) =>
      (mode === undefined || record.mode === mode) &&
      (language === undefined || record.language === language) &&
      (layout === undefined || record.layout === layout) &&
      (since === undefined || record.finished >= since) &&
      (before === undefined || record.finished < before),
  );
}

/**
 * The kinds of all rounds, typed here or elsewhere, each apart: what the history screen goes through. Own
 * kinds of which no round counts, such as drills, come after the others, with 0 rounds.
 */
function allKinds({ records, imported }: RoundHistory): Kind[] {
  const counted = kindsOf(
    records.filter(({ counts }) => counts),
    'own',
  );
  const others = kindsBeside(counted, records, 'own').map((kind) => ({ ...kind, runs: 0 }));
  const foreign = sources.flatMap((source) =>
    kindsOf(
      imported.filter((record) => record.counts && record.source === source),
      source,
    ),
  );
  return [...counted, ...others, ...foreign];
}

/** The kinds of the rounds that are of none of these. */
function kindsBeside(kinds: readonly Kind[], records: readonly RoundRecord[], source: Kind['source']) {
  return kindsOf(
    records.filter((record) => !kinds.some((kind) => isOfKind(record, kind))),
    source,
  );
}

/** @param records oldest first */
function kindsOf(records: readonly RoundRecord[], source: Kind['source']): Kind[] {
  const groups = new Map<string, RoundRecord[]>();
  for (const record of records) {
    const name = [record.mode, record.language, record.layout].join('\n');
    const group = groups.get(name) ?? [];
    group.push(record);
    groups.delete(name); // to the end: the order is that of the latest rounds
    groups.set(name, group);
  }
  return [...groups.values()].reverse().flatMap((group) => {
    const latest = group.at(-1);
    if (latest === undefined) return [];
    const { mode, language, layout } = latest;
    const speeds = group.map(({ standardWpm }) => standardWpm);
    return {
      mode,
      language,
      layout,
      source,
      runs: group.length,
      wpm: median(speeds),
      averageWpm: speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length,
      bestWpm: bestOf(group),
    };
  });
}

/** 0 if most keys of every round were wrong: its speed is nobody's best. */
function bestOf(records: readonly RoundRecord[]): number {
  return records
    .filter(({ accuracy }) => isFitForBest(accuracy))
    .reduce((best, { standardWpm }) => Math.max(best, standardWpm), 0);
}

function isOfKind(record: RoundRecord, { mode, language, layout }: Kind): boolean {
  return record.mode === mode && record.language === language && record.layout === layout;
}
