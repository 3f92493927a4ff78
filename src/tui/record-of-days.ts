import { readRoundHistory } from './record/round-history.ts';
import type { RoundRecord } from './record/round-line.ts';
import type { DailyGoal, PractisedDays } from './trend/goal.ts';

/** The typist's practice by days: read once, when a goal is set, and kept up to date from then on. */
export interface RecordOfDays {
  /** A round has been recorded. */
  add(record: RoundRecord): void;
  /** How far today's goal is reached. Rejects where the record cannot be read. */
  toGoal(minutes: number): Promise<DailyGoal>;
}

export function createRecordOfDays(folder: string): RecordOfDays {
  let read: { readonly days: PractisedDays; readonly unread: RoundRecord[] } | undefined;
  let latest: Promise<unknown> = Promise.resolve();

  return {
    add(record) {
      read?.unread.push(record); // not read yet, it will be read with the others
    },
    toGoal(minutes) {
      const goal = latest.then(() => load(minutes)); // one after the other, or the first reading would count twice
      latest = goal.catch(() => {});
      return goal;
    },
  };

  async function load(minutes: number): Promise<DailyGoal> {
    // The time zone's rules take a moment to load, and most typists have no goal.
    const [{ addToDays, toDailyGoal }, { readTimeZone }] = await Promise.all([
      import('./trend/goal.ts'),
      import('./trend/report.ts'),
    ]);
    const timeZone = readTimeZone();
    const fresh = read?.unread ?? (await readRoundHistory(folder)).records;
    const days = addToDays(read?.days ?? new Map(), fresh, timeZone);
    read = { days, unread: [] };
    return toDailyGoal(days, minutes, new Date().toISOString(), timeZone);
  }
}
