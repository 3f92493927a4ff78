import { Temporal } from 'temporal-polyfill';
import { fittingLines, plural } from '../../../kit/terminal-text.ts';
import { visibleLines, visibleText } from '../../../kit/visible-text.ts';
import { dateOf, readTimeZone } from '../../../tui/progress/days.ts';
import { kindName } from '../../../tui/progress/figures.ts';
import {
  filteredRounds,
  type ProgressReport,
  progressReport,
  type RoundFilter,
} from '../../../tui/progress/report.ts';
import { reportLines } from '../../../tui/progress/report-text.ts';
import type { RoundRecord } from '../../../tui/progress/round-record.ts';
import { modeNamePattern, modeNames } from '../../../typing/modes/mode.ts';
import { type CommandIo, UsageError } from '../../program/command-io.ts';
import { columnsOf, type TextOut } from '../../program/paint.ts';
import { readTypistHistory } from '../../typist/local-rounds.ts';
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
export async function printStats(options: StatsCommandOptions, { out, err }: Io): Promise<void> {
  const history = await readTypistHistory(options);
  for (const warning of history.warnings) err.write(`Note: ${visibleText(warning)}\n`);
  const timeZone = readTimeZone();
  const filter = filterOf(options, timeZone, [...history.records, ...history.imported]);
  if (options.csv || options.export) {
    // Everything is exported, imported rounds too, unless a filter selects a part.
    const records = filteredRounds(history, { source: options.csv ? 'own' : 'all', ...filter });
    out.write(options.csv ? roundTable(records) : roundLines(records, history.roundOf));
    return;
  }
  const report = progressReport(history, timeZone, filter);
  const { runs, notCounted, kind } = report;
  const isFiltered = Object.keys(filter).length > 0 || options.card !== undefined;
  const nothing = runs + notCounted === 0 && isFiltered ? noMatchText(options) : undefined;
  if (options.card !== undefined) {
    if (nothing !== undefined) throw new Error(nothing);
    await writeCard(report, options.card);
    const shown = `${plural(runs, 'round')}${kind === undefined ? '' : ` of ${visibleText(kindName(kind))}`}`;
    const place = visibleText(options.card);
    printLines(out, `${place} shows ${shown}. It was written here, and sent nowhere.`);
  } else if (options.json) {
    out.write(`${visibleLines(reportJson(report))}\n`);
    if (nothing !== undefined) err.write(`Note: ${nothing}\n`);
  } else {
    const lines = nothing === undefined ? reportLines(report) : [nothing];
    printLines(out, visibleLines(lines.join('\n')));
  }
}

/** Says that no round matches the filter. */
function noMatchText({ mode, language, layout, source, since, until }: StatsCommandOptions): string {
  const given = Object.entries({ mode, language, layout, source, since, until })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` --${name} ${visibleText(String(value))}`);
  const which = given.length === 0 ? 'There are no rounds of yours yet' : `No rounds match${given.join('')}`;
  return `${which}. "typebadge stats --source all" lists the kinds that you have, imported ones too.`;
}

/** A terminal would break a long line inside a word; a file keeps it whole. */
function printLines(out: TextOut, text: string): void {
  out.write(`${out.isTTY === true ? fittingLines(text, columnsOf(out)) : text}\n`);
}

/** Only what was given: an option that is undefined would hide a default. Both days are included. */
function filterOf(options: StatsCommandOptions, zone: string, rounds: readonly RoundRecord[]): RoundFilter {
  const { mode, source, language, layout, since, until } = options;
  if (mode !== undefined && !modeNamePattern.test(mode) && !rounds.some((round) => round.mode === mode))
    throw new UsageError(`no mode is called "${visibleText(mode)}": choose ${modeNames.join(', ')}.`);
  const first = since === undefined ? undefined : parseDay('--since', since, zone);
  const last = until === undefined ? undefined : parseDay('--until', until, zone);
  if (first !== undefined && last !== undefined && last < first)
    throw new UsageError(`--until ${last} is before --since ${first}.`);
  const namesOf = (kind: 'language' | 'layout') => rounds.map((round) => round[kind]);
  const given = {
    mode: mode === 'all' ? undefined : mode,
    language: language && findId('language', language, namesOf('language')),
    layout: layout && findId('layout', layout, namesOf('layout')),
    source,
    since: first && startOfDay(first, zone),
    before: last && startOfDay(last, zone, 1),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
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
