import type { RoundRecord } from '../../../tui/record/round-line.ts';
import { RefusedError } from '../../program/command-errors.ts';

/** What a file to import holds. */
export interface FoundRounds {
  /** The program that it comes from, as people call it. */
  readonly program: string;
  /** In the order of the file. */
  readonly records: readonly RoundRecord[];
  /** What could not be taken, and why: the first of them. */
  readonly problems: readonly Problem[];
  /** How many could not be taken. */
  readonly skipped: number;
}

interface Problem {
  /** Such as "line 12" or "lesson 3". */
  readonly place: string;
  /** A part of a sentence. */
  readonly reason: string;
}

/** Something in a file that should be a round. */
export interface FoundItem<Value> {
  readonly value: Value;
  /** Such as "line 12" or "lesson 3". */
  readonly place: string;
  /** Where in the text it ends. */
  readonly end: number;
}

/** Called with how many characters have been read. */
export type OnRead = (end: number) => void;

/** Thrown for one round that makes no sense; the others are taken. */
export class RoundProblem extends Error {}

/** Rounds and others together, so that a file of rubbish ends as soon as one of rounds. */
const mostItems = 200_000;
/** More reasons would help nobody. */
const mostProblems = 1_000;

/** Takes each item, and notes those that make no sense. Rejects a file with too many as soon as they are reached. */
export function collectRounds<Value>(
  program: string,
  items: Iterable<FoundItem<Value>>,
  toRecord: (value: Value) => RoundRecord,
  onRead: OnRead = () => undefined,
): FoundRounds {
  const records: RoundRecord[] = [];
  const problems: Problem[] = [];
  let skipped = 0;
  for (const { value, place, end } of items) {
    if (records.length + skipped === mostItems) throw new RefusedError(tooMany);
    onRead(end);
    try {
      records.push(toRecord(value));
    } catch (error) {
      if (!(error instanceof RoundProblem)) throw error;
      skipped += 1;
      if (problems.length < mostProblems) problems.push({ place, reason: error.message });
    }
  }
  return { program, records, problems, skipped };
}

const tooMany = `the file holds more than ${mostItems} rounds, and at most ${mostItems} are imported from one file: split it, and import its parts one after another`;
