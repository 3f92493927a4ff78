import { fittingLines, plural } from '../../../kit/terminal-text.ts';
import { visibleLines, visibleText } from '../../../kit/visible-text.ts';
import { defaultDataFolder } from '../../../server/settings/config.ts';
import { readTimeZone } from '../../../tui/progress/days.ts';
import { kindName } from '../../../tui/progress/figures.ts';
import {
  filteredRounds,
  type ProgressReport,
  progressReport,
  type RoundFilter,
} from '../../../tui/progress/report.ts';
import { reportLines } from '../../../tui/progress/report-text.ts';
import { readProfileNames } from '../../../tui/record/folders.ts';
import type { CommandIo } from '../../program/command-io.ts';
import { columnsOf, type TextOut } from '../../program/paint.ts';
import { readTypistHistory, type TypistHistory } from '../../typist/local-rounds.ts';
import { findLanguageId, findLayoutId } from '../../typist/practice-names.ts';
import { dayFilter, hasUnknownName, noMatchText, type RequestedDays } from './nothing-found.ts';
import { writeCard } from './result-card.ts';
import { roundLines, roundTable } from './round-table.ts';

export interface StatsCommandOptions extends Omit<RoundFilter, 'since' | 'before'>, RequestedDays {
  readonly json?: true;
  readonly csv?: true;
  readonly export?: true;
  readonly data?: string;
  readonly profile?: string;
  /** A file for a card. */
  readonly card?: string;
}

type Io = Pick<CommandIo, 'out' | 'err'>;

/** Prints what the typist's own record tells. */
export async function printStats(options: StatsCommandOptions, io: Io): Promise<void> {
  const history = await readTypistHistory(options);
  for (const warning of history.warnings) io.err.write(`Note: ${visibleText(warning)}\n`);
  const timeZone = readTimeZone();
  const filter = filterOf(options, history, timeZone);
  if (options.csv || options.export) return exportRounds(history, filter, options, io);
  const report = progressReport(history, timeZone, filter);
  // Without a filter the report says it, but a card has no room for what is left out.
  const isAsked = Object.keys(filter).length > 0 || (options.card !== undefined && report.imported > 0);
  const isNothing = report.runs + report.notCounted === 0 && isAsked;
  const isEmpty = history.records.length === 0 && report.rounds.length === 0;
  const hint = isEmpty && (!isNothing || options.card === undefined) ? ` ${readHint(options)}` : '';
  const nothing = isNothing ? noMatchText(filter, history, timeZone) + hint : '';
  // Nothing found is an answer, but a slip in a name must not look like a history without rounds.
  if (isNothing && (options.card !== undefined || hasUnknownName(filter, history))) throw new Error(nothing);
  if (options.card !== undefined) {
    await writeCard(report, options.card);
    const shown = `${visibleText(options.card)} shows ${cardText(report)}`;
    return printLines(io.out, `${shown}. It was written here, and sent nowhere.`);
  }
  if (options.json) {
    io.out.write(`${visibleLines(reportJson(report))}\n`);
    if (isNothing) io.err.write(`Note: ${visibleText(nothing)}\n`);
  } else if (isNothing) printLines(io.out, visibleText(nothing));
  else {
    const lines = [...reportLines(report), ...(isEmpty ? [readHint(options)] : [])];
    printLines(io.out, visibleLines(lines.join('\n')));
  }
}

/** Everything is given back, unless only a part is asked for. */
function exportRounds(
  history: TypistHistory,
  filter: RoundFilter,
  { csv }: StatsCommandOptions,
  { out, err }: Io,
): void {
  const records = filteredRounds(history, { source: csv ? 'own' : 'all', ...filter });
  if (records.length === 0 && hasUnknownName(filter, history))
    throw new Error(noMatchText(filter, history, readTimeZone()));
  out.write(csv ? roundTable(records) : roundLines(records, history.roundOf));
  if (out.isTTY !== true) return;
  const how = csv ? '--csv > rounds.csv' : '--export > rounds.jsonl';
  err.write(`Note: To keep this in a file: typebadge stats ${how}\n`);
}

/** For a record without rounds: which folder was read, and how to name the one that was meant. */
function readHint({ data }: StatsCommandOptions): string {
  const profiles = readProfileNames(data);
  const known = profiles.length === 0 ? '' : ` (there are: ${profiles.join(', ')})`;
  const folder = visibleText(data ?? defaultDataFolder());
  return `Rounds were looked for in ${folder}: --data names another folder, --profile a profile${known}.`;
}

/** A terminal would break a long line inside a word; a file keeps it whole. */
function printLines(out: TextOut, text: string): void {
  out.write(`${out.isTTY === true ? fittingLines(text, columnsOf(out)) : text}\n`);
}

/** A card has the figures of one kind: what it is, and what is not on it. */
function cardText({ runs, kind, kinds }: ProgressReport): string {
  const shown = `${plural(runs, 'round')}${kind === undefined ? '' : ` of ${visibleText(kindName(kind))}`}`;
  const others = kinds.slice(1).reduce((sum, other) => sum + other.runs, 0);
  if (others === 0) return shown;
  return `${shown}; ${plural(others, 'round')} of other kinds ${others === 1 ? 'is' : 'are'} left out (--mode, --language and --layout choose a kind)`;
}

/** Only what was given: an option that is undefined would hide a default. */
function filterOf(options: StatsCommandOptions, history: TypistHistory, zone: string): RoundFilter {
  const { mode, source, language, layout } = options;
  const given = {
    mode,
    language: language === undefined ? undefined : findLanguageId(language),
    layout: layout === undefined ? undefined : findLayout(layout, history),
    source,
  };
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...dayFilter(options, zone),
  };
}

/** What the typist calls a custom layout comes before the names that everybody knows. */
function findLayout(given: string, { records, imported }: TypistHistory): string {
  const wanted = given.toLowerCase();
  const own = [...records, ...imported].find(({ layoutName }) => layoutName?.toLowerCase() === wanted);
  return own?.layoutName ?? findLayoutId(given);
}

/** As one object; the rounds themselves are what `--export` is for. */
function reportJson({ rounds: _, letters, bigrams, ...report }: ProgressReport): string {
  const sums = { letters: Object.fromEntries(letters), bigrams: Object.fromEntries(bigrams) };
  return JSON.stringify({ ...report, ...sums }, undefined, 2);
}
