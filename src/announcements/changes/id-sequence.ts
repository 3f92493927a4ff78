import type { HistoryFile } from '../announcement.ts';

/** Every id ever used, including those of announcements whose publishing was undone: no id is used twice. */
export function usedIds({ announcements, changes }: HistoryFile): Set<string> {
  const used = new Set<string>();
  for (const { id } of announcements) used.add(id);
  for (const { id } of changes) used.add(id);
  return used;
}

/**
 * `YYYY-NNN`: the UTC year of publishing, and the first free number above the highest one of three to six digits used in that year
 * (four digits past 999). Longer numbers were chosen by an editor; skipping them keeps the sequence short.
 */
export function nextId(history: HistoryFile, published: string): string {
  const year = published.slice(0, 4);
  const used = usedIds(history);
  let number = 1;
  for (const id of used) {
    if (!id.startsWith(year)) continue;
    const [, idYear, digits] = /^(\d{4})-(\d{3,6})$/.exec(id) ?? [];
    if (idYear === year) number = Math.max(number, Number(digits) + 1);
  }
  while (used.has(toId(year, number))) number += 1;
  return toId(year, number);
}

function toId(year: string, number: number): string {
  return `${year}-${String(number).padStart(3, '0')}`;
}
