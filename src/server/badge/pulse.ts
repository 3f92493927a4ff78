import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../folder.ts';

export const pulseEvents = ['impression', 'click', 'dismiss'] as const;
export type PulseEvent = (typeof pulseEvents)[number];

/** How often something happened to an announcement on one site, on one day in UTC. */
export interface PulseCount {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly announcement: string;
  readonly event: PulseEvent;
  /** Host of the embedding site, or `other`. */
  readonly site: string;
  readonly count: number;
}

export interface PulseOptions {
  /** The folder that holds one file a month. */
  readonly dir: string;
  /** Epoch milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
  /** Told when the counts could not be saved; they stay in memory for the next try. */
  readonly onProblem: (problem: Error) => void;
}

export interface Pulse {
  count(event: PulseEvent, announcement: string, site: string): void;
  /** Appends what was counted since the last save. */
  save(): Promise<void>;
}

/** One line of a pulse file: everything counted since the line before, so that a torn line loses or doubles nothing else. */
interface PulseLine {
  readonly v: 1;
  readonly day: string;
  /** Announcement, event, site, count. */
  readonly counts: readonly (readonly [string, PulseEvent, string, number])[];
}

/** A wildcard entry of the allow-list lets in any number of sites; a day's counters do not grow with them. */
const maxSitesPerDay = 1_000;

/** Counts in memory and appends to `<dir>/YYYY-MM.jsonl`; several servers may share the folder. */
export function createPulse({ dir, now = Date.now, onProblem }: PulseOptions): Pulse {
  const unsaved = new Map<string, PulseCount>();
  let sites = new Set<string>();
  let sitesDay = '';
  let isTorn = false;
  let saving: Promise<void> = Promise.resolve();

  const boundedSite = (day: string, site: string): string => {
    if (day !== sitesDay) {
      sitesDay = day;
      sites = new Set();
    }
    if (!sites.has(site) && sites.size >= maxSitesPerDay) return 'other';
    sites.add(site);
    return site;
  };

  const append = async () => {
    for (const day of new Set([...unsaved.values()].map((count) => count.day))) {
      const batch = [...unsaved].filter(([, count]) => count.day === day);
      const line = toLine(
        day,
        batch.map(([, count]) => count),
      );
      await makeFolder(dir);
      const path = join(dir, `${day.slice(0, 7)}.jsonl`);
      try {
        // A line that a full disk cut short is ended first, so that it cannot swallow this one.
        await appendFile(path, isTorn ? `\n${line}` : line);
        isTorn = false;
      } catch (error) {
        isTorn = true;
        throw error;
      }
      for (const [key, saved] of batch) forget(key, saved.count);
    }
  };

  const forget = (key: string, saved: number) => {
    const entry = unsaved.get(key);
    if (entry === undefined) return;
    if (entry.count === saved) unsaved.delete(key);
    else unsaved.set(key, { ...entry, count: entry.count - saved });
  };

  return {
    count(event, announcement, site) {
      const day = new Date(now()).toISOString().slice(0, 10);
      const counted = boundedSite(day, site);
      const key = JSON.stringify([day, announcement, event, counted]);
      const count = (unsaved.get(key)?.count ?? 0) + 1;
      unsaved.set(key, { day, announcement, event, site: counted, count });
    },
    save() {
      saving = saving.then(append).catch(onProblem);
      return saving;
    },
  };
}

function toLine(day: string, counts: readonly PulseCount[]): string {
  const line: PulseLine = {
    v: 1,
    day,
    counts: counts.map(({ announcement, event, site, count }) => [announcement, event, site, count]),
  };
  return `${JSON.stringify(line)}\n`;
}

/** All counts from `sinceDay` (`YYYY-MM-DD`) on, summed per day, announcement, event and site. Unreadable lines are left out. */
export async function readPulse(dir: string, sinceDay: string): Promise<PulseCount[]> {
  const files = await readdir(dir).catch(() => [] as string[]);
  const sums = new Map<string, PulseCount>();
  for (const file of files.sort()) {
    if (!/^\d{4}-\d\d\.jsonl$/.test(file) || file.slice(0, 7) < sinceDay.slice(0, 7)) continue;
    for (const line of (await readFile(join(dir, file), 'utf8')).split('\n')) {
      for (const count of parseLine(line)) {
        if (count.day < sinceDay) continue;
        const key = JSON.stringify([count.day, count.announcement, count.event, count.site]);
        sums.set(key, { ...count, count: count.count + (sums.get(key)?.count ?? 0) });
      }
    }
  }
  return [...sums.values()];
}

function parseLine(text: string): PulseCount[] {
  try {
    const { v, day, counts } = JSON.parse(text) as PulseLine;
    if (v !== 1) return [];
    return counts.map(([announcement, event, site, count]) => ({ day, announcement, event, site, count }));
  } catch {
    return [];
  }
}
