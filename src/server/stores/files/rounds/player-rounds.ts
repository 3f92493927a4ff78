import { type History, historyBytes } from '../../../../typing/statistics/history.ts';
import type { JournalRound } from '../../journal-round.ts';
import { type PageRequest, type RoundPage, RoundsNotKeptError } from '../../ports.ts';
import type { Retention } from '../../round-retention.ts';
import type { UnsavedRound } from '../../unsaved-rounds.ts';
import { type CountedJournalOptions, createCountedJournal } from './counted-journal.ts';
import type { JournalView } from './journal/journal-reader.ts';
import type { RoundRemoval } from './journal/journal-removal.ts';
import { notIn } from './journal/round-journal.ts';
import { listRounds } from './round-list.ts';

export interface PlayerRoundsOptions extends CountedJournalOptions {
  /** Bounds of what is kept; undefined: everything is kept. */
  readonly retention: (() => Retention) | undefined;
}

/** The finished rounds of one player: a journal, and rounds that were noted but are not in it yet. */
export interface PlayerRounds {
  history(): Promise<History>;
  note(rounds: readonly JournalRound[]): void;
  /** See `JournalWriter.append`. */
  keep(rounds: readonly UnsavedRound[], isWanted?: () => boolean): Promise<void>;
  list(page: PageRequest): Promise<RoundPage | undefined>;
  forget(): Promise<void>;
  remove(removal: RoundRemoval): Promise<void>;
  /** Waits for writes in the background. */
  settle(): Promise<void>;
  /** Approximate memory in bytes. */
  weight(): number;
}

/** Reads nothing until the history is needed. */
export function createPlayerRounds(options: PlayerRoundsOptions): PlayerRounds {
  const { unsaved, retention, onProblem } = options;
  const { journal, note, readNew, history } = createCountedJournal(options);
  const trim = async () => {
    const bounds = retention?.();
    if (bounds === undefined || isWithin(bounds, journal.view())) return;
    await journal.trim(bounds);
    await readNew();
  };
  return {
    async history() {
      await readNew().then(trim).catch(onProblem);
      return history();
    },
    note,
    async keep(rounds, isWanted) {
      try {
        await journal.append(await notIn(journal, rounds), isWanted);
      } catch (error) {
        throw new RoundsNotKeptError(error as Error);
      }
    },
    async list(page) {
      await readNew();
      return listRounds(journal, unsaved(), page);
    },
    async forget() {
      await journal.remove();
      // A snapshot that is being written notices that the journal is gone, and is removed too.
      await journal.settle();
    },
    async remove(removal) {
      await journal.removeSome(removal);
      await journal.settle();
    },
    settle: journal.settle,
    weight: () => {
      const { history, held } = journal.view();
      return 24_000 + 200 * held + historyBytes(history);
    },
  };
}

function isWithin({ rounds, bytes, since }: Retention, { history, size, oldest }: JournalView): boolean {
  return history.rounds <= rounds && size <= bytes && oldest >= since;
}
