import type { JournalRound } from '../../journal-round.ts';
import { readBack } from './journal-pages.ts';
import { createJournalReader, type JournalReader, type JournalReaderOptions } from './journal-reader.ts';
import { createJournalWriter, type JournalWriter } from './journal-writer.ts';

/**
 * All finished rounds of a player, one line of JSON each, in a file that is only ever appended to.
 *
 * Several servers may append at once: each write is one system call with O_APPEND, whole or counted as failed. Every
 * line begins with a line break of its own, so that whatever was torn before it (kill -9, a full disk) cannot swallow
 * it; empty lines mean nothing. A round that is there twice counts once.
 */
export interface RoundJournal extends JournalReader, JournalWriter {
  /**
   * At most `limit` rounds that are in the file before this one, newest first; without one, the last. Fewer where they are
   * large. Undefined where there is no such round.
   */
  readBack(before: string | undefined, limit: number): Promise<readonly JournalRound[] | undefined>;
}

/** Touches no file before it is asked to read or to append. */
export function createRoundJournal(options: JournalReaderOptions): RoundJournal {
  const { path } = options;
  const reader = createJournalReader(options);
  return {
    ...reader,
    ...createJournalWriter(path),
    readBack: (before, limit) => readBack(path, reader, before, limit),
  };
}
