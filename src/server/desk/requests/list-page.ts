import { invalid } from '../refusals/desk-refusals.ts';
import type { DeskQuery } from './desk-query.ts';

/** What a list consists of, and how one of its items is named and shown. */
export interface ListedItems<Item, Entry> {
  readonly items: readonly Item[];
  readonly nameOf: (item: Item) => string;
  readonly toEntry: (item: Item) => Entry;
}

export interface ListPage {
  /** The entries as JSON, separated by commas. */
  readonly entries: string;
  /** Name of the last entry if more follow. */
  readonly next?: string;
}

const usualPage = 100;
/** Most bytes of the entries of one page: serialising a thousand announcements in twenty languages in one go would take 9 MB. */
export const mostPageBytes = 1024 * 1024;

/**
 * The page of a list after the entry with the name `after`: at most `limit` entries, and fewer if they are long, but at least
 * one. Throws a 400 if there is no such entry.
 */
export function toListPage<Item, Entry>(
  { items, nameOf, toEntry }: ListedItems<Item, Entry>,
  { limit = usualPage, after }: Pick<DeskQuery, 'limit' | 'after'>,
): ListPage {
  const last = after === undefined ? -1 : items.findIndex((item) => nameOf(item) === after);
  if (after !== undefined && last === -1)
    throw invalid('after names nothing in this list; leave it out to start at the beginning');
  const first = last + 1;
  const texts: string[] = [];
  let bytes = 0;
  for (const item of items.slice(first, first + limit)) {
    const text = JSON.stringify(toEntry(item));
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > mostPageBytes && texts.length > 0) break;
    texts.push(text);
  }
  const end = items[first + texts.length - 1];
  const hasMore = texts.length > 0 && first + texts.length < items.length;
  return { entries: texts.join(','), ...(hasMore && end !== undefined ? { next: nameOf(end) } : {}) };
}
