import type * as v from 'valibot';
import * as wire from '../../contract/request-types.ts';
import { formatChoices } from '../../contract/session-setup.ts';
import { labelsFrom } from '../../typing/labels.ts';
import type { HttpError } from '../http/errors.ts';
import { invalid } from '../http/errors.ts';
import { parseQuery } from '../http/request-schema.ts';
import type { PageRequest } from '../stores/player.ts';
import type { Setup } from '../stores/session.ts';
import type { Library } from './library.ts';

type SetupRequest = v.InferOutput<typeof wire.CreateSessionRequestSchema>;
type Names = Pick<Library, 'languages' | 'layouts' | 'codeLanguages'>;

/**
 * What all rounds of a session, or an uploaded one, have in common. Throws a 400 that names the field and
 * lists what is known.
 */
export function requestedSetup(request: SetupRequest, library: Names): Setup {
  const { mode, language, layout, rules, punctuation_mode: punctuation } = request;
  requireKnown('language', language, 'en', () => library.languages().map(({ id }) => id));
  if (mode.type === 'code') requireKnown('mode.language', mode.language, 'typescript', library.codeLanguages);
  requireKnown('layout', layout, 'qwerty', () => library.layouts().map(({ id }) => id));
  return { practice: { mode, language, layout, rules, punctuation }, ...labelsFrom(request) };
}

/** Maximum number of names in an error: there are hundreds of layouts. */
const maxNames = 40;

/** The default is accepted without loading the list. */
function requireKnown(field: string, id: string, defaultId: string, known: () => readonly string[]): void {
  if (id === defaultId) return;
  const ids = known();
  if (ids.includes(id)) return;
  const choices =
    ids.length > maxNames
      ? `one of ${ids.length} ids, such as ${formatChoices(ids.slice(0, 9))}`
      : formatChoices(ids);
  throw invalid(`${field} must be ${choices}.`);
}

export function parsePage(query: string, defaultLimit: number): PageRequest {
  const { limit = defaultLimit, after } = parseQuery(wire.PageQuerySchema, query, ['limit']);
  return { limit, after };
}

export function unknownAfter(what: 'session' | 'round'): HttpError {
  return invalid(
    `after must be the id of one of your ${what}s; this one may be gone. Leave it out to start at the beginning.`,
  );
}
