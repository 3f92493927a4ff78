import { parseJournalLine, toJournalLine } from './journal-line.ts';
import type { JournalRound } from './journal-round.ts';

/** A finished round that is not saved yet, as its journal line: that takes a tenth of the memory of its keys. */
export interface UnsavedRound {
  readonly id: string;
  readonly line: string;
}

export function toUnsavedRound(round: JournalRound): UnsavedRound {
  return { id: round.id, line: toJournalLine(round) };
}

/** The rounds themselves, without unreadable ones. */
export function parseUnsaved(unsaved: readonly UnsavedRound[]): JournalRound[] {
  return unsaved.flatMap(({ line }) => parseJournalLine(line) ?? []);
}
