import { nameOf } from '../../typing/statistics/history.ts';
import { isFitForBest } from '../../typing/statistics/score-statistics.ts';
import { type Day, daysOf, groupByDate, grouped, median, trendOf } from './days.ts';
import { lettersOf, pairsOf } from './letters.ts';
import { keyErrors, type RoundRecord, type RoundSource, sources } from './round-record.ts';

/** Everything that a typist has typed, oldest first. */
export interface RoundHistory {
  readonly records: readonly RoundRecord[];
  /** Rounds of other programs, each once. */
  readonly imported: readonly RoundRecord[];
  /** Lines that could not be read. */
  readonly damagedLines: number;
}

/** Which rounds the figures are of; an omitted field matches all. */
export interface RoundFilter {
  /** Such as `words-30`. */
  readonly mode?: string | undefined;
  readonly language?: string | undefined;
  /** Its id, or what the typist calls a custom layout. */
  readonly layout?: string | undefined;
  /** Where they were typed: here, in another program, or anywhere. Default: here. */
  readonly source?: RoundSource | undefined;
  /** Only rounds finished at this instant (ISO 8601 UTC) or later, and before that one. */
  readonly since?: string | undefined;
  readonly before?: string | undefined;
}

/** Rounds that can be compared: of one mode, language and layout, typed in the same program. */
export type Kind = Readonly<ReturnType<typeof newKind>>;

/** Everything that follows from the rounds of the latest kind that a filter lets through. */
export function progressReport(history: RoundHistory, timeZone: string, filter: RoundFilter = {}) {
  const { source = 'own', since, before } = filter;
  const all = filteredRounds(history, filter);
  const { counted: kinds, others: kindsNotCounted } = kindsOf(all, source);
  const [kind] = kinds;
  const ofThisKind = kind === undefined ? all : all.filter((round) => nameOf(round) === nameOf(kind));
  const records = ofThisKind.filter(({ counts }) => counts);
  const dates = groupByDate(records, timeZone);
  const days = daysOf(dates);
  const ofAllKinds = filteredRounds(history, { source, since, before });
  return {
    kind,
    /** All kinds that the filter lets through, the latest first. */
    kinds,
    /** Those of which no round counts, such as drills, the latest first. */
    kindsNotCounted,
    /** Of the rounds of all kinds: how many, how long, on how many days. */
    total: {
      runs: ofAllKinds.length,
      seconds: ofAllKinds.reduce((sum, { seconds }) => sum + seconds, 0),
      days: groupByDate(ofAllKinds, timeZone).size,
    },
    /** Rounds of the kind. */
    runs: records.length,
    /** Rounds left out of all figures: drills, pasted ones, or faster than anyone types. */
    notCounted: all.filter(({ counts }) => !counts).length,
    damagedLines: history.damagedLines,
    timeZone,
    days,
    band: weekMedians(days, dates),
    speedTrend: trendOf(days, (day) => day.wpm.median),
    accuracyTrend: trendOf(days, (day) => day.accuracy.median),
    letters: lettersOf(records),
    bigrams: pairsOf(records),
    /** Wrong keys in all of them, the most frequent first. */
    errors: keyErrors(records.map(({ errors }) => errors)),
    /** Rounds of other programs that the figures leave out. */
    imported: source === 'own' ? history.imported.length : 0,
    /** The rounds of the kind, the latest first; also those that do not count. */
    rounds: ofThisKind.toReversed(),
  };
}
export type ProgressReport = Readonly<ReturnType<typeof progressReport>>;

/**
 * What the history screen shows: the kind at an index of the kinds of all rounds, typed here or elsewhere.
 * Own kinds of which no round counts, such as drills, come after the others, with 0 rounds.
 */
export function kindReport(history: RoundHistory, timeZone: string, kind: number) {
  const { counted, others } = kindsOf(history.records, 'own');
  const foreign = sources.flatMap((source) => kindsOf(filteredRounds(history, { source }), source).counted);
  const kinds = [...counted, ...others.map((other) => ({ ...other, runs: 0 })), ...foreign];
  const { mode, language, layout, source } = kinds[kind] ?? {};
  return { report: progressReport(history, timeZone, { mode, language, layout, source }), kinds };
}

/** Days of which a median is shown: a single day has too few rounds. */
const windowDays = 7;

/** For each day the medians of the week that ends with it: standard WPM, and percent. */
function weekMedians(days: readonly Day[], dates: ReadonlyMap<string, readonly RoundRecord[]>) {
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

/** The kinds of rounds, the latest first: those of which some count, and those of which none does. */
function kindsOf(records: readonly RoundRecord[], source: RoundSource) {
  const latestFirst = records.toReversed();
  const kindsAmong = (rounds: readonly RoundRecord[]) =>
    [...grouped(rounds, nameOf).values()].map((ofKind) => newKind(ofKind, source));
  const names = new Set(latestFirst.filter(({ counts }) => counts).map(nameOf));
  return {
    counted: kindsAmong(latestFirst.filter(({ counts }) => counts)),
    others: kindsAmong(latestFirst.filter((record) => !names.has(nameOf(record)))),
  };
}

/** @param rounds the latest first, at least one */
function newKind(rounds: readonly RoundRecord[], source: RoundSource) {
  const { mode, language, layout } = rounds[0] as RoundRecord;
  const speeds = rounds.map(({ standardWpm }) => standardWpm);
  const fit = rounds.filter(({ accuracy }) => isFitForBest(accuracy));
  return {
    mode,
    language,
    layout,
    source,
    runs: rounds.length,
    /** Median, mean and best, in standard WPM; mean and best equal those of `stats/historical`. */
    wpm: median(speeds),
    // Oldest first, as the engine adds them up.
    averageWpm: speeds.reduceRight((sum, speed) => sum + speed, 0) / speeds.length,
    // 0 if most keys of every round were wrong: such a speed is not a best.
    bestWpm: fit.reduce((best, { standardWpm }) => Math.max(best, standardWpm), 0),
  };
}
