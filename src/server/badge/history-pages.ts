import type { PublicHistory } from '../../announcements/announcement.ts';
import type { Representation } from '../http/representation.ts';
import { countHistoryPages } from './pages/history-page.ts';

/** The page of the history for a query such as `page=2`: synchronous for the first page and those requested recently. */
export type HistoryPageOf = (query: string) => Representation | Promise<Representation>;

/** Most pages kept besides the first one. */
const maxKept = 20;

/**
 * The pages of a history, each made on its first request; only the most recently requested are kept. A number that is not valid, or
 * is beyond the last page, gets the first page.
 */
export async function prepareHistoryPages(
  history: PublicHistory,
  toPage: (number: number) => Promise<Representation>,
): Promise<HistoryPageOf> {
  const first = await toPage(1);
  const count = countHistoryPages(history);
  const kept = new Map<number, Promise<Representation>>();
  return (query) => {
    const number = query === '' ? 1 : readNumber(query);
    if (number <= 1 || number > count) return first;
    const page = kept.get(number) ?? toPage(number);
    kept.delete(number); // moves it to the end: the oldest is first
    kept.set(number, page);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    return page;
  };
}

function readNumber(query: string): number {
  const text = new URLSearchParams(query).get('page') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 1;
}
