import { toFolders } from '../tui/record/folders.ts';
import { readRunHistory } from '../tui/record/run-history.ts';
import { readTimeZone, toReport } from '../tui/trend/report.ts';
import { toCsv, toReportLines } from '../tui/trend/report-text.ts';
import { newProcessIo } from './command-io.ts';

export interface StatsWish {
  readonly json?: true;
  readonly csv?: true;
  readonly data?: string;
}

/** Prints what the client's own record tells. */
export async function printStats({ json, csv, data }: StatsWish): Promise<void> {
  const { out } = newProcessIo();
  const history = await readRunHistory(toFolders(data).data);
  if (csv) out.write(toCsv(history.records));
  else {
    const report = toReport(history, readTimeZone());
    const text = json ? JSON.stringify(report, undefined, 2) : toReportLines(report).join('\n');
    out.write(`${text}\n`);
  }
}
