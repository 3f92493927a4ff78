import { Temporal } from 'temporal-polyfill';
import { plural } from '../../../kit/terminal-text.ts';
import { visibleText } from '../../../kit/visible-text.ts';
import { dateOf, spanOfDay } from '../../../tui/progress/days.ts';
import { filteredRounds, type RoundFilter, type RoundHistory } from '../../../tui/progress/report.ts';
import { modeNamePattern } from '../../../typing/modes/mode.ts';
import { UsageError } from '../../program/command-io.ts';
import { isOffered, suggestion } from '../../typist/practice-names.ts';

/** That a filter lets no round through, what there is instead, and which names may have been meant. */
export function noMatchText(filter: RoundFilter, history: RoundHistory, zone: string): string {
  const { since, before, ...others } = filter;
  const given = Object.entries(others).map(([name, value]) => `--${name} ${visibleText(String(value))}`);
  const which = given.length > 0 ? ` match ${given.join(' ')}` : since || before ? '' : ' typed here';
  const guess = suggestion({ language: filter.language, layout: filter.layout });
  return `No rounds${which}${daysText(filter, zone)}: ${foundInstead(filter, history, zone)}.${guess}`;
}

/** Whether a filter names a mode, a language or a layout that neither `play` offers nor any round has. */
export function hasUnknownName(
  { mode, language, layout }: RoundFilter,
  { records, imported }: RoundHistory,
): boolean {
  const all = [...records, ...imported];
  const isNew = (name: string | undefined, key: 'mode' | 'language' | 'layout') =>
    name !== undefined &&
    !all.some((record) => record[key] === name || (key === 'layout' && record.layoutName === name));
  const isUsual = mode !== 'all' && modeNamePattern.test(mode ?? 'text');
  const code = /^code-(.+)/.exec(mode ?? '')?.[1];
  return (
    (isNew(mode, 'mode') && (!isUsual || !isOffered({ code }))) ||
    (isNew(language, 'language') && !isOffered({ language })) ||
    (isNew(layout, 'layout') && !isOffered({ layout }))
  );
}

/** The file that each program exports its rounds as, and the page where it does. */
const exportedFiles: Readonly<Record<string, { readonly file: string; readonly page: string }>> = {
  monkeytype: { file: 'results.csv', page: 'account' },
  keybr: { file: 'typing-data.json', page: 'profile' },
};

function foundInstead(filter: RoundFilter, history: RoundHistory, zone: string): string {
  const { source = 'own', since: _since, before: _before, ...kind } = filter;
  const exported = exportedFiles[source];
  if (exported !== undefined && !history.imported.some((record) => record.source === source)) {
    const { file, page } = exported;
    return `none were imported yet. Download ${file} on the ${page} page of ${source}, and "typebadge import ${file}" reads it`;
  }
  const foreign = filteredRounds(history, { ...filter, source: 'all' });
  if (source === 'own' && foreign.length > 0) {
    const match = foreign.length === 1 ? 'matches' : 'match';
    return `${plural(foreign.length, 'round')} imported from other programs ${match} with --source all`;
  }
  const last = filteredRounds(history, { ...kind, source }).at(-1);
  if (last !== undefined) return `the latest is from ${dateOf(last.finished, zone)}`;
  return history.records.length + history.imported.length === 0
    ? 'there are none yet, and "typebadge play" makes the first'
    : '"typebadge stats" lists the kinds that you have';
}

/** The days that were asked for as they were written, both included; a missing one is open. */
export interface RequestedDays {
  readonly since?: string;
  readonly until?: string;
}

/** The instants between which these days are. */
export function dayFilter(
  { since, until }: RequestedDays,
  zone: string,
  now = new Date().toISOString(),
): Pick<RoundFilter, 'since' | 'before'> {
  const first = since === undefined ? undefined : parseDay('--since', since, zone, now);
  const last = until === undefined ? undefined : parseDay('--until', until, zone, now);
  if (first !== undefined && last !== undefined && last < first)
    throw new UsageError(`--until ${last} is before --since ${first}.`);
  return {
    ...(first !== undefined && { since: spanOfDay(first, zone).since }),
    ...(last !== undefined && { before: spanOfDay(last, zone).before }),
  };
}

const spanPattern = /^-?(?:last )?(\d{1,4}) ?(d|w|m|y|days?|weeks?|months?|years?)(?: ago)?$/;
const units = { d: 'days', w: 'weeks', m: 'months', y: 'years' } as const;

/** A day as YYYY-MM-DD. The forms are those of the error. */
function parseDay(option: string, text: string, zone: string, now: string): string {
  const written = text.trim().toLowerCase();
  if (written === 'today') return dateOf(now, zone);
  if (written === 'yesterday') return dateOf(now, zone, 1);
  const [, count, unit] = spanPattern.exec(written) ?? [];
  if (unit !== undefined) {
    const span = { [units[unit[0] as keyof typeof units]]: Number(count) };
    return Temporal.PlainDate.from(dateOf(now, zone)).subtract(span).toString();
  }
  const [, year, month, day] = /^(\d{4})[-/](\d\d?)[-/](\d\d?)$/.exec(written) ?? [];
  const date = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  try {
    return Temporal.PlainDate.from(date, { overflow: 'reject' }).toString();
  } catch {
    throw new UsageError(`${option}: "${text}" is not a day: write 2026-01-31, today, yesterday, 7d or 2w.`);
  }
}

/** Such as ` since 2026-01-31`; empty if all days were asked for. */
function daysText({ since, before }: RoundFilter, zone: string): string {
  const first = since === undefined ? undefined : dateOf(since, zone);
  const last =
    before === undefined ? undefined : dateOf(new Date(Date.parse(before) - 1).toISOString(), zone);
  if (first === undefined) return last === undefined ? '' : ` until ${last}`;
  if (last === undefined) return ` since ${first}`;
  return first === last ? ` on ${first}` : ` from ${first} to ${last}`;
}
