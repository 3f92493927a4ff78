import type { HistoricalStatistics } from '../../contract/statistics-types.ts';

export type KeyMeasure = 'accuracy' | 'speed';

/** A key pressed less often says nothing yet. */
export const fewestPresses = 10;

/** What a key shows: percent right, or ms; undefined when too little is known. */
export function toKeyValue(
  history: HistoricalStatistics,
  measure: KeyMeasure,
  letter: string,
): number | undefined {
  if (measure === 'accuracy') {
    const stats = history.letter_accuracy[letter];
    if (stats === undefined || stats.presented < fewestPresses) return undefined;
    return (stats.correct / stats.presented) * 100;
  }
  const times = history.letter_seek_time[letter];
  if (times === undefined || times.count < fewestPresses) return undefined;
  return times.total_time_ms / times.count;
}
