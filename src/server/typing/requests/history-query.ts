import * as wire from '../../../contract/request-types.ts';
import type { RoundKind } from '../../../typing/statistics/finished-round.ts';
import { parseRequest } from '../../http/requests/parse-request.ts';
import { parameters } from './page-query.ts';

/** Which rounds are requested. Without `mode`: those of the session's own mode; `all`: those of every mode. */
export type HistoryQuery = { readonly mode?: string } & Partial<Omit<RoundKind, 'mode'>>;

/** Throws a 400 that names the parameter and says what would be right. An empty parameter is like a missing one. */
export function parseHistoryQuery(query: string): HistoryQuery {
  if (query === '') return {};
  const given = Object.entries(parameters(query, ['mode', 'language', 'layout']));
  return parseRequest(wire.HistoryQuerySchema, Object.fromEntries(given.filter(([, value]) => value !== '')));
}
