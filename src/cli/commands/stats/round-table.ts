import { toVisible } from '../../../kit/visible-text.ts';
import type { RoundRecord } from '../../../tui/record/round-line.ts';
import { toCsvField } from '../../output/csv-field.ts';

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
export function toRoundTable(records: readonly RoundRecord[]): string {
  const rows = records.map((record) => columns.map((column) => toCsvField(record[column])).join(','));
  return `${[columns.join(','), ...rows].join('\r\n')}\r\n`;
}

/**
 * One line of JSON per round, with everything that is kept of it: `typebadge import` reads it back. Characters that would
 * control a terminal are written as JSON escapes, which mean the same.
 */
export function toRoundLines(records: readonly RoundRecord[]): string {
  return records.map((record) => `${toVisible(JSON.stringify(record))}\n`).join('');
}
