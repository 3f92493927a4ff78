import type { RoundHistory, RoundRecord } from '../record/round-history.ts';
import { type Day, toDays } from './days.ts';
import { type Changes, toChanges } from './letter-change.ts';
import { toMedian } from './quantiles.ts';
import { type Trend, toTrend } from './trend.ts';

/** Rounds that can be compared with each other: of one mode, language and layout. */
export interface Kind {
  readonly mode: string;
  readonly language: string;
  readonly layout: string;
  readonly runs: number;
  /** Median, in standard WPM. */
  readonly wpm: number;
}

/** Everything that can be told from the finished rounds of one kind. */
export interface Report {
  /** The kind that the figures are of: that of the latest round. */
  readonly kind: Kind | undefined;
  /** All kinds that were typed, the latest first. */
  readonly kinds: readonly Kind[];
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
  readonly speedTrend: Trend;
  readonly accuracyTrend: Trend;
  readonly changes: Changes;
}

export function toReport({ records: all, damagedLines }: RoundHistory, timeZone: string): Report {
  const counted = all.filter(({ counts }) => counts);
  const kinds = toKinds(counted);
  const [kind] = kinds;
  const records = counted.filter((record) => kind !== undefined && isOfKind(record, kind));
  const days = toDays(records, timeZone);
  return {
    kind,
    kinds,
    runs: records.length,
    notCounted: all.length - counted.length,
    damagedLines,
    converted: records.filter(({ version }) => version < 3).length,
    timeZone,
    days,
    speedTrend: toTrend(days, (day) => day.wpm.median),
    accuracyTrend: toTrend(days, (day) => day.accuracy.median),
    changes: toChanges(records),
  };
}

/** @param records oldest first */
function toKinds(records: readonly RoundRecord[]): Kind[] {
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
    const wpm = toMedian(group.map(({ standardWpm }) => standardWpm));
    return [{ mode, language, layout, runs: group.length, wpm }];
  });
}

function isOfKind(record: RoundRecord, { mode, language, layout }: Kind): boolean {
  return record.mode === mode && record.language === language && record.layout === layout;
}

/** The zone that this machine is set to. */
export function readTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
