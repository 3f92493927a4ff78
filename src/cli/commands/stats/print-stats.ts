import { Temporal } from 'temporal-polyfill';
import { fittingLines, plural } from '../../../kit/terminal-text.ts';
import { visibleLines, visibleText } from '../../../kit/visible-text.ts';
import { defaultDataFolder } from '../../../server/settings/config.ts';
import { readLanguages } from '../../../server/stores/languages.ts';
import { readLayouts } from '../../../server/typing/library.ts';
import { dateOf, readTimeZone } from '../../../tui/progress/days.ts';
import { kindName } from '../../../tui/progress/figures.ts';
import {
  filteredRounds,
  type ProgressReport,
  progressReport,
  type RoundFilter,
  type RoundHistory,
} from '../../../tui/progress/report.ts';
import { reportLines } from '../../../tui/progress/report-text.ts';
import { readProfileNames } from '../../../tui/record/folders.ts';
import { modeNamePattern } from '../../../typing/modes/mode.ts';
import { type CommandIo, UsageError } from '../../program/command-io.ts';
import { columnsOf, type TextOut } from '../../program/paint.ts';
import { readTypistHistory, type TypistHistory } from '../../typist/local-rounds.ts';
import { findId } from '../../typist/practice-names.ts';
import { writeCard } from './result-card.ts';
import { roundLines, roundTable } from './round-table.ts';

export interface StatsCommandOptions extends Omit<RoundFilter, 'since' | 'before'> {
  /** The first and the last day, as they were written. */
  readonly since?: string;
  readonly until?: string;
  readonly json?: true;
  readonly csv?: true;
  readonly export?: true;
  readonly data?: string;
  readonly profile?: string;
  /** A file for a card. */
  readonly card?: string;
}

type Io = Pick<CommandIo, 'out' | 'err'>;

/** Prints the typist's statistics. */
export async function printStats(options: StatsCommandOptions, io: Io): Promise<void> {
  const history = await readTypistHistory(options);
  for (const warning of history.warnings) io.err.write(`Note: ${visibleText(warning)}\n`);
  const timeZone = readTimeZone();
  const filter = filterOf(options, timeZone);
  const nothing = noMatchText(options);
  const isTypo = hasUnknownName(filter, history);
  if (options.csv || options.export) return exportRounds(history, filter, options, io, isTypo ? nothing : '');
  const report = progressReport(history, timeZone, filter);
  const isFiltered = Object.keys(filter).length > 0 || options.card !== undefined;
  const isNothing = report.runs + report.notCounted === 0 && isFiltered;
  const isEmpty = history.records.length === 0 && report.rounds.length === 0;
  // Nothing found is an answer, but a typo in a name must not look like a history without rounds.
  if (isNothing && (isTypo || options.card !== undefined)) throw new Error(nothing);
  if (options.card !== undefined) {
    await writeCard(report, options.card);
    const shown = `${visibleText(options.card)} shows ${cardText(report)}`;
    return printLines(io.out, `${shown}. It was written here, and sent nowhere.`);
  }
  if (options.json) {
    io.out.write(`${visibleLines(reportJson(report))}\n`);
    if (isNothing) io.err.write(`Note: ${nothing}\n`);
    return;
  }
  const lines = isNothing ? [nothing] : reportLines(report);
  printLines(io.out, visibleLines([...lines, ...(isEmpty ? [readHint(options)] : [])].join('\n')));
}

/** Says that no round matches the filter. */
function noMatchText({ mode, language, layout, source, since, until }: StatsCommandOptions): string {
  const given = Object.entries({ mode, language, layout, source, since, until })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` --${name} ${visibleText(String(value))}`);
  const which = given.length === 0 ? 'There are no rounds of yours yet' : `No rounds match${given.join('')}`;
  return `${which}. "typebadge stats --source all" lists the kinds that you have, imported ones too.`;
}

/** Whether a filter has a name that neither `play` offers nor any round has. */
function hasUnknownName(filter: RoundFilter, { records, imported }: RoundHistory): boolean {
  const { mode = 'all', language = 'en', layout = 'qwerty' } = filter;
  const isIn = (name: string) =>
    [...records, ...imported].some((record) => [record.mode, record.language, record.layout].includes(name));
  return (
    (!modeNamePattern.test(mode) && !isIn(mode)) ||
    (!readLanguages().has(language) && !isIn(language)) ||
    (!readLayouts().some(({ id }) => id === layout) && !isIn(layout))
  );
}

/** Exports everything, imported rounds too, unless a filter selects a part. */
function exportRounds(
  history: TypistHistory,
  filter: RoundFilter,
  { csv }: StatsCommandOptions,
  { out }: Io,
  typo: string,
): void {
  const records = filteredRounds(history, { source: csv ? 'own' : 'all', ...filter });
  if (records.length === 0 && typo !== '') throw new Error(typo);
  out.write(csv ? roundTable(records) : roundLines(records, history.roundOf));
}

/** For a history without rounds: which folder was read, and how to name another one. */
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

function cardText({ runs, kind }: ProgressReport): string {
  return `${plural(runs, 'round')}${kind === undefined ? '' : ` of ${visibleText(kindName(kind))}`}`;
}

/** Only what was given: an option that is undefined would hide a default. */
function filterOf(options: StatsCommandOptions, zone: string): RoundFilter {
  const { mode, source, language, layout } = options;
  const given = {
    mode,
    language: language === undefined ? undefined : findId('language', language),
    layout: layout === undefined ? undefined : findId('layout', layout),
    source,
  };
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...dayFilter(options, zone),
  };
}

/** The instants between which these days are, both included. */
function dayFilter(
  { since, until }: StatsCommandOptions,
  zone: string,
): Pick<RoundFilter, 'since' | 'before'> {
  const first = since === undefined ? undefined : parseDay('--since', since, zone);
  const last = until === undefined ? undefined : parseDay('--until', until, zone);
  if (first !== undefined && last !== undefined && last < first)
    throw new UsageError(`--until ${last} is before --since ${first}.`);
  return {
    ...(first !== undefined && { since: startOfDay(first, zone) }),
    ...(last !== undefined && { before: startOfDay(last, zone, 1) }),
  };
}

/** The instant at which a date, or one some days later, begins. */
function startOfDay(date: string, zone: string, later = 0): string {
  const day = Temporal.PlainDate.from(date).add({ days: later });
  return new Date(day.toZonedDateTime(zone).epochMilliseconds).toISOString();
}

/** A day as YYYY-MM-DD. */
function parseDay(option: string, text: string, zone: string): string {
  const today = dateOf(new Date().toISOString(), zone);
  const [, count, unit] = /^(\d{1,4})([dw])$/.exec(text) ?? [];
  const ago = { today: 0, yesterday: 1 }[text] ?? Number(count) * (unit === 'w' ? 7 : 1);
  try {
    const date = Number.isNaN(ago) ? text : Temporal.PlainDate.from(today).subtract({ days: ago });
    return Temporal.PlainDate.from(date).toString();
  } catch {
    throw new UsageError(`${option}: "${text}" is not a day: write 2026-01-31, today, yesterday, 7d or 2w.`);
  }
}

/** The report as one object, without the rounds themselves, which `--export` prints. */
function reportJson({ rounds: _, letters, bigrams, ...report }: ProgressReport): string {
  const sums = { letters: Object.fromEntries(letters), bigrams: Object.fromEntries(bigrams) };
  return JSON.stringify({ ...report, ...sums }, undefined, 2);
}
