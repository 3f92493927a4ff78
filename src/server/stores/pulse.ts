import { randomBytes } from 'node:crypto';
import { createKeyedQueue } from '../../kit/keyed-queue.ts';
import type { Records } from './records/records.ts';

export const pulseEvents = ['impression', 'click', 'dismiss'] as const;
export type PulseEvent = (typeof pulseEvents)[number];

/** Identifies a counter: an event of an announcement on one site, on one day in UTC. */
export interface PulseKey {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly announcement: string;
  readonly event: PulseEvent;
  /** Host of the embedding site, or `other`. */
  readonly site: string;
}

export interface PulseCount extends PulseKey {
  readonly count: number;
}

/** The outcome of saving counts. */
export type PulseSaving = 'nothing to save' | 'saved' | 'not saved';

/** How often announcements were shown, clicked and dismissed, on which site and day. */
export type Pulse = ReturnType<typeof createPulse>;

/** Maximum number of counters in memory; while there are so many, further sites are counted as `other`. */
export const maxCounters = 10_000;
/** Maximum time that counts stay in memory only, in milliseconds, if saving works. */
const saveEvery = 4_000;
const recordPrefix = 'pulse/';

/**
 * Counts in memory, and saves the counts in a record for each month and process, `pulse/YYYY-MM/<process>`, a
 * field each. Only this process writes it, so a count that is written again replaces itself.
 *
 * @param onProblem called when saving begins to fail
 */
export function createPulse(records: Records, onProblem: (problem: Error) => void) {
  const queue = createKeyedQueue();
  let writer = newWriter();
  /** All counts in the records of this writer, and the fields that are not saved yet. */
  let counts = new Map<string, number>();
  let unsaved = new Set<string>();
  let isFailing = false;

  const saveAll = async (): Promise<PulseSaving> => {
    if (unsaved.size === 0) return 'nothing to save';
    const saving = unsaved;
    unsaved = new Set();
    try {
      for (const month of new Set([...saving].map(monthOf))) {
        const fields = [...saving].filter((field) => monthOf(field) === month);
        const put = Object.fromEntries(fields.map((field) => [field, String(counts.get(field))]));
        await records.commit(`${recordPrefix}${month}/${writer}`, { put });
      }
      if (counts.size > maxCounters / 2 && unsaved.size === 0) {
        writer = newWriter();
        counts = new Map();
      }
      isFailing = false;
      return 'saved';
    } catch (error) {
      unsaved = new Set([...saving, ...unsaved]);
      if (!isFailing) onProblem(error as Error);
      isFailing = true;
      return 'not saved';
    }
  };
  return {
    /** Counts in memory, synchronously, even while the store is away. */
    count(key: PulseKey): void {
      const field = fieldOf(key);
      const hasRoom = counts.has(field) || counts.size < maxCounters;
      const name = hasRoom ? field : fieldOf({ ...key, site: 'other' });
      counts.set(name, (counts.get(name) ?? 0) + 1);
      unsaved.add(name);
    },
    /** Saves new counts, each once. Never rejects: unsaved ones stay in memory until the next call. */
    save: () => queue.run('save', saveAll),
    /** All saved counts of all servers from this day (`YYYY-MM-DD`) on. */
    read: (sinceDay: string) => readPulse(records, sinceDay),
  };
}

/** All saved counts from this day (`YYYY-MM-DD`) on. */
export async function readPulse(records: Records, sinceDay: string): Promise<PulseCount[]> {
  const counts = new Map<string, number>();
  for await (const id of records.ids(recordPrefix)) {
    if (monthOf(id.slice(recordPrefix.length)) < monthOf(sinceDay)) continue;
    for (const [field, count] of await records.fields(id))
      counts.set(field, (counts.get(field) ?? 0) + Number(count));
  }
  return [...counts].map(([field, count]) => countOf(field, count)).filter(({ day }) => day >= sinceDay);
}

function newWriter(): string {
  return randomBytes(8).toString('hex');
}

/** Saves counts every few seconds. Returns a function that stops it. */
export function startSaving(pulse: Pick<Pulse, 'save'>): () => void {
  const timer = setInterval(() => void pulse.save(), saveEvery).unref();
  return () => clearInterval(timer);
}

/** The `YYYY-MM` of a day, or of a field, which begins with a day. */
function monthOf(text: string): string {
  return text.slice(0, 7);
}

/** None of its parts contains a space. */
function fieldOf({ day, event, announcement, site }: PulseKey): string {
  return `${day} ${event} ${announcement} ${site}`;
}

function countOf(field: string, count: number): PulseCount {
  const [day, event, announcement, site] = field.split(' ') as [string, PulseEvent, string, string];
  return { day, announcement, event, site, count };
}
