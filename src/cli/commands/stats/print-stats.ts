import { Temporal } from 'temporal-polyfill';
import { plural } from '../../../kit/terminal-text.ts';
import { visibleLines, visibleText } from '../../../kit/visible-text.ts';
import { roundLine } from '../../../server/stores/stored-round.ts';
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
import { printLines } from '../../program/report.ts';
import { readTypistHistory, type TypistHistory } from '../../typist/local-rounds.ts';
import { findId } from '../../typist/practice-names.ts';
import { writeCard } from './result-card.ts';

interface StatsOptions extends Omit<RoundFilter, 'since' | 'before'> {
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

/** Prints the typist's statistics. */
export async function printStats(
  options: StatsOptions,
  { out, err }: Pick<CommandIo, 'out' | 'err'>,
): Promise<void> {
  const history = await readTypistHistory(options);
  for (const warning of history.warnings) err.write(`Note: ${visibleText(warning)}\n`);
  const timeZone = readTimeZone();
  const filter = filterOf(options, timeZone, [...history.records, ...history.imported]);
  if (options.csv || options.export) {
    // Everything is exported, imported rounds too, unless a filter selects a part.
    const records = filteredRounds(history, { source: options.csv ? 'own' : 'all', ...filter });
    if (records.length === 0) err.write('Note: there are no such rounds, so nothing is exported.\n');
    out.write(options.csv ? roundTable(records) : roundLines(records, history.roundOf));
    return;
  }
  const report = progressReport(history, timeZone, filter);
  const { runs, notCounted, kind } = report;
  const isFiltered = Object.keys(filter).length > 0 || options.card !== undefined;
  const which = Object.keys(filter).length > 0 ? 'No rounds match' : 'There are no rounds of yours yet';
  const nothing =
    runs + notCounted === 0 && isFiltered
      ? `${which}. "typebadge stats --source all" lists the kinds that you have, imported ones too.`
      : undefined;
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

/** Only what was given: an option that is undefined would hide a default. Both days are included. */
function filterOf(options: StatsOptions, zone: string, rounds: readonly RoundRecord[]): RoundFilter {
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

/** Columns are added at the end only: scripts count them. */
const columns = [
  'finished',
  'wpm',
  'accuracy',
  'seconds',
  'correct',
  'total',
  'punctuation',
  'unmeasured',
  'omitted',
  'counts',
  'standardWpm',
  'mode',
  'language',
  'layout',
  'rawWpm',
  'consistency',
  'correctedErrorRate',
  'uncorrectedErrorRate',
  'source',
] as const satisfies readonly (keyof RoundRecord)[];

/** One line per round, for a spreadsheet (RFC 4180). */
export function roundTable(records: readonly RoundRecord[]): string {
  const rows = records.map((record) => columns.map((column) => csvField(record[column])).join(','));
  return `${[columns.join(','), ...rows].join('\r\n')}\r\n`;
}

/**
 * One line of JSON per round: its figures, and of rounds typed here the round itself as the store has it, so
 * that `typebadge import` loses nothing. Characters that would control a terminal are written as JSON
 * escapes, which mean the same.
 */
function roundLines(records: readonly RoundRecord[], roundOf: TypistHistory['roundOf']): string {
  return records
    .map((record) => {
      const round = roundOf.get(record);
      const whole = round === undefined ? {} : { round: JSON.parse(roundLine(round)) };
      return `${visibleText(JSON.stringify({ ...record, ...whole }))}\n`;
    })
    .join('');
}

/** A value in a table for spreadsheets (RFC 4180). Two decimals are more than anybody can distinguish. */
function csvField(value: string | number | boolean | null | undefined): string {
  if (typeof value === 'number') return String(Math.round(value * 100) / 100);
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value);
  // A spreadsheet would run such a text as a formula (OWASP, CSV injection).
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
