import { toVisible, toVisibleLines } from '../../../kit/visible-text.ts';
import { readOptions } from '../../../tui/record/options.ts';
import { nameOwnLayout, type RoundHistory, readRoundHistory } from '../../../tui/record/round-history.ts';
import { toCountText } from '../../../tui/text/figures/figures.ts';
import { toKindName } from '../../../tui/text/kind-lines.ts';
import { toReportLines } from '../../../tui/text/report-text.ts';
import { toDate } from '../../../tui/trend/days.ts';
import { type ProgressReport, readTimeZone, toReport } from '../../../tui/trend/report.ts';
import { filterRounds, type RoundFilter } from '../../../tui/trend/round-filter.ts';
import { columnsOf, type TextOut } from '../../output/text-out.ts';
import { toFittingLines } from '../../output/text-width.ts';
import { type CommandIo, newProcessIo } from '../../program/command-io.ts';
import { findFolders } from '../../typist/profile-option.ts';
import { type AskedDays, toDayFilter, toDaysText } from './asked-days.ts';
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
    const source = options.csv ? 'own' : 'all';
    const records = filterRounds(history, { source, ...filter });
    out.write(format === 'csv' ? toRoundTable(records) : toRoundLines(records));
    if (out.isTTY === true) err.write(`Note: To keep this in a file: ${toFileCommand(options, format)}\n`);
    return;
  }
  const report = toReport(history, zone, filter);
  const isEmpty = history.records.length === 0 && report.rounds.length === 0;
  const readHint = isEmpty ? toReadHint(folders, options) : '';
  await checkFound(report, filter, history, zone, readHint);
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
    return;
  }
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

/** A slip in a name must not look like a history without rounds. */
async function checkFound(
  { runs, notCounted }: ProgressReport,
  filter: RoundFilter,
  history: RoundHistory,
  zone: string,
  readHint: string,
): Promise<void> {
  if (runs + notCounted > 0 || Object.keys(filter).length === 0) return;
  const { since: _since, before: _before, ...others } = filter;
  const wish = Object.entries(others).map(([name, value]) => `--${name} ${toVisible(String(value))}`);
  const which = wish.length === 0 ? '' : ` match ${wish.join(' ')}`;
  const { toSuggestion } = await import('../../typist/practice-names.ts');
  const guess = toSuggestion({ language: filter.language, layout: filter.layout });
  throw new Error(
    `No rounds${which}${toDaysText(filter, zone)}: ${toFoundHint(filter, history, zone)}.${guess}${readHint === '' ? '' : ` ${readHint}`}`,
  );
}

/** What there is instead. */
function toFoundHint(filter: RoundFilter, history: RoundHistory, zone: string): string {
  const { source = 'own' } = filter;
  const exported = Object.hasOwn(exportedFiles, source) ? exportedFiles[source] : undefined;
  if (exported !== undefined && !history.imported.some((record) => record.source === source)) {
    const { file, page } = exported;
    return `none were imported yet. Download ${file} on the ${page} page of ${source}, and "typebadge import ${file}" reads it`;
  }
  const longer = findLonger(filter, history);
  if (longer.length > 0) return `you have ${longer.join(' and ')}`;
  const elsewhen = toOtherDays(filter, history, zone);
  if (elsewhen !== undefined) return elsewhen;
  const isEmpty = filterRounds(history, { source: 'all' }).length === 0;
  return isEmpty
    ? 'there are none yet, and "typebadge play" makes the first'
    : '"typebadge stats" lists the kinds that you have';
}

/** The days on which there are such rounds; undefined where no day was asked for, or there are none. */
function toOtherDays(
  { since, before, ...others }: RoundFilter,
  history: RoundHistory,
  zone: string,
): string | undefined {
  if (since === undefined && before === undefined) return undefined;
  const rounds = filterRounds(history, others);
  const [first, last] = [rounds[0], rounds.at(-1)].map((round) => round && toDate(round.finished, zone));
  if (first === undefined || last === undefined) return undefined;
  return before === undefined || first === last
    ? `the latest is from ${last}`
    : `you have some from ${first} to ${last}`;
}

/** The file that each program exports its rounds as, and the page where it does. */
const exportedFiles: Readonly<Record<string, { readonly file: string; readonly page: string }>> = {
  monkeytype: { file: 'results.csv', page: 'account' },
  keybr: { file: 'typing-data.json', page: 'profile' },
};

/** The modes that begin with the one that was asked for, such as time-15 for "time". */
function findLonger({ mode, ...others }: RoundFilter, history: RoundHistory): string[] {
  if (mode === undefined) return [];
  const modes = new Set(filterRounds(history, others).map((record) => record.mode));
  return [...modes].filter((one) => one.startsWith(`${mode}-`)).sort();
}

/** As one object; the rounds themselves are what `--export` is for. */
function toJson({ rounds: _, letters, bigrams, ...report }: ProgressReport): string {
  const sums = { letters: Object.fromEntries(letters), bigrams: Object.fromEntries(bigrams) };
  return JSON.stringify({ ...report, ...sums }, undefined, 2);
}
