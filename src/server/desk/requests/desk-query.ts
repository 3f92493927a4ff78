import type { InferOutput } from 'valibot';
import { DeskQuerySchema } from '../../../contract/desk-types.ts';
import { parseRequest } from '../../http/requests/json-body.ts';
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
