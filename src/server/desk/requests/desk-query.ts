import type { InferOutput } from 'valibot';
import { DeskQuerySchema } from '../../../contract/desk-types.ts';
import { parseRequest } from '../../http/requests/parse-request.ts';
import { invalid } from '../refusals/desk-refusals.ts';

export type DeskQuery = InferOutput<typeof DeskQuerySchema>;

/** Parses the query of a list. Throws a 400 that names the parameter and says what would be right. */
export function parseDeskQuery(query: string): DeskQuery {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (Object.hasOwn(fields, name)) throw invalid(`${name.slice(0, 40)} is given twice`);
    const isNumber = (name === 'limit' || name === 'days') && /^\d{1,9}$/.test(value);
    fields[name] = isNumber ? Number(value) : value;
  }
  return parseRequest(DeskQuerySchema, fields);
}

export interface ListPart<T> {
  readonly entries: readonly T[];
  readonly next?: string;
}

const usualPage = 100;

/** The part of a list after the entry with the name `after`. Throws a 400 if there is no such entry. */
export function toListPart<T>(
  list: readonly T[],
  nameOf: (entry: T) => string,
  { limit = usualPage, after }: DeskQuery,
): ListPart<T> {
  const last = after === undefined ? -1 : list.findIndex((entry) => nameOf(entry) === after);
  if (after !== undefined && last === -1)
    throw invalid('after names nothing in this list; leave it out to start at the beginning');
  const entries = list.slice(last + 1, last + 1 + limit);
  const end = entries.at(-1);
  const hasMore = last + 1 + limit < list.length;
  return { entries, ...(hasMore && end !== undefined ? { next: nameOf(end) } : {}) };
}
