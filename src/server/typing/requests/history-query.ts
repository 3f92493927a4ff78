import * as wire from '../../../contract/request-types.ts';
import type { RoundKind } from '../../../typing/statistics/finished-round.ts';
import { HttpError } from '../../http/requests/http-error.ts';
import { parseRequest } from '../../http/requests/parse-request.ts';

/** Which rounds are asked for. `mode` missing: those of the session's own mode; `all`: of every mode. */
export type HistoryQuery = { readonly mode?: string } & Partial<Omit<RoundKind, 'mode'>>;

/** Throws 400 that names the parameter and what would be right. */
export function parseHistoryQuery(query: string): HistoryQuery {
  if (query === '') return {};
  const parameters = new URLSearchParams(query);
  const fields: Record<string, string> = {};
  for (const name of ['mode', 'language', 'layout']) {
    const [value, ...others] = parameters.getAll(name);
    if (others.length > 0) throw new HttpError(400, 'INVALID_REQUEST', `${name} is given twice.`);
    // An empty one chooses all, like a missing one.
    if (value !== undefined && value !== '') fields[name] = value;
  }
  return parseRequest(wire.HistoryQuerySchema, fields);
}
