import { visibleText } from '../../../kit/visible-text.ts';
import { roundLine } from '../../../server/stores/stored-round.ts';
import type { RoundRecord } from '../../../tui/progress/round-record.ts';
import type { TypistHistory } from '../../typist/local-rounds.ts';

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
export function roundLines(records: readonly RoundRecord[], roundOf: TypistHistory['roundOf']): string {
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
