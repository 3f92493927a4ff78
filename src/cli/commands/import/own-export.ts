import { parseRoundLine } from '../../../server/stores/stored-round.ts';
import { parseRoundRecord } from '../../../tui/progress/round-record.ts';
import { type FoundRound, type FoundRounds, foundRounds, RoundProblem } from './found-rounds.ts';

/** Whether the first line of a text is one that `stats --export` writes. */
export function isOwnExport(text: string): boolean {
  return parseLine(text.slice(0, text.search(/[\r\n]|$/))) !== undefined;
}

/** Whether a text is our table for spreadsheets. */
export function isOwnTable(text: string): boolean {
  return /^finished,wpm,/.test(text);
}

export function readOwnExport(text: string): FoundRounds {
  const items = text
    .split(/\r?\n/)
    .map((item, at) => ({ item, place: `line ${at + 1}` }))
    .filter(({ item }) => item.trim() !== '');
  return foundRounds('typebadge', items, (line) => {
    const found = parseLine(line);
    if (found === undefined) throw new RoundProblem('it is not a round of typebadge');
    return found;
  });
}

/** A line has a round of this program whole, or the figures of one of another program. */
function parseLine(line: string): FoundRound | undefined {
  const record = parseRoundRecord(line);
  if (record === undefined || record.source !== undefined) return record && { record };
  const { round } = JSON.parse(line) as { readonly round?: unknown };
  const parsed = parseRoundLine(JSON.stringify(round ?? null));
  return parsed && { record, round: parsed };
}
