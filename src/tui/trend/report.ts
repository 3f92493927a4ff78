import type { RoundHistory } from '../record/round-history.ts';
import { type RoundRecord, type Source, sources } from '../record/round-line.ts';
import type { LetterSums } from '../round/round-summary.ts';
import { canBeBest } from '../round/scoring.ts';
import { type BandDay, toBand } from './band.ts';
import { type Day, groupByDay, toDays } from './days.ts';
import { type BigramSums, sumBigrams, sumLetters } from './key-sums.ts';
import { type Changes, toChanges } from './letter-change.ts';
import { toMedian } from './quantiles.ts';
import { filterRounds, type RoundFilter } from './round-filter.ts';
import { type Trend, toTrend } from './trend.ts';

/** Rounds that can be compared with each other: of one mode, language and layout, typed in the same program. */
export interface Kind {
  readonly mode: string;
  readonly language: string;
  readonly layout: string;
  /** What the typist calls a layout of their own. */
  readonly layoutName?: string;
  /** `own` for rounds of this program; `all` where they were asked for together. */
  readonly source: Source | 'own' | 'all';
  readonly runs: number;
  /** Median and best, in standard WPM. */
  readonly wpm: number;
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
  /** Rounds; `stats --json` has always called them so. */
  readonly runs: number;
  /** Rounds left out of all figures: pasted ones, or faster than anyone types. */
  readonly notCounted: number;
  /** Lines of the record that could not be read. */
  readonly damagedLines: number;
  /** Rounds of earlier versions: their speed is converted (see `toEarlierStandardWpm`). */
  readonly converted: number;
  readonly timeZone: string;
  readonly days: readonly Day[];
  /** Per day the medians of the week that ends with it, with their 95 % intervals. */
  readonly band: readonly BandDay[];
  readonly speedTrend: Trend;
  readonly accuracyTrend: Trend;
  readonly changes: Changes;
  /** Sums over all rounds of the kind, by letter and by pair of letters. */
  readonly letters: ReadonlyMap<string, LetterSums>;
  readonly bigrams: ReadonlyMap<string, BigramSums>;
  /** Rounds of other programs that the figures leave out. */
  readonly imported: number;
  /** The rounds of the kind, the latest first; also those that do not count. */
  readonly rounds: readonly RoundRecord[];
}

/** Reports on the latest kind of rounds that a filter lets through. */
export function toReport(history: RoundHistory, timeZone: string, filter: RoundFilter = {}): ProgressReport {
  const all = filterRounds(history, filter);
  const counted = all.filter(({ counts }) => counts);
  const source = filter.source ?? 'own';
  const kinds = toKinds(counted, source);
  const [kind] = kinds;
  const isOfThisKind = (record: RoundRecord) => kind !== undefined && isOfKind(record, kind);
  const records = counted.filter(isOfThisKind);
  const groups = groupByDay(records, timeZone);
  const days = toDays(groups);
  return {
    kind,
    kinds,
    kindsNotCounted: toKindsBeside(kinds, all, source),
    runs: records.length,
    notCounted: all.length - counted.length,
    damagedLines: history.damagedLines,
    converted: records.filter(({ version }) => version < 3).length,
    timeZone,
    days,
    band: toBand(days, ({ date }) => groups.get(date) ?? []),
    speedTrend: toTrend(days, (day) => day.wpm.median),
    accuracyTrend: toTrend(days, (day) => day.accuracy.median),
    changes: toChanges(records),
    letters: sumLetters(records),
    bigrams: sumBigrams(records),
    imported: source === 'own' ? history.imported.length : 0,
    rounds: all.filter((record) => kind === undefined || isOfThisKind(record)).reverse(),
  };
}

/**
 * The kinds of all rounds, typed here or elsewhere, each apart: what the history screen goes through. Those of which no round
 * counts, such as drills, come after the others of one's own.
 */
export function toAllKinds(history: RoundHistory): Kind[] {
  const counted = toKinds(
    history.records.filter(({ counts }) => counts),
    'own',
  );
  const others = toKindsBeside(counted, history.records, 'own');
  const own = [...counted, ...others.map((kind) => ({ ...kind, runs: 0 }))];
  const imported = sources.flatMap((source) =>
    toKinds(
      history.imported.filter((record) => record.counts && record.source === source),
      source,
    ),
  );
  return [...own, ...imported];
}

/** The kinds of the rounds that are of none of these. */
function toKindsBeside(kinds: readonly Kind[], records: readonly RoundRecord[], source: Kind['source']) {
  return toKinds(
    records.filter((record) => !kinds.some((kind) => isOfKind(record, kind))),
    source,
  );
}

/** @param records oldest first */
function toKinds(records: readonly RoundRecord[], source: Kind['source']): Kind[] {
  const groups = new Map<string, RoundRecord[]>();
  for (const record of records.toReversed()) {
    const { mode, language, layout } = record;
    const name = [mode, language, layout].join('\n');
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [record]);
    else group.push(record);
  }
  return [...groups.values()].flatMap((group) => {
    const [latest] = group;
    if (latest === undefined) return [];
    const { mode, language, layout } = latest;
    const layoutName = group.find((record) => record.layoutName !== undefined)?.layoutName;
    const own = layoutName === undefined ? {} : { layoutName };
    const wpm = toMedian(group.map(({ standardWpm }) => standardWpm));
    return [{ mode, language, layout, ...own, source, runs: group.length, wpm, bestWpm: toBest(group) }];
  });
}

/** 0 where most keys of every round were wrong: its speed is nobody's best. */
function toBest(records: readonly RoundRecord[]): number {
  return records
    .filter(({ accuracy }) => canBeBest(accuracy))
    .reduce((best, { standardWpm }) => Math.max(best, standardWpm), 0);
}

function isOfKind(record: RoundRecord, { mode, language, layout }: Kind): boolean {
  return record.mode === mode && record.language === language && record.layout === layout;
}

/** The zone that this machine is set to. */
export function readTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
