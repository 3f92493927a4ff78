import type { JournalRound } from '../../../journal-round.ts';
import { readBack } from './journal-pages.ts';
import { createJournalReader, type JournalReader, type JournalReaderOptions } from './journal-reader.ts';
import { createJournalWriter, type JournalWriter } from './journal-writer.ts';

/**
 * All finished rounds of a player, one line of JSON each, in a file that is only ever appended to.
 *
 * Several servers may append at once: each write is one system call with O_APPEND, and counts as failed unless it is complete.
 * Every line starts with a line break, so that a torn line before it (kill -9, a full disk) cannot swallow it; empty lines are
 * ignored. A round that is there twice counts once.
 */
export interface RoundJournal extends JournalReader, JournalWriter {
  /**
   * At most `limit` rounds before this one in the file, newest first; without it, the last ones. Fewer if they are large.
   * Undefined if there is no such round.
   */
  readBack(before: string | undefined, limit: number): Promise<readonly JournalRound[] | undefined>;
}

/** Does not access the file until it is read or appended to. */
export function createRoundJournal(options: JournalReaderOptions): RoundJournal {
  const { path } = options;
  const reader = createJournalReader(options);
  return {
    ...reader,
    ...createJournalWriter(path),
    readBack: (before, limit) => readBack(path, reader, before, limit),
  };
}

/** The rounds that are not in the journal. */
export async function notIn<T extends { readonly id: string }>(
  journal: RoundJournal,
  rounds: readonly T[],
): Promise<T[]> {
  const known = await journal.placesOf(rounds.map(({ id }) => id));
  return rounds.filter(({ id }) => !known.has(id));
}
