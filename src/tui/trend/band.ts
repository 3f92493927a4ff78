import type { RoundRecord } from '../record/round-line.ts';
import type { Day } from './days.ts';
import { type MedianInterval, toMedianInterval } from './median-interval.ts';

/** Where speed and accuracy were around one day. */
export interface BandDay {
  readonly date: string;
  /** In standard WPM. */
  readonly speed: MedianInterval;
  /** In percent. */
  readonly accuracy: MedianInterval;
}

/** A day and the six before it: one day alone has too few rounds for an interval. */
const windowDays = 7;

/** For each day the medians of the week that ends with it. */
export function toBand(days: readonly Day[], roundsOf: (day: Day) => readonly RoundRecord[]): BandDay[] {
  return days.map((day, at) => {
    const week = days.slice(0, at + 1).filter(({ number }) => day.number - number < windowDays);
    const rounds = week.flatMap((one) => roundsOf(one));
    return {
      date: day.date,
      speed: toMedianInterval(rounds.map(({ standardWpm }) => standardWpm)),
      accuracy: toMedianInterval(rounds.map(({ accuracy }) => accuracy)),
    };
  });
}
