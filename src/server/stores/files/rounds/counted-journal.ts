import type { History } from '../../../../typing/statistics/history.ts';
import type { JournalRound } from '../../journal-round.ts';
import { parseUnsaved, type UnsavedRound } from '../../unsaved-rounds.ts';
import type { JournalReaderOptions } from './journal/journal-reader.ts';
import { createRoundJournal, type RoundJournal } from './journal/round-journal.ts';
import { type NotedRounds, noteRounds, takeIn } from './noted-rounds.ts';

export interface CountedJournalOptions extends Omit<JournalReaderOptions, 'onRounds' | 'onVoid'> {
  /** Finished rounds in open sessions of the player. */
  readonly unsaved: () => readonly UnsavedRound[];
  /** Called when the journal cannot be read or trimmed; the history then stays as it was. */
  readonly onProblem: (problem: Error) => void;
}

/** A journal, and rounds that were noted but are not in it yet. */
export interface CountedJournal {
  readonly journal: RoundJournal;
  /** Counts rounds that are not in the journal yet, in the background. */
  note(rounds: readonly JournalRound[]): void;
  /** Reads what is new in the journal, and waits until noted rounds are counted. */
  readNew(): Promise<void>;
  /** The history of the journal plus noted rounds, as far as they were read and counted. */
  history(): History;
}

/** Reads nothing until it is called for, or rounds are noted. */
export function createCountedJournal(options: CountedJournalOptions): CountedJournal {
  const { unsaved, onProblem } = options;
  let noted: NotedRounds | undefined;
  /** Noted rounds that have not been looked up in the journal yet. */
  const waiting: JournalRound[] = [];
  let noting: Promise<void> = Promise.resolve();
  const journal = createRoundJournal({
    ...options,
    onRounds: (rounds) => {
      noted = takeIn(noted, rounds);
    },
    onVoid: () => {
      noted = undefined;
      note(parseUnsaved(unsaved()));
    },
  });
  note(parseUnsaved(unsaved()));

  async function countWaiting(): Promise<void> {
    const rounds = [...waiting];
    if (rounds.length === 0) return;
    const known = await journal.placesOf(rounds.map(({ id }) => id));
    waiting.splice(0, rounds.length);
    noted = noteRounds(noted, rounds, { history: journal.view().history, known });
  }
  function note(rounds: readonly JournalRound[]): void {
    waiting.push(...rounds);
    noting = noting.then(countWaiting).catch(onProblem);
  }

  return {
    journal,
    note,
    async readNew() {
      await journal.readNew();
      // If reading started again, unsaved rounds have been noted again; and failed lookups are retried.
      if (waiting.length > 0) note([]);
      await noting;
    },
    history: () => noted?.history ?? journal.view().history,
  };
}
