import type { LayoutOf } from '../../../typing/letters/layout.ts';
import {
  type HistoricalStatistics,
  historicalStatistics,
} from '../../../typing/statistics/historical-statistics.ts';
import type { Chapter, History } from '../../../typing/statistics/history.ts';

interface Latest {
  readonly chapters: readonly Chapter[];
  readonly statistics: HistoricalStatistics;
}

/** The statistics of these chapters of a history. */
export type HistoryStatistics = (history: History, chapters: readonly Chapter[]) => HistoricalStatistics;

/**
 * Keeps the latest statistics of each history: a store returns the same history until there is another round, and strangers can
 * ask for its statistics again and again. Only one result is kept, and no longer than its history, so that it takes a small part of
 * the memory of the history. It is found by its chapters, because many queries match the same ones.
 */
export function createHistoryStatistics(layoutOf: LayoutOf): HistoryStatistics {
  const known = new WeakMap<History, Latest>();
  return (history, chapters) => {
    const latest = known.get(history);
    if (latest !== undefined && areSame(latest.chapters, chapters)) return latest.statistics;
    const statistics = historicalStatistics(chapters, layoutOf);
    known.set(history, { chapters, statistics });
    return statistics;
  };
}

function areSame(some: readonly Chapter[], others: readonly Chapter[]): boolean {
  return some.length === others.length && some.every((chapter, at) => chapter === others[at]);
}
