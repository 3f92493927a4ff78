import type { HistoryFile } from '../announcement.ts';

/** Every id that was ever given out, also to announcements whose publishing was undone: none is used twice. */
export function usedIds({ announcements, changes }: HistoryFile): Set<string> {
  return new Set([...announcements, ...changes].map(({ id }) => id));
}

/**
 * `YYYY-NNN`: the UTC year of publishing, and the first free number above the highest of three to six digits given out in it
 * (four digits past 999). Longer ones are names that somebody chose: they are only left out, so that none of them ends the sequence.
 */
export function nextId(history: HistoryFile, published: string): string {
  const year = published.slice(0, 4);
  const used = usedIds(history);
  let number = 1;
  for (const id of used) {
    const [, idYear, digits] = /^(\d{4})-(\d{3,6})$/.exec(id) ?? [];
    if (idYear === year) number = Math.max(number, Number(digits) + 1);
  }
  while (used.has(toId(year, number))) number += 1;
  return toId(year, number);
}

function toId(year: string, number: number): string {
  return `${year}-${String(number).padStart(3, '0')}`;
}
