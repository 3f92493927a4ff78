import type { GenericSchema } from 'valibot';
import { checkShape, toShapeRefusal } from './answer-shape.ts';
import type { DeskAnswer, DeskClient } from './desk-client.ts';

/** What each page of a list may say about the rest of the list. */
interface ListPage {
  readonly next?: string;
}

/** Entries of one page: the most that a server gives. */
const pageSize = 1_000;
/** Bytes of the largest history that any version of a server reads. */
const largestHistory = 64 * 1024 * 1024;
/** Of all pages of one list: entries have a few fields more here than in the file. */
const mostBytes = 2 * largestHistory;
/** Pages of one list: no entry of a file is shorter than 64 bytes, and of two pages that are cut short, one has half a MiB. */
const mostPages = Math.ceil(largestHistory / 64 / pageSize) + (2 * mostBytes) / (1024 * 1024);

/**
 * A list from the server, page by page. The server may be any program at any address: rejects with a RefusedError if it sends
 * anything but a list, or one that is longer than a history can be.
 *
 * @param name of the list in each answer
 * @param schema of each answer
 */
export async function readPages<Page extends ListPage>(
  client: DeskClient,
  path: string,
  name: string & keyof Page,
  schema: GenericSchema,
): Promise<DeskAnswer<Page>[]> {
  const pages: DeskAnswer<Page>[] = [];
  const asked = new Set<string>();
  let bytes = 0;
  for (let after = ''; pages.length < mostPages; ) {
    const page = await client.ask<Page>({ path: `${path}?limit=${pageSize}${after}` });
    bytes += page.size;
    if (bytes > mostBytes) break;
    checkEntries(page.value[name], name);
    pages.push(page);
    const next: unknown = page.value.next;
    if (next !== undefined && typeof next !== 'string')
      throw toShapeRefusal(`its list of ${name} has no name of a next page`);
    checkShape(page.value, schema, `list of ${name}`);
    if (next === undefined) return pages;
    if (asked.has(next)) throw toShapeRefusal(`its list of ${name} goes round in circles`);
    asked.add(next);
    after = `&after=${encodeURIComponent(next)}`;
  }
  throw toShapeRefusal(`its list of ${name} is longer than any history can be`);
}

function checkEntries(entries: unknown, name: string): void {
  const isList =
    Array.isArray(entries) && entries.every((entry) => typeof entry === 'object' && entry !== null);
  if (!isList) throw toShapeRefusal(`it sent no list of ${name}`);
  if (entries.length > pageSize) {
    throw toShapeRefusal(
      `a page of its list of ${name} has ${entries.length} entries instead of at most ${pageSize}`,
    );
  }
}
