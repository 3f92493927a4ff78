import { toFolders } from '../tui/record/folders.ts';
import { readRunHistory } from '../tui/record/run-history.ts';
import { readTimeZone, toReport } from '../tui/trend/report.ts';
import { toCsv, toReportLines } from '../tui/trend/report-text.ts';

export interface StatsWish {
  readonly json?: true;
  readonly csv?: true;
  readonly data?: string;
}

/** Prints what the client's own record tells. */
export async function printStats({ json, csv, data }: StatsWish): Promise<void> {
  const history = await readRunHistory(toFolders(data).data);
  if (csv) process.stdout.write(toCsv(history.records));
  else {
    const report = toReport(history, readTimeZone());
    const text = json ? JSON.stringify(report, undefined, 2) : toReportLines(report).join('\n');
    process.stdout.write(`${text}\n`);
  }
}
