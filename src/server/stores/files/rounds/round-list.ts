import { inSlices, type Steps } from '../../../../kit/slices.ts';
import type { JournalRound } from '../../journal-round.ts';
import type { PageRequest, RoundPage } from '../../ports.ts';
import { parseUnsaved, type UnsavedRound } from '../../unsaved-rounds.ts';
import { notIn, type RoundJournal } from './journal/round-journal.ts';

/** A page of a player's rounds: first those that are not in the journal yet, newest first, then the others. See `Rounds.list`. */
export async function listRounds(
  journal: RoundJournal,
  unsaved: readonly UnsavedRound[],
  { limit, after }: PageRequest,
): Promise<RoundPage | undefined> {
  const waiting = (await notIn(journal, unsaved)).reverse().sort(byCompletion);
  const start = waiting.findIndex(({ id }) => id === after) + 1;
  const first = after === undefined || start > 0 ? waiting.slice(start, start + limit) : [];
  const before = start > 0 ? undefined : after;
  const kept = first.length < limit ? await journal.readBack(before, limit - first.length) : [];
  if (kept === undefined) return undefined;
  const rounds = [...(await inSlices(parseSteps(first))), ...kept];
  const last = [...first, ...kept].at(-1)?.id;
  const isEnd = last === undefined || (await hasNothingBefore(last, waiting, journal));
  return isEnd ? { rounds } : { rounds, next: last };
}

async function hasNothingBefore(
  id: string,
  waiting: readonly UnsavedRound[],
  journal: RoundJournal,
): Promise<boolean> {
  if (waiting.some((round) => round.id === id)) {
    return waiting.at(-1)?.id === id && journal.view().history.rounds === 0;
  }
  return (await journal.readBack(id, 1))?.length === 0;
}

/** Newest first; ISO 8601 texts of the same zone compare like their instants. */
function byCompletion(a: UnsavedRound, b: UnsavedRound): number {
  const [first, second] = [completionOf(a), completionOf(b)];
  if (first === second) return 0;
  return first < second ? 1 : -1;
}

/** Without parsing the line, which takes milliseconds if it has thousands of keys. No field before this one can contain quotes. */
function completionOf({ line }: UnsavedRound): string {
  return /"completed_at":"([^"]*)"/.exec(line)?.[1] ?? '';
}

/** In slices, because sessions may hold megabytes of rounds. */
function* parseSteps(unsaved: readonly UnsavedRound[]): Steps<JournalRound[]> {
  const rounds: JournalRound[] = [];
  for (const round of unsaved) {
    rounds.push(...parseUnsaved([round]));
    yield;
  }
  return rounds;
}
