import * as wire from '../../../contract/request-types.ts';
import type { RoundKind } from '../../../typing/statistics/finished-round.ts';
import { HttpError } from '../../http/requests/http-error.ts';
import { parseRequest } from '../../http/requests/parse-request.ts';

/** Which rounds are requested. Without `mode`: those of the session's own mode; `all`: those of every mode. */
export type HistoryQuery = { readonly mode?: string } & Partial<Omit<RoundKind, 'mode'>>;

/** Throws a 400 that names the parameter and says what would be right. */
export function parseHistoryQuery(query: string): HistoryQuery {
  if (query === '') return {};
  const parameters = new URLSearchParams(query);
  const fields: Record<string, string> = {};
  for (const name of ['mode', 'language', 'layout']) {
    const [value, ...others] = parameters.getAll(name);
    if (others.length > 0) throw new HttpError(400, 'INVALID_REQUEST', `${name} is given twice.`);
    // An empty parameter is like a missing one.
    if (value !== undefined && value !== '') fields[name] = value;
  }
  return parseRequest(wire.HistoryQuerySchema, fields);
}
