import type { RoundRecord } from '../../../tui/record/round-line.ts';

/** What a file to import holds. */
export interface FoundRounds {
  /** The program that it comes from, as people call it. */
  readonly program: string;
  /** In the order of the file. */
  readonly records: readonly RoundRecord[];
  /** What could not be taken, and why. */
  readonly problems: readonly Problem[];
}

interface Problem {
  /** Such as "line 12" or "lesson 3". */
  readonly place: string;
  /** A part of a sentence. */
  readonly reason: string;
}

/** Thrown for one round that makes no sense; the others are taken. */
export class RoundProblem extends Error {}

/** Takes each item, and notes those that make no sense. */
export function collectRounds<Item>(
  program: string,
  items: readonly Item[],
  toPlace: (item: Item, at: number) => string,
  toRecord: (item: Item) => RoundRecord,
): FoundRounds {
  const records: RoundRecord[] = [];
  const problems: Problem[] = [];
  for (const [at, item] of items.entries()) {
    try {
      records.push(toRecord(item));
    } catch (error) {
      if (!(error instanceof RoundProblem)) throw error;
      problems.push({ place: toPlace(item, at), reason: error.message });
    }
  }
  return { program, records, problems };
}
