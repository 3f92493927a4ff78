import { toVisibleLines } from '../../../kit/visible-text.ts';
import { toFolders } from '../../../tui/record/folders.ts';
import { readRoundHistory } from '../../../tui/record/round-history.ts';
import { toCsv, toReportLines } from '../../../tui/text/report-text.ts';
import { readTimeZone, toReport } from '../../../tui/trend/report.ts';
import { newProcessIo } from '../../program/command-io.ts';

export interface StatsCommandOptions {
  readonly json?: true;
  readonly csv?: true;
  readonly data?: string;
}

/** Prints what the client's own record tells. */
export async function printStats({ json, csv, data }: StatsCommandOptions): Promise<void> {
  const { out } = newProcessIo();
  const history = await readRoundHistory(toFolders(data).data);
  if (csv) out.write(toCsv(history.records));
  else {
    const report = toReport(history, readTimeZone());
    const text = json ? JSON.stringify(report, undefined, 2) : toReportLines(report).join('\n');
    out.write(`${toVisibleLines(text)}\n`);
  }
}
