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

/** Maximum number of counters in memory while saving fails; further sites are counted as `other`. */
export const maxCounters = 50_000;
/** Maximum number of counters in one change of a record. */
const maxBatch = 1_000;
/** Maximum time that counts stay in memory, in milliseconds, if saving works. */
const saveEvery = 4_000;
const recordPrefix = 'pulse/';

/** Counters of one month, sent again unchanged until the store confirms them: a repeat counts once. */
interface Batch {
  readonly mark: string;
  readonly month: string;
  readonly add: Readonly<Record<string, number>>;
}

/**
 * Counts in memory, and adds the counts to the record of their month, `pulse/YYYY-MM`, a field each.
 *
 * @param onProblem called when saving begins to fail
 */
export function createPulse(records: Records, onProblem: (problem: Error) => void) {
  const server = randomBytes(9).toString('base64url');
  const queue = createKeyedQueue();
  let counted = new Map<string, number>();
  let pending: readonly Batch[] = [];
  let isFailing = false;

  const pendingCounters = () => pending.reduce((sum, { add }) => sum + Object.keys(add).length, 0);
  const sendPending = async () => {
    for (let [batch] = pending; batch !== undefined; [batch] = pending) {
      const { mark, month, add } = batch;
      await records.commit(`${recordPrefix}${month}`, { once: { name: server, mark }, add });
      pending = pending.slice(1);
    }
  };
  const saveAll = async (): Promise<PulseSaving> => {
    if (pending.length === 0 && counted.size === 0) return 'nothing to save';
    try {
      await sendPending();
      pending = batches(counted);
      counted = new Map();
      await sendPending();
      isFailing = false;
      return 'saved';
    } catch (error) {
      if (!isFailing) onProblem(error as Error);
      isFailing = true;
      return 'not saved';
    }
  };
  return {
    /** Counts in memory, synchronously, even while the store is away. */
    count(key: PulseKey): void {
      const field = fieldOf(key);
      const hasRoom = counted.has(field) || counted.size + pendingCounters() < maxCounters;
      const name = hasRoom ? field : fieldOf({ ...key, site: 'other' });
      counted.set(name, (counted.get(name) ?? 0) + 1);
    },
    /** Saves new counts, each once. Never rejects: unsaved ones stay in memory until the next call. */
    save: () => queue.run('save', saveAll),
    /** All saved counts of all servers from this day (`YYYY-MM-DD`) on. */
    read: (sinceDay: string) => readPulse(records, sinceDay),
  };
}

/** All saved counts from this day (`YYYY-MM-DD`) on. */
export async function readPulse(records: Records, sinceDay: string): Promise<PulseCount[]> {
  const counts: PulseCount[] = [];
  for await (const id of records.ids(recordPrefix)) {
    if (id.slice(recordPrefix.length) < monthOf(sinceDay)) continue;
    for (const [field, text] of await records.fields(id)) counts.push(countOf(field, text));
  }
  return counts.filter(({ day }) => day >= sinceDay);
}

/** Saves counts every few seconds. Returns a function that stops it. */
export function startSaving(pulse: Pick<Pulse, 'save'>): () => void {
  const timer = setInterval(() => void pulse.save(), saveEvery).unref();
  return () => clearInterval(timer);
}

function batches(counts: ReadonlyMap<string, number>): Batch[] {
  const all = [...counts];
  const months = [...new Set(all.map(([field]) => monthOf(field)))];
  return months.flatMap((month) => {
    const ofMonth = all.filter(([field]) => monthOf(field) === month);
    return Array.from({ length: Math.ceil(ofMonth.length / maxBatch) }, (_, at) => ({
      mark: randomBytes(9).toString('base64url'),
      month,
      add: Object.fromEntries(ofMonth.slice(at * maxBatch, (at + 1) * maxBatch)),
    }));
  });
}

/** The `YYYY-MM` of a day, or of a field, which begins with a day. */
function monthOf(text: string): string {
  return text.slice(0, 7);
}

/** None of its parts contains a space. */
function fieldOf({ day, event, announcement, site }: PulseKey): string {
  return `${day} ${event} ${announcement} ${site}`;
}

function countOf(field: string, text: string): PulseCount {
  const [day = '', event = '', announcement = '', site = ''] = field.split(' ');
  return { day, announcement, event: event as PulseEvent, site, count: Number(text) };
}
