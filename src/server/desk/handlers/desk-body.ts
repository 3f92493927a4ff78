import type { GenericSchema, InferOutput } from 'valibot';
import { findSimilar } from '../../../kit/similar-name.ts';
import { parseRequest } from '../../http/requests/json-body.ts';
import { invalid } from '../refusals/desk-refusals.ts';
import { type EditorRequest, longestBody } from './own-request.ts';

/** The schema of a body, with its fields by name. */
export type BodySchema = GenericSchema & { readonly entries: Readonly<Record<string, unknown>> };

export interface DeskBody<T> {
  readonly body: T;
  /** As received. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Reads and checks a body. Rejects with a 400 that says what is wrong; unknown fields are refused. */
export async function readDeskBody<Schema extends BodySchema>(
  { context }: EditorRequest,
  schema: Schema,
): Promise<DeskBody<InferOutput<Schema>>> {
  const raw = await context.json(longestBody);
  refuseUnknown(Object.keys(raw), Object.keys(schema.entries));
  return { body: parseRequest(schema, raw), raw };
}

/** Characters of a name that an error repeats. */
const longestShown = 40;

/** Announcements are public at once: if a misspelt field were ignored, something other than intended would be published. */
function refuseUnknown(given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const meant = findSimilar(unknown, known);
  const shown = JSON.stringify(unknown.slice(0, longestShown));
  const allowed = known.length === 0 ? 'this request has none' : `this request can have ${known.join(', ')}`;
  throw invalid(
    `there is no field ${shown}${meant === undefined ? `; ${allowed}` : `; did you mean ${meant}?`}`,
  );
}
