import type { HistoryFile } from './announcement.ts';
import type { Parsed } from './values/field.ts';

/** Excludes control characters, so that an id from a server is safe in a terminal. */
export const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function parseId(text: string): Parsed<string> {
  if (idPattern.test(text)) return { value: text };
  return {
    problem: `"${text}" cannot be an id; an id is 1 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit`,
  };
}

/** Every id ever used, including those of announcements whose publishing was undone: no id is used twice. */
export function usedIds({ announcements, changes }: HistoryFile): Set<string> {
  return new Set([...announcements, ...changes].map(({ id }) => id));
}

/**
 * `YYYY-NNN`: the UTC year of publishing, and the first free number above the highest one of three to six
 * digits used in that year (four digits past 999). Longer numbers were chosen by an editor; skipping them
 * keeps the sequence short.
 */
export function nextId(history: HistoryFile, published: string): string {
  const year = published.slice(0, 4);
  const used = usedIds(history);
  const ofYear = new RegExp(`^${year}-(\\d{3,6})$`);
  const highest = [...used].reduce((max, id) => Math.max(max, Number(ofYear.exec(id)?.[1] ?? 0)), 0);
  const idOf = (number: number) => `${year}-${String(number).padStart(3, '0')}`;
  let number = highest + 1;
  while (used.has(idOf(number))) number += 1;
  return idOf(number);
}
