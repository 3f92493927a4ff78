import { type History, historyBytes } from '../../../../typing/statistics/history.ts';
import type { JournalRound } from '../../journal-round.ts';
import { type PageRequest, type RoundPage, RoundsNotKeptError, StoreUnavailableError } from '../../ports.ts';
import type { Retention } from '../../round-retention.ts';
import type { UnsavedRound } from '../../unsaved-rounds.ts';
import { type CountedJournalOptions, createCountedJournal } from './counted-journal.ts';
import type { JournalView } from './journal/journal-reader.ts';
import type { RoundRemoval } from './journal/journal-removal.ts';
import { notIn, type RoundJournal } from './journal/round-journal.ts';
import { listRounds } from './round-list.ts';

export interface PlayerRoundsOptions extends CountedJournalOptions {
  /** Whether the server is stopping: then nobody needs a history that is still being read. */
  readonly isStopping: () => boolean;
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
  /** Bytes that the next use of the history reads and writes again, because what is kept exceeds its bounds. */
  dueBytes(): number;
  /** Waits for writes in the background. */
  settle(): Promise<void>;
  /** Approximate memory in bytes. */
  weight(): number;
}

/**
 * Bytes appended after which the journal is read, and folded if a snapshot is due, even if nobody asks for the history. Otherwise
 * a player could only upload, and the next start would have all of it to read.
 */
const readAfter = 64 * 1024;

/** Reads nothing until the history is needed, or much has been appended. */
export function createPlayerRounds(options: PlayerRoundsOptions): PlayerRounds {
  const { unsaved, retention, onProblem, isStopping } = options;
  const { journal, note, readNew, history } = createCountedJournal(options);
  let appended = 0;
  const exceeded = () => {
    const bounds = retention?.();
    return bounds === undefined || isWithin(bounds, journal.view()) ? undefined : bounds;
  };
  const trim = async () => {
    const bounds = exceeded();
    if (bounds === undefined) return;
    // Another server is replacing it. What is still too much then will be removed next time.
    await journal.trim(bounds).catch(ifUnavailable);
    await readNew();
  };
  return {
    async history() {
      await readNew(isStopping)
        .then(trim)
        .catch((problem) => {
          if (problem instanceof StoreUnavailableError) throw problem;
          onProblem(problem);
        });
      return history();
    },
    note,
    async keep(rounds, isWanted) {
      try {
        await journal.append(await findMissing(journal, rounds), isWanted);
      } catch (error) {
        throw new RoundsNotKeptError(error as Error);
      }
      appended += rounds.reduce((sum, { line }) => sum + line.length, 0);
      if (appended < readAfter) return;
      appended = 0;
      await readNew().catch(onProblem);
    },
    async list(page) {
      await readNew(isStopping);
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
    dueBytes: () => (exceeded() === undefined ? 0 : journal.view().size),
    settle: journal.settle,
    weight: () => {
      const { history, held } = journal.view();
      return 24_000 + 200 * held + historyBytes(history);
    },
  };
}

/** The rounds that are not in the journal, or could still be lost with the file that is in its place. */
async function findMissing(
  journal: RoundJournal,
  rounds: readonly UnsavedRound[],
): Promise<readonly UnsavedRound[]> {
  const missing = await notIn(journal, rounds);
  if (missing.length === rounds.length) return missing;
  // They may be there from an attempt that was refused because another process is replacing the file.
  await journal.waitForReplacement();
  await journal.readNew();
  return notIn(journal, rounds);
}

function ifUnavailable(error: Error): void {
  if (!(error instanceof StoreUnavailableError)) throw error;
}

function isWithin({ rounds, bytes, since }: Retention, { history, size, oldest }: JournalView): boolean {
  return history.rounds <= rounds && size <= bytes && oldest >= since;
}
