import { inSlices, type Steps } from '../../../../kit/slices.ts';
import { foldRounds, type History, historyBytes } from '../../../../typing/statistics/history.ts';
import { parseJournalLine } from '../../journal-line.ts';
import type { JournalRound } from '../../journal-round.ts';
import { languageOf } from '../../languages.ts';
import { type PageRequest, type RoundPage, RoundsNotKeptError } from '../../ports.ts';
import type { Retention } from '../../round-retention.ts';
import type { UnsavedRound } from '../../unsaved-rounds.ts';
import type { DamageListener, LaterListener } from './journal/journal-damage.ts';
import type { RoundRemoval } from './journal/journal-removal.ts';
import { createRoundJournal } from './journal/round-journal.ts';

export interface PlayerRoundsOptions {
  readonly path: string;
  /** Finished rounds in open sessions of the player. */
  readonly unsaved: () => readonly UnsavedRound[];
  /** Bounds of what is kept; undefined: everything is kept. */
  readonly retention: (() => Retention) | undefined;
  readonly roundsPerSnapshot?: number | undefined;
  readonly onDamage: DamageListener;
  readonly onLater: LaterListener;
  /** Called when the journal cannot be read or trimmed; the history then stays as it was. */
  readonly onProblem: (problem: Error) => void;
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
  const { path, unsaved, retention, roundsPerSnapshot, onDamage, onLater, onProblem } = options;
  /** Ids of rounds counted before they were in the journal. */
  const noted = new Set<string>();
  /** The history of the journal plus noted rounds; undefined if there are none. */
  let ahead: History | undefined;
  /** Noted rounds that have not been looked up in the journal yet. */
  const waiting: JournalRound[] = [];
  let noting: Promise<void> = Promise.resolve();
  const journal = createRoundJournal({
    path,
    roundsPerSnapshot,
    onDamage,
    onLater,
    onRounds: takeIn,
    onVoid: startOver,
  });
  note(parseAll(unsaved()));

  /** Takes in rounds that the journal has counted. */
  function takeIn(rounds: readonly JournalRound[]): void {
    const others = rounds.filter(({ id }) => !noted.delete(id));
    if (noted.size === 0) ahead = undefined;
    else if (ahead !== undefined) ahead = foldRounds(ahead, others, languageOf);
  }
  async function countWaiting(): Promise<void> {
    const rounds = [...waiting];
    if (rounds.length === 0) return;
    const known = await journal.placesOf(rounds.map(({ id }) => id));
    waiting.splice(0, rounds.length);
    const fresh = rounds.filter(({ id }) => {
      const isFresh = !noted.has(id) && !known.has(id);
      if (isFresh) noted.add(id);
      return isFresh;
    });
    if (fresh.length > 0) ahead = foldRounds(ahead ?? journal.view().history, fresh, languageOf);
  }
  function note(rounds: readonly JournalRound[]): void {
    waiting.push(...rounds);
    noting = noting.then(countWaiting).catch(onProblem);
  }
  function startOver(): void {
    noted.clear();
    ahead = undefined;
    note(parseAll(unsaved()));
  }
  const readNew = async () => {
    await journal.readNew();
    // If reading started again, unsaved rounds have been noted again; and failed lookups are retried.
    if (waiting.length > 0) note([]);
    await noting;
  };
  const trim = async () => {
    const bounds = retention?.();
    if (bounds === undefined) return;
    const { history, size, oldest } = journal.view();
    if (history.rounds <= bounds.rounds && size <= bounds.bytes && oldest >= bounds.since) return;
    await journal.trim(bounds);
    await readNew();
  };
  const without = async <T extends { readonly id: string }>(rounds: readonly T[]): Promise<T[]> => {
    const known = await journal.placesOf(rounds.map(({ id }) => id));
    return rounds.filter(({ id }) => !known.has(id));
  };

  return {
    async history() {
      await readNew().then(trim).catch(onProblem);
      return ahead ?? journal.view().history;
    },
    note,
    async keep(rounds, isWanted) {
      try {
        await journal.append(await without(rounds), isWanted);
      } catch (error) {
        throw new RoundsNotKeptError(error as Error);
      }
    },
    async list({ limit, after }) {
      await readNew();
      const waiting = (await without(await inSlices(parseSteps(unsaved())))).reverse().sort(byCompletion);
      const start = waiting.findIndex(({ id }) => id === after) + 1;
      const first = after === undefined || start > 0 ? waiting.slice(start, start + limit) : [];
      const before = start > 0 ? undefined : after;
      const kept = first.length < limit ? await journal.readBack(before, limit - first.length) : [];
      if (kept === undefined) return undefined;
      const rounds = [...first, ...kept];
      const last = rounds.at(-1)?.id;
      const isEnd = last === undefined || (await hasNothingBefore(last, waiting));
      return isEnd ? { rounds } : { rounds, next: last };
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

  async function hasNothingBefore(id: string, waiting: readonly JournalRound[]): Promise<boolean> {
    if (waiting.some((round) => round.id === id)) {
      return waiting.at(-1)?.id === id && journal.view().history.rounds === 0;
    }
    return (await journal.readBack(id, 1))?.length === 0;
  }
}

/** Newest first; ISO 8601 texts of the same zone compare like their instants. */
function byCompletion(a: JournalRound, b: JournalRound): number {
  if (a.completedAt === b.completedAt) return 0;
  return a.completedAt < b.completedAt ? 1 : -1;
}

/** In slices, because sessions may hold megabytes of rounds. */
function* parseSteps(unsaved: readonly UnsavedRound[]): Steps<JournalRound[]> {
  const rounds: JournalRound[] = [];
  for (const round of unsaved) {
    rounds.push(...parseAll([round]));
    yield;
  }
  return rounds;
}

function parseAll(unsaved: readonly UnsavedRound[]): JournalRound[] {
  return unsaved.flatMap(({ line }) => parseJournalLine(line) ?? []);
}
