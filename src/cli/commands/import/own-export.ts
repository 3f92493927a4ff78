import { parseRoundLine, type RoundRecord } from '../../../tui/record/round-line.ts';
import {
  collectRounds,
  type FoundItem,
  type FoundRounds,
  type OnRead,
  RoundProblem,
} from './found-rounds.ts';
import { firstLine, readTextLines } from './text-lines.ts';

/** Whether the first line of a text is one of ours: `stats --export` writes the lines of the record. */
export function isOwnExport(text: string): boolean {
  return parseLine(firstLine(text)) !== undefined;
}

/** Whether a text is our table for spreadsheets, which has no letters and rounded figures. */
export function isOwnTable(text: string): boolean {
  return /^(?:\ufeff)?finished,wpm,/.test(text);
}

export function readOwnExport(text: string, onRead?: OnRead): FoundRounds {
  return collectRounds('typebadge', toItems(text), toRecord, onRead);
}

function* toItems(text: string): Generator<FoundItem<string>> {
  for (const { line, number, end } of readTextLines(text)) {
    if (line.trim() !== '') yield { value: line, place: `line ${number}`, end };
  }
}

/** Characters of the longest line that is parsed: many times a round of the longest text. */
const longestLine = 1024 * 1024;

function parseLine(line: string): RoundRecord | undefined {
  return line.length > longestLine ? undefined : parseRoundLine(line);
}

function toRecord(line: string): RoundRecord {
  const record = parseLine(line);
  if (record === undefined) throw new RoundProblem('it is not a round of typebadge');
  return record;
}
