import { toTable } from '../../support/report-table.ts';
import type { Recovered } from '../restart-check.ts';
import type { Growth } from './process-samples.ts';
import type { TallyReport } from './tally.ts';

export interface RestartReport {
  readonly name: string;
  /** Seconds from the signal to the end of the process. */
  readonly seconds: number;
  readonly found: Recovered;
}

/** Requests by kind, and what was not owed. Markdown. */
export function tallyText({ kinds, faults }: TallyReport): string {
  const rows = kinds
    .toSorted((a, b) => b.count - a.count)
    .map(({ kind, count, p50, p99, longest }) => [
      kind,
      String(count),
      ...[p50, p99, longest].map((ms) => ms.toFixed(1)),
    ]);
  const sum = faults.reduce((all, [, count]) => all + count, 0);
  return [
    toTable(['kind', 'times', 'p50 ms', 'p99 ms', 'longest ms'], rows),
    [`Errors not owed: ${sum}.`, ...faults.map(([what, count]) => `- ${count} × ${what}`)].join('\n'),
  ].join('\n\n');
}

export function growthText(growth: readonly Growth[]): string {
  return toTable(
    ['the server', 'after warm-up', 'at the end', 'may grow by', ''],
    growth.map(({ what, from, to, bound }) => [
      ...[what, from.toFixed(1), to.toFixed(1), String(bound)],
      to - from > bound ? 'grew more' : '',
    ]),
  );
}

export function restartText(restarts: readonly RestartReport[]): string {
  return toTable(
    [
      ...['end under load', 'seconds until ended', 'sessions compared', 'acknowledged keys found'],
      ...['later keys, kept of sent', 'rounds on disk'],
    ],
    restarts.map(({ name, seconds, found }) => [
      ...[name, seconds.toFixed(2), String(found.sessions), String(found.keys)],
      ...[`${found.lateKeysKept} of ${found.lateKeys}`, String(found.rounds)],
    ]),
  );
}
