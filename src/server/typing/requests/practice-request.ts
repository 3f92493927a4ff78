import { createHash } from 'node:crypto';
import type * as v from 'valibot';
import { newOwnLayout, type OwnLayout } from '../../../contract/own-layout.ts';
import type * as wire from '../../../contract/request-types.ts';
import { engineRules, formatChoices } from '../../../contract/session-setup.ts';
import type { Layout } from '../../../typing/letters/layout.ts';
import type { Practice } from '../../../typing/modes/practice.ts';
import { HttpError } from '../../http/requests/http-error.ts';
import type { Setup } from '../../stores/session.ts';
import type { Library } from '../library/library.ts';

/** Most names in an error: there are hundreds of layouts. */
const mostNamed = 40;

type Request = v.InferOutput<typeof wire.CreateSessionRequestSchema>;

/** What all rounds of a session, or an uploaded one, have in common. Throws a 400 like `toPractice`. */
export function requestedSetup(request: Request, library: Parameters<typeof toPractice>[1]): Setup {
  return { practice: toPractice(request, library), clientName: request.client };
}

/** The practice that a session asks for. Throws a 400 that names the field and lists what is known. */
export function toPractice(
  { mode, language, layout, rules, punctuation_mode: punctuation }: Request,
  library: Pick<Library, 'languages' | 'layouts' | 'codeLanguages'>,
): Practice {
  expectKnown('language', language, 'en', () => library.languages().map(({ id }) => id));
  if (mode.type === 'code') expectKnown('mode.language', mode.language, 'typescript', library.codeLanguages);
  const common = { mode, language, rules: engineRules(rules), punctuation };
  if (typeof layout === 'object') {
    const keyboard = toKeyboard(layout);
    return { ...common, layout: keyboard.id, keyboard };
  }
  expectKnown('layout', layout, 'qwerty', () => library.layouts().map(({ id }) => id));
  return { ...common, layout };
}

/** Layouts with the same keys and fingers get the same id, whoever sends them, so that their rounds are of one kind. */
export function toKeyboard(own: OwnLayout): Layout {
  const { rows, fingers } = newOwnLayout('', own);
  const sorted = Object.entries(fingers).sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash('sha256').update(JSON.stringify([rows, sorted]));
  return newOwnLayout(`own-${hash.digest('hex').slice(0, 16)}`, own);
}

/** The default is accepted without loading the list. */
function expectKnown(field: string, id: string, usual: string, known: () => readonly string[]): void {
  if (id === usual) return;
  const ids = known();
  if (ids.includes(id)) return;
  const choices =
    ids.length > mostNamed
      ? `one of ${ids.length} ids, such as ${formatChoices(ids.slice(0, 9))}`
      : formatChoices(ids);
  throw new HttpError(400, 'INVALID_REQUEST', `${field} must be ${choices}.`);
}
