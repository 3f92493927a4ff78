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

/** Sums by key; sums of 0 are removed. */
export interface PulseTally {
  size(): number;
  has(key: PulseKey): boolean;
  all(): PulseCount[];
  add(key: PulseKey, more: number): void;
}

/** Most counters in memory while saving fails; beyond, sites are counted as `other`. */
export const largestTally = 50_000;

export function createTally(): PulseTally {
  const counts = new Map<string, PulseCount>();
  return {
    size: () => counts.size,
    has: (key) => counts.has(toText(key)),
    all: () => [...counts.values()],
    add(key, more) {
      const { day, announcement, event, site } = key;
      const text = toText(key);
      const count = (counts.get(text)?.count ?? 0) + more;
      if (count === 0) counts.delete(text);
      else counts.set(text, { day, announcement, event, site, count });
    },
  };
}

function toText({ day, announcement, event, site }: PulseKey): string {
  return JSON.stringify([day, announcement, event, site]);
}
