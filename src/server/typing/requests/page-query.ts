import * as wire from '../../../contract/request-types.ts';
import { HttpError } from '../../http/requests/http-error.ts';
import { parseRequest } from '../../http/requests/parse-request.ts';
import type { PageRequest } from '../../stores/page.ts';

/** Parses the query of a list. Throws a 400 that names the parameter and says what would be right. */
export type PageParser = (query: string) => PageRequest;

/** @param usual default `limit` */
export function createPageParser(usual: number): PageParser {
  return (query) => {
    const { limit = usual, after } = parseRequest(wire.PageQuerySchema, toFields(query));
    return { limit, after };
  };
}

function toFields(query: string): Record<string, unknown> {
  const parameters = new URLSearchParams(query);
  const fields: Record<string, unknown> = {};
  for (const name of ['limit', 'after']) {
    const [value, ...others] = parameters.getAll(name);
    if (others.length > 0) throw new HttpError(400, 'INVALID_REQUEST', `${name} is given twice.`);
    if (value !== undefined)
      fields[name] = name === 'limit' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  }
  return fields;
}

export function unknownAfter(what: 'session' | 'round'): HttpError {
  return new HttpError(
    400,
    'INVALID_REQUEST',
    `after must be the id of one of your ${what}s; this one may be gone. Leave it out to start at the beginning.`,
  );
}
