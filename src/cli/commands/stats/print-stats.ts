import { toVisible, toVisibleLines } from '../../../kit/visible-text.ts';
import { readRoundHistory } from '../../../tui/record/round-history.ts';
import { toCountText } from '../../../tui/text/figures.ts';
import { toReportLines } from '../../../tui/text/report-text.ts';
import { toDayStart, toEarlierDate } from '../../../tui/trend/days.ts';
import { type ProgressReport, readTimeZone, toReport } from '../../../tui/trend/report.ts';
import { filterRounds, type RoundFilter } from '../../../tui/trend/round-filter.ts';
import { newProcessIo } from '../../program/command-io.ts';
import { findFolders } from '../../typist/profile-option.ts';
import type { CardTheme } from './result-card.ts';
import { toRoundLines, toRoundTable } from './round-table.ts';
import { writeCard } from './write-card.ts';

export interface StatsCommandOptions extends Omit<RoundFilter, 'since'> {
  readonly json?: true;
  readonly csv?: true;
  readonly export?: 'jsonl' | 'csv' | true;
  readonly data?: string;
  readonly profile?: string;
  /** A file for a card. */
  readonly card?: string;
  readonly cardTheme?: CardTheme;
  /** A date, YYYY-MM-DD, or days before today. */
  readonly since?: string | number;
}

/** Prints what the client's own record tells. */
export async function printStats(options: StatsCommandOptions): Promise<void> {
  const { out } = newProcessIo();
  const history = await readRoundHistory(findFolders(options.data, options.profile).data);
  const zone = readTimeZone();
  const filter = toFilter(options, zone);
  const format = options.csv ? 'csv' : options.export === true ? 'jsonl' : options.export;
  if (format !== undefined) {
    // Everything is given back, unless only a part is asked for.
    const source = options.csv ? 'own' : 'all';
    const records = filterRounds(history, { source, ...filter });
    out.write(format === 'csv' ? toRoundTable(records) : toRoundLines(records));
    return;
  }
  const report = toReport(history, zone, filter);
  checkFound(report, filter);
  if (options.card !== undefined) {
    await writeCard(report, options.card, options.cardTheme ?? 'auto');
    out.write(
      `${toVisible(options.card)} shows ${toCountText(report.runs, 'round')}. It was written here, and sent nowhere.\n`,
    );
    return;
  }
  const text = options.json ? toJson(report) : toReportLines(report).join('\n');
  out.write(`${toVisibleLines(text)}\n`);
}

/** Only what was given: an option that is undefined would hide a default. */
function toFilter(options: StatsCommandOptions, zone: string): RoundFilter {
  const { mode, language, layout, source, since } = options;
  const given = { mode, language, layout, source };
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(since === undefined ? {} : { since: toDayStart(toDate(since, zone), zone) }),
  };
}

function toDate(since: string | number, zone: string): string {
  return typeof since === 'string' ? since : toEarlierDate(new Date().toISOString(), since, zone);
}

/** A slip in a name must not look like a history without rounds. */
function checkFound({ runs, notCounted }: ProgressReport, filter: RoundFilter): void {
  if (runs + notCounted > 0 || Object.keys(filter).length === 0) return;
  const wish = Object.entries(filter).map(([name, value]) => `${name} ${toVisible(toShown(name, value))}`);
  throw new Error(`no rounds match ${wish.join(', ')}: "typebadge stats" names the kinds that there are.`);
}

/** The instant at which a day begins is written without its seconds. */
function toShown(name: string, value: string): string {
  return name === 'since' ? `${value.slice(0, 16).replace('T', ' ')} UTC` : value;
}

/** As one object; the rounds themselves are what `--export` is for. */
function toJson({ rounds: _, letters, bigrams, ...report }: ProgressReport): string {
  const sums = { letters: Object.fromEntries(letters), bigrams: Object.fromEntries(bigrams) };
  return JSON.stringify({ ...report, ...sums }, undefined, 2);
}
