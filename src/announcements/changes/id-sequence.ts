import type { HistoryFile } from '../announcement.ts';

/** Every id that was ever given out, also to announcements whose publishing was undone: none is used twice. */
export function usedIds({ announcements, changes }: HistoryFile): Set<string> {
  return new Set([...announcements, ...changes].map(({ id }) => id));
}

/** `YYYY-NNN`: the UTC year of publishing, and one more than the highest number given out in it (four digits past 999). */
export function nextId(history: HistoryFile, published: string): string {
  const year = published.slice(0, 4);
  const numbers = [...usedIds(history)].map((id) => {
    const [, idYear, number] = /^(\d{4})-(\d{3,6})$/.exec(id) ?? [];
    return idYear === year ? Number(number) : 0;
  });
  const highest = numbers.reduce((high, number) => Math.max(high, number), 0);
  return `${year}-${String(highest + 1).padStart(3, '0')}`;
}
