import { inSlices, type Steps } from '../../../../kit/slices.ts';
import { foldRounds, type History, historyBytes } from '../../../../typing/statistics/history.ts';
import { parseJournalLine } from '../../journal-line.ts';
import type { JournalRound } from '../../journal-round.ts';
import { languageOf } from '../../languages.ts';
import { type PageRequest, type RoundPage, RoundsNotKeptError } from '../../ports.ts';
import type { Retention } from '../../round-retention.ts';
import type { UnsavedRound } from '../../unsaved-rounds.ts';
import type { DamageListener, LaterListener } from './journal-damage.ts';
import type { RoundRemoval } from './journal-removal.ts';
import { createRoundJournal } from './round-journal.ts';

export interface PlayerRoundsOptions {
  readonly path: string;
  /** Finished rounds in open sessions of the player. */
  readonly unsaved: () => readonly UnsavedRound[];
  /** What is kept at most; undefined: everything, also when the file is replaced by another one. */
  readonly retention: (() => Retention) | undefined;
  readonly roundsPerSnapshot?: number | undefined;
  readonly onDamage: DamageListener;
  readonly onLater: LaterListener;
  /** Told when the journal cannot be read or shortened; the history then stays as it was. */
  readonly onProblem: (problem: Error) => void;
}

/** The finished rounds of one player: a journal, and what this server has noted and not kept yet. */
export interface PlayerRounds {
  history(): Promise<History>;
  note(rounds: readonly JournalRound[]): void;
  /** See `JournalWriter.append`. */
  keep(rounds: readonly UnsavedRound[], isWanted?: () => boolean): Promise<void>;
  list(page: PageRequest): Promise<RoundPage | undefined>;
  forget(): Promise<void>;
  remove(removal: RoundRemoval): Promise<void>;
  /** Waits for what is written behind. */
  settle(): Promise<void>;
  /** Bytes of memory, roughly. */
  weight(): number;
}

/** Nothing is read before the history is asked for. */
export function createPlayerRounds(options: PlayerRoundsOptions): PlayerRounds {
  const { path, unsaved, retention, roundsPerSnapshot, onDamage, onLater, onProblem } = options;
  /** Counted before they were in the journal. */
  const noted = new Set<string>();
  /** The journal's rounds and those; undefined where there are none. */
  let ahead: History | undefined;
  /** Noted, and not looked up in the journal yet. */
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

  /** What the journal has counted by itself. */
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
    // A reading that began again has noted again what is not kept; and what could not be looked up is tried again.
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
      // A snapshot that is being written finds the journal gone, and goes as well.
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

/** The later one first; the ISO 8601 texts of one zone compare as their instants do. */
function byCompletion(a: JournalRound, b: JournalRound): number {
  if (a.completedAt === b.completedAt) return 0;
  return a.completedAt < b.completedAt ? 1 : -1;
}

/** Sessions may hold megabytes of them. */
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
