import { toVisible, toVisibleLines } from '../../../kit/visible-text.ts';
import type { Folders } from '../../../tui/record/folders.ts';
import { readOptions } from '../../../tui/record/options.ts';
import { nameOwnLayout, type RoundHistory, readRoundHistory } from '../../../tui/record/round-history.ts';
import { toCountText } from '../../../tui/text/figures/figures.ts';
import { toKindName } from '../../../tui/text/kind-lines.ts';
import { toReportLines } from '../../../tui/text/report-text.ts';
import { type ProgressReport, readTimeZone, toReport } from '../../../tui/trend/report.ts';
import { filterRounds, type RoundFilter } from '../../../tui/trend/round-filter.ts';
import { columnsOf, type TextOut } from '../../output/text-out.ts';
import { toFittingLines } from '../../output/text-width.ts';
import { type CommandIo, newProcessIo } from '../../program/command-io.ts';
import { findFolders } from '../../typist/profile-option.ts';
import { type AskedDays, toDayFilter } from './asked-days.ts';
import { namesUnknown, toNothingText } from './nothing-found.ts';
import { toReadHint } from './read-hint.ts';
import type { CardTheme } from './result-card.ts';
import { toRoundLines, toRoundTable } from './round-table.ts';
import { writeCard } from './write-card.ts';

export interface StatsCommandOptions extends Omit<RoundFilter, 'since' | 'before'>, AskedDays {
  readonly json?: true;
  readonly csv?: true;
  readonly export?: 'jsonl' | 'csv' | true;
  readonly data?: string;
  readonly profile?: string;
  /** A file for a card. */
  readonly card?: string;
  readonly cardTheme?: CardTheme;
}

/** Prints what the client's own record tells. */
export async function printStats(
  options: StatsCommandOptions,
  { out, err }: Pick<CommandIo, 'out' | 'err'> = newProcessIo(),
): Promise<void> {
  const folders = findFolders(options.data, options.profile);
  const { ownLayout } = await readOptions(folders.config);
  const history = nameOwnLayout(await readRoundHistory(folders.data), ownLayout);
  const zone = readTimeZone();
  const filter = await toFilter(options, history, zone);
  const format = options.csv ? 'csv' : options.export === true ? 'jsonl' : options.export;
  if (format !== undefined) {
    // Everything is given back, unless only a part is asked for.
    const records = filterRounds(history, { source: options.csv ? 'own' : 'all', ...filter });
    if (records.length === 0 && (await namesUnknown(filter, history)))
      throw new Error(await toNothingText(filter, history, zone));
    out.write(format === 'csv' ? toRoundTable(records) : toRoundLines(records));
    if (out.isTTY === true) err.write(`Note: To keep this in a file: ${toFileCommand(options, format)}\n`);
    return;
  }
  await printReport(history, filter, { folders, options, zone }, { out, err });
}

interface Question {
  readonly folders: Folders;
  readonly options: StatsCommandOptions;
  readonly zone: string;
}

/** As a card, as JSON, or as sentences. */
async function printReport(
  history: RoundHistory,
  filter: RoundFilter,
  { folders, options, zone }: Question,
  { out, err }: Pick<CommandIo, 'out' | 'err'>,
): Promise<void> {
  const report = toReport(history, zone, filter);
  const isEmpty = history.records.length === 0 && report.rounds.length === 0;
  const readHint = isEmpty ? toReadHint(folders, options) : '';
  // Without a filter the report says it, but a card has no room for what is left out.
  const isAsked = Object.keys(filter).length > 0 || (options.card !== undefined && report.imported > 0);
  const isNothing = report.runs + report.notCounted === 0 && isAsked;
  const nothing = isNothing ? await toNothingText(filter, history, zone, readHint) : '';
  // Nothing found is an answer, but a slip in a name must not look like a history without rounds.
  if (isNothing && (options.card !== undefined || (await namesUnknown(filter, history))))
    throw new Error(nothing);
  if (options.card !== undefined) {
    await writeCard(report, options.card, options.cardTheme ?? 'auto');
    printLines(
      out,
      `${toVisible(options.card)} shows ${toCardText(report)}. It was written here, and sent nowhere.`,
    );
    return;
  }
  if (options.json) {
    out.write(`${toVisibleLines(toJson(report))}\n`);
    if (isNothing) err.write(`Note: ${toVisible(nothing)}\n`);
    return;
  }
  if (isNothing) return printLines(out, toVisible(nothing));
  const lines = [...toReportLines(report), ...(readHint === '' ? [] : [readHint])];
  printLines(out, toVisibleLines(lines.join('\n')));
}

/** A terminal would break a long line inside a word; a file keeps it whole. */
function printLines(out: TextOut, text: string): void {
  out.write(`${out.isTTY === true ? toFittingLines(text, columnsOf(out)) : text}\n`);
}

function toFileCommand({ csv }: StatsCommandOptions, format: 'jsonl' | 'csv'): string {
  const option = csv ? '--csv' : format === 'csv' ? '--export csv' : '--export';
  return `typebadge stats ${option} > rounds.${format}`;
}

/** A card has the figures of one kind: what it is, and what is not on it. */
function toCardText({ runs, kind, kinds }: ProgressReport): string {
  const shown = `${toCountText(runs, 'round')}${kind === undefined ? '' : ` of ${toVisible(toKindName(kind))}`}`;
  const others = kinds.slice(1).reduce((sum, other) => sum + other.runs, 0);
  if (others === 0) return shown;
  return `${shown}; ${toCountText(others, 'round')} of other kinds ${others === 1 ? 'is' : 'are'} left out (--mode, --language and --layout choose a kind)`;
}

/** Only what was given: an option that is undefined would hide a default. */
async function toFilter(
  options: StatsCommandOptions,
  history: RoundHistory,
  zone: string,
): Promise<RoundFilter> {
  const { mode, source } = options;
  const language = options.language === undefined ? undefined : await findLanguage(options.language);
  const layout = options.layout === undefined ? undefined : await findLayout(options.layout, history);
  const given = { mode, language, layout, source };
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(await toDayFilter(options, zone)),
  };
}

async function findLanguage(given: string): Promise<string> {
  return (await import('../../typist/practice-names.ts')).toLanguageId(given);
}

/** What the typist calls a layout of their own comes before the names that everybody knows. */
async function findLayout(given: string, { records, imported }: RoundHistory): Promise<string> {
  const wanted = given.toLowerCase();
  const own = [...records, ...imported].find(({ layoutName }) => layoutName?.toLowerCase() === wanted);
  return own?.layoutName ?? (await import('../../typist/practice-names.ts')).toLayoutId(given);
}

/** As one object; the rounds themselves are what `--export` is for. */
function toJson({ rounds: _, letters, bigrams, ...report }: ProgressReport): string {
  const sums = { letters: Object.fromEntries(letters), bigrams: Object.fromEntries(bigrams) };
  return JSON.stringify({ ...report, ...sums }, undefined, 2);
}
