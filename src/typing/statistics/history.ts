import type { LanguageOf } from '../letters/language.ts';
import type { KeyReport } from '../rules/step.ts';
import { type FinishedRound, kindOfRound, type RoundKind } from './finished-round.ts';
import { copyKeyTally, createKeyCounter, newKeyTally, noteBestTimes } from './key-tally.ts';
import { finishedStatistics, isFitForBest } from './score-statistics.ts';

/**
 * All finished rounds of a player, one chapter for each kind. Adding a round and reading cost the same,
 * however many rounds there are. Plain JSON.
 */
export interface History {
  /** All rounds, including those that do not count. */
  readonly rounds: number;
  readonly chapters: Readonly<Record<string, Chapter>>;
}

export function newHistory(): History {
  return { rounds: 0, chapters: {} };
}

/**
 * Makes a copy of the history with these rounds added, in steps of a round each: there may be many.
 *
 * @param maxKinds further kinds share one chapter, which counts only in statistics of all kinds
 */
export function* addRoundsInSteps(
  history: History,
  rounds: Iterable<FinishedRound>,
  languageOf: LanguageOf,
  maxKinds = Number.POSITIVE_INFINITY,
): Generator<undefined, History, undefined> {
  const chapters = { ...history.chapters };
  const opened = new Set<string>();
  let count = history.rounds;
  for (const round of rounds) {
    const exact = kindOfRound(round);
    const isTold = nameOf(exact) in chapters || Object.keys(chapters).length < maxKinds;
    const kind = isTold ? exact : otherKind;
    const name = nameOf(kind);
    let chapter = chapters[name] ?? newChapter(kind);
    if (!opened.has(name)) chapter = { ...chapter, keys: copyKeyTally(chapter.keys) };
    opened.add(name);
    chapters[name] = addRound(chapter, round, languageOf);
    count++;
    yield;
  }
  return { rounds: count, chapters };
}

/** Empty names are those of no language and no layout. */
const otherKind: RoundKind = { mode: 'other', language: '', layout: '' };

/** Different for different kinds. */
export function nameOf({ mode, language, layout }: RoundKind): string {
  return `${mode} ${language} ${layout}`;
}

/** All finished rounds of one kind that count, folded into sums. Plain JSON. */
function newChapter(kind: RoundKind) {
  return {
    ...kind,
    rounds: 0,
    notCounted: 0,
    bestWpm: 0,
    /** Best of the rounds that are accurate enough (`isFitForBest`); `bestWpm`, as documented, is over all. */
    bestStandardWpm: 0,
    /** In percent. */
    bestAccuracy: 0,
    /** Duration of the shortest round in milliseconds; 0 without rounds. */
    bestMs: 0,
    sumWpm: 0,
    sumStandardWpm: 0,
    sumAccuracy: 0,
    sumMs: 0,
    /** Sum over the rounds that have a consistency, and their number. */
    sumConsistency: 0,
    consistencies: 0,
    keys: newKeyTally(),
  };
}
export type Chapter = Readonly<ReturnType<typeof newChapter>>;

/** Returns the chapter with a round added to its sums, but changes its key tally in place: pass a copy. */
function addRound(chapter: Chapter, round: FinishedRound, languageOf: LanguageOf): Chapter {
  const reports: KeyReport[] = [];
  const statistics = finishedStatistics(round, (report) => reports.push(report));
  const { counts, wpm, standard_wpm: standardWpm, accuracy, consistency } = statistics;
  const { duration: milliseconds } = round.timing;
  if (!counts) return { ...chapter, notCounted: chapter.notCounted + 1 };
  reports.forEach(createKeyCounter(chapter.keys, languageOf(chapter.language), chapter.rounds));
  noteBestTimes(chapter.keys);
  return {
    ...chapter,
    rounds: chapter.rounds + 1,
    bestWpm: Math.max(chapter.bestWpm, wpm),
    bestStandardWpm: Math.max(chapter.bestStandardWpm, isFitForBest(accuracy) ? standardWpm : 0),
    bestAccuracy: Math.max(chapter.bestAccuracy, accuracy),
    bestMs: chapter.rounds === 0 ? milliseconds : Math.min(chapter.bestMs, milliseconds),
    sumWpm: chapter.sumWpm + wpm,
    sumStandardWpm: chapter.sumStandardWpm + standardWpm,
    sumAccuracy: chapter.sumAccuracy + accuracy,
    sumMs: chapter.sumMs + milliseconds,
    sumConsistency: chapter.sumConsistency + (consistency ?? 0),
    consistencies: chapter.consistencies + (consistency === null ? 0 : 1),
  };
}

/** The personal bests over these chapters; the best time is the shortest. Zeros without rounds. */
export function personalBests(chapters: readonly Chapter[]) {
  const counted = chapters.filter(({ rounds }) => rounds > 0);
  const max = (of: (chapter: Chapter) => number) => Math.max(0, ...counted.map(of));
  return {
    rounds: counted.reduce((sum, { rounds }) => sum + rounds, 0),
    bestWpm: max((each) => each.bestWpm),
    bestStandardWpm: max((each) => each.bestStandardWpm),
    bestAccuracy: max((each) => each.bestAccuracy),
    bestMs: counted.length > 0 ? Math.min(...counted.map((each) => each.bestMs)) : 0,
  };
}

/** The chapters that match these values; a missing value matches all. */
export function chaptersOf(history: History, { mode, language, layout }: Partial<RoundKind> = {}): Chapter[] {
  return Object.values(history.chapters).filter(
    (chapter) =>
      (mode === undefined || chapter.mode === mode) &&
      (language === undefined || chapter.language === language) &&
      (layout === undefined || chapter.layout === layout),
  );
}
