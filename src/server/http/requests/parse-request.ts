import * as v from 'valibot';
import { HttpError } from './http-error.ts';

/**
 * Checks a request body. Throws a 400 `INVALID_REQUEST` that says what is wrong and where, without repeating the value.
 *
 * @param isSurelyRight a faster check, which is true only for bodies that the schema accepts unchanged
 */
export function parseRequest<Schema extends v.GenericSchema>(
  schema: Schema,
  body: Record<string, unknown>,
  isSurelyRight?: (body: Record<string, unknown>) => boolean,
): v.InferOutput<Schema> {
  if (isSurelyRight?.(body)) return body as v.InferOutput<Schema>;
  return parsePart(schema, body, 0);
}

/** The same for a body with part of a long list. `from`: index of the part's first entry in the whole list. */
export function parsePart<Schema extends v.GenericSchema>(
  schema: Schema,
  body: Record<string, unknown>,
  from: number,
): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, body, { abortEarly: true });
  if (success) return output;
  throw new HttpError(400, 'INVALID_REQUEST', toSentence(issues[0], from));
}

function toSentence(issue: v.BaseIssue<unknown>, from: number): string {
  const field = toPath(issue.path, from);
  // The message of a variant lists all choices, even if the field is missing.
  const isMissing = issue.kind === 'schema' && issue.input === undefined && issue.type !== 'variant';
  if (isMissing) return `${field} is missing.`;
  // Valibot's default messages contain the received value, so only the expected type is used.
  const complaint = issue.message.startsWith('Invalid') ? `must be ${issue.expected}` : issue.message;
  return `${field} ${complaint}.`;
}

/** A path such as `events[3].char`. It only contains our own names, because unknown fields are ignored. */
function toPath(path: v.BaseIssue<unknown>['path'], from: number): string {
  const outer = path?.findIndex(({ key }) => typeof key === 'number');
  const steps = (path ?? []).map(({ key }, at) =>
    typeof key === 'number' ? `[${at === outer ? from + key : key}]` : `.${String(key)}`,
  );
  return steps.join('').replace(/^\./, '') || 'The request body';
}
