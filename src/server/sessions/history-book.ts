import { foldRounds, type History, newHistory } from '../typing/history.ts';
import type { JournalRound } from './journal-line.ts';
import type { RoundJournal } from './round-journal.ts';

/** The history of a data folder: everything in the journal, and what this server has finished and not saved yet. */
export interface HistoryBook {
  history(): History;
  /** Counts finished rounds; those already counted are passed over. */
  add(rounds: readonly JournalRound[]): void;
  /** Counts what other servers have saved since the last call. */
  refresh(): Promise<void>;
}

export function createHistoryBook(journal: RoundJournal): HistoryBook {
  let history = newHistory();
  /** Counted before they were in the journal. */
  const early = new Set<string>();

  return {
    history: () => history,
    add(rounds) {
      const fresh = rounds.filter(({ id }) => !early.has(id) && !journal.has(id));
      if (fresh.length === 0) return;
      for (const { id } of fresh) early.add(id);
      history = foldRounds(history, fresh);
    },
    refresh: () =>
      journal.readNew((rounds) => {
        const fresh = rounds.filter(({ id }) => !early.has(id));
        for (const { id } of rounds) early.delete(id);
        if (fresh.length > 0) history = foldRounds(history, fresh);
      }),
  };
}
