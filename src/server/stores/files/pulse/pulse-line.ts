import type { PulseCount, PulseEvent } from '../../pulse-tally.ts';

/** One line of a pulse file: the counts since the previous line, so that a torn line affects nothing else. */
interface PulseLine {
  readonly v: 1;
  readonly day: string;
  /** Announcement, event, site, count. */
  readonly counts: readonly (readonly [string, PulseEvent, string, number])[];
}

/** Most counts in a line: even with the longest names, far shorter than the longest line that is read. */
const mostInLine = 1_000;

/** Splits the counts of one day into parts that fit into one line each. */
export function toParts(counts: readonly PulseCount[]): PulseCount[][] {
  const parts = Math.ceil(counts.length / mostInLine);
  return Array.from({ length: parts }, (_, at) => counts.slice(at * mostInLine, (at + 1) * mostInLine));
}

/** Without its line break. */
export function toLine(day: string, counts: readonly PulseCount[]): string {
  const line: PulseLine = {
    v: 1,
    day,
    counts: counts.map(({ announcement, event, site, count }) => [announcement, event, site, count]),
  };
  return JSON.stringify(line);
}

/** `later`: a line of a later version, to be left as it is. Undefined if it is not a line of counts. */
export function parseLine(text: string): PulseCount[] | 'later' | undefined {
  try {
    const { v, day, counts } = JSON.parse(text) as PulseLine;
    if (v !== 1) return Number(v) > 1 ? 'later' : undefined;
    return counts.map(([announcement, event, site, count]) => ({ day, announcement, event, site, count }));
  } catch {
    return undefined;
  }
}
