import { parseRoundLine, type RoundRecord } from '../../../tui/record/round-line.ts';
import { collectRounds, type FoundRounds, RoundProblem } from './found-rounds.ts';

/** Whether the first line of a text is one of ours: `stats --export` writes the lines of the record. */
export function isOwnExport(text: string): boolean {
  return parseRoundLine(text.slice(0, text.search(/[\r\n]|$/))) !== undefined;
}

/** Whether a text is our table for spreadsheets, which has no letters and rounded figures. */
export function isOwnTable(text: string): boolean {
  return /^(?:\ufeff)?finished,wpm,/.test(text);
}

export function readOwnExport(text: string): FoundRounds {
  const lines = text.split(/\r?\n/).map((line, at) => ({ line, number: at + 1 }));
  return collectRounds(
    'typebadge',
    lines.filter(({ line }) => line.trim() !== ''),
    ({ number }) => `line ${number}`,
    ({ line }) => toRecord(line),
  );
}

function toRecord(line: string): RoundRecord {
  const record = parseRoundLine(line);
  if (record === undefined) throw new RoundProblem('it is not a round of typebadge');
  return record;
}
