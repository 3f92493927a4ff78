import type { PublicHistory } from '../../announcements/announcement.ts';
import type { Representation } from '../http/replies/representation.ts';
import { countHistoryPages } from './pages/history-page.ts';

/** The page of the history for a query such as `page=2`: at once where it is the first, or was asked for lately. */
export type HistoryPageOf = (query: string) => Representation | Promise<Representation>;

/** Pages beside the first that are kept: a few that people read, of as many as there may be. */
const mostKept = 20;

/**
 * The pages of a history, each made when it is first asked for. A client that asks for all of them makes this server keep no more than a few;
 * a number that is none, or beyond the last, is the first page.
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
    kept.delete(number); // the one asked for last goes last
    kept.set(number, page);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return page;
  };
}

function readNumber(query: string): number {
  const text = new URLSearchParams(query).get('page') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 1;
}
