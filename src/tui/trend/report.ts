import type { RunHistory } from '../record/run-history.ts';
import { type Day, toDays } from './days.ts';
import { type Changes, toChanges } from './letter-change.ts';
import { type Trend, toTrend } from './trend.ts';

/** Everything that can be told from the finished rounds. */
export interface Report {
  readonly runs: number;
  /** Lines of the record that could not be read. */
  readonly damagedLines: number;
  readonly timeZone: string;
  readonly days: readonly Day[];
  readonly speedTrend: Trend;
  readonly accuracyTrend: Trend;
  readonly changes: Changes;
}

export function toReport({ records, damagedLines }: RunHistory, timeZone: string): Report {
  const days = toDays(records, timeZone);
  return {
    runs: records.length,
    damagedLines,
    timeZone,
    days,
    speedTrend: toTrend(days, (day) => day.wpm.median),
    accuracyTrend: toTrend(days, (day) => day.accuracy.median),
    changes: toChanges(records),
  };
}

/** The zone that this machine is set to. */
export function readTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
