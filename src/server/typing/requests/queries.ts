import * as wire from '../../../contract/request-types.ts';
import type { RoundKind } from '../../../typing/statistics/finished-round.ts';
import { HttpError } from '../../http/requests/http-error.ts';
import { parseRequest } from '../../http/requests/json-body.ts';
import type { PageRequest } from '../../stores/player.ts';

/** Parses the query of a list. Throws a 400 that names the parameter and says what would be right. */
export type PageParser = (query: string) => PageRequest;

/** @param usual default `limit` */
export function createPageParser(usual: number): PageParser {
  return (query) => {
    const { limit: digits, ...others } = parameters(query, ['limit', 'after']);
    const isNumber = digits !== undefined && /^\d{1,9}$/.test(digits);
    const given = digits === undefined ? others : { ...others, limit: isNumber ? Number(digits) : digits };
    const { limit = usual, after } = parseRequest(wire.PageQuerySchema, given);
    return { limit, after };
  };
}

export function unknownAfter(what: 'session' | 'round'): HttpError {
  return new HttpError(
    400,
    'INVALID_REQUEST',
    `after must be the id of one of your ${what}s; this one may be gone. Leave it out to start at the beginning.`,
  );
}

/** Parameters by name. Throws a 400 if one of them is given twice. */
export function parameters(query: string, names: readonly string[]): Record<string, string> {
  const all = new URLSearchParams(query);
  const found: Record<string, string> = {};
  for (const name of names) {
    const [value, ...others] = all.getAll(name);
    if (others.length > 0) throw new HttpError(400, 'INVALID_REQUEST', `${name} is given twice.`);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** Which rounds are requested. Without `mode`: those of the session's own mode; `all`: those of every mode. */
export type HistoryQuery = { readonly mode?: string } & Partial<Omit<RoundKind, 'mode'>>;

/** Throws a 400 that names the parameter and says what would be right. An empty parameter is like a missing one. */
export function parseHistoryQuery(query: string): HistoryQuery {
  if (query === '') return {};
  const given = Object.entries(parameters(query, ['mode', 'language', 'layout']));
  return parseRequest(wire.HistoryQuerySchema, Object.fromEntries(given.filter(([, value]) => value !== '')));
}
