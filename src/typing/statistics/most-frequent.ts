import type { Steps } from './steps.ts';

export interface Counted {
  readonly name: string;
  readonly count: number;
}

/** Names handled in one step. */
const stepLength = 400;

/**
 * The names with the highest counts, ordered by count and name. Only names that may be among them are collected and sorted, in
 * small groups: sorting all of them would take most of the time of an answer, and they can be tens of thousands.
 */
export function* mostFrequent(counts: ReadonlyMap<string, number>, most: number): Steps<Counted[]> {
  let best: Counted[] = [];
  let last: Counted | undefined;
  let seen = 0;
  for (const [name, count] of counts) {
    seen += 1;
    if (seen % stepLength === 0) yield;
    if (last !== undefined && (count < last.count || (count === last.count && name > last.name))) continue;
    best.push({ name, count });
    if (best.length < 2 * most) continue;
    best = firstOf(best, most);
    last = best.at(-1);
  }
  return firstOf(best, most);
}

function firstOf(names: readonly Counted[], most: number): Counted[] {
  return names.toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)).slice(0, most);
}
