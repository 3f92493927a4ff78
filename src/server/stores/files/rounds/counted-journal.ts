import { allAtOnce, inSlices } from '../../../../kit/slices.ts';
import type { History } from '../../../../typing/statistics/history.ts';
import type { JournalRound } from '../../journal-round.ts';
import { parseUnsaved, type UnsavedRound } from '../../unsaved-rounds.ts';
import type { JournalReaderOptions } from './journal/journal-reader.ts';
import { createRoundJournal, type RoundJournal } from './journal/round-journal.ts';
import { type NotedRounds, noteSteps, takeIn } from './noted-rounds.ts';

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
  /** Reads what is new in the journal (see `JournalReader.readNew`), and waits until noted rounds are counted. */
  readNew(isStopped?: () => boolean): Promise<void>;
  /** The history of the journal plus noted rounds, as far as they were read and counted. */
  history(): History;
}

/** How often noted rounds are counted in slices before that is done in one piece, which nothing can interrupt. */
const mostAttempts = 4;

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
    for (let attempt = 1; waiting.length > 0; attempt += 1) {
      const rounds = [...waiting];
      const known = await journal.placesOf(rounds.map(({ id }) => id));
      const before = noted;
      const { history } = journal.view();
      const steps = noteSteps(before, rounds, { history, known });
      const after = attempt < mostAttempts ? await inSlices(steps) : allAtOnce(steps);
      // The journal may have been read in the meantime, perhaps with the same rounds.
      if (noted !== before || journal.view().history !== history) continue;
      waiting.splice(0, rounds.length);
      noted = after;
      return;
    }
  }
  function note(rounds: readonly JournalRound[]): void {
    waiting.push(...rounds);
    noting = noting.then(countWaiting).catch(onProblem);
  }

  return {
    journal,
    note,
    async readNew(isStopped) {
      await journal.readNew(isStopped);
      // If reading started again, unsaved rounds have been noted again; and failed lookups are retried.
      if (waiting.length > 0) note([]);
      await noting;
    },
    history: () => noted?.history ?? journal.view().history,
  };
}
