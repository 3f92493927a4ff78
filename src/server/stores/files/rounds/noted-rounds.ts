import type { Steps } from '../../../../kit/slices.ts';
import { foldRounds, foldSteps, type History } from '../../../../typing/statistics/history.ts';
import type { JournalRound } from '../../journal-round.ts';
import { languageOf } from '../../languages.ts';

/** Rounds that were counted before they were in the journal. */
export interface NotedRounds {
  readonly ids: ReadonlySet<string>;
  /** The history of the journal plus these rounds. */
  readonly history: History;
}

/** Takes in rounds that the journal has counted. Returns undefined if no noted rounds are left. */
export function takeIn(
  noted: NotedRounds | undefined,
  counted: readonly JournalRound[],
): NotedRounds | undefined {
  if (noted === undefined) return undefined;
  const ids = new Set(noted.ids);
  const others = counted.filter(({ id }) => !ids.delete(id));
  return ids.size === 0 ? undefined : { ids, history: foldRounds(noted.history, others, languageOf) };
}

/** What the journal has counted so far. */
export interface JournalCount {
  readonly history: History;
  /** Which of the rounds to note are in it. */
  readonly known: Pick<ReadonlySet<string>, 'has'>;
}

/** Counts rounds that are neither noted nor in the journal. Returns the same object if there are none. */
export function* noteSteps(
  noted: NotedRounds | undefined,
  rounds: readonly JournalRound[],
  { history, known }: JournalCount,
): Steps<NotedRounds | undefined> {
  const ids = new Set(noted?.ids);
  const fresh = rounds.filter(({ id }) => {
    const isFresh = !ids.has(id) && !known.has(id);
    if (isFresh) ids.add(id);
    return isFresh;
  });
  if (fresh.length === 0) return noted;
  return { ids, history: yield* foldSteps(noted?.history ?? history, fresh, languageOf) };
}
