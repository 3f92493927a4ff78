import type { Parsed } from './values/field.ts';

/** Excludes control characters, so that an id from a server is safe in a terminal. */
export const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function parseId(text: string): Parsed<string> {
  if (idPattern.test(text)) return { value: text };
  return {
    problem: `"${text}" cannot be an id; an id is 1 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit`,
  };
}

/** The parts of a `HistoryFile` that have ids. */
interface Named {
  readonly announcements: readonly { readonly id: string }[];
  readonly changes: readonly { readonly id: string }[];
}

/** Every id ever used, including those of announcements whose publishing was undone: no id is used twice. */
export function usedIds({ announcements, changes }: Named): Set<string> {
  const used = new Set<string>();
  for (const { id } of announcements) used.add(id);
  for (const { id } of changes) used.add(id);
  return used;
}

/**
 * `YYYY-NNN`: the UTC year of publishing, and the first free number above the highest one of three to six
 * digits used in that year (four digits past 999). Longer numbers were chosen by an editor; skipping them
 * keeps the sequence short.
 */
export function nextId(history: Named, published: string): string {
  const year = published.slice(0, 4);
  const used = usedIds(history);
  let number = 1;
  for (const id of used) {
    if (!id.startsWith(year)) continue;
    const [, idYear, digits] = /^(\d{4})-(\d{3,6})$/.exec(id) ?? [];
    if (idYear === year) number = Math.max(number, Number(digits) + 1);
  }
  while (used.has(idText(year, number))) number += 1;
  return idText(year, number);
}

function idText(year: string, number: number): string {
  return `${year}-${String(number).padStart(3, '0')}`;
}
