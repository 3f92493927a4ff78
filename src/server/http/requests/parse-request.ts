import * as v from 'valibot';
import { HttpError } from './http-error.ts';

/**
 * Checks a request body. Throws 400 `INVALID_REQUEST` that names what is wrong and where, without repeating it.
 *
 * @param isSurelyRight a quicker check, which is true only for what the schema takes as it is
 */
export function parseRequest<Schema extends v.GenericSchema>(
  schema: Schema,
  body: Record<string, unknown>,
  isSurelyRight?: (body: Record<string, unknown>) => boolean,
): v.InferOutput<Schema> {
  if (isSurelyRight?.(body)) return body as v.InferOutput<Schema>;
  return parsePart(schema, body, 0);
}

/** The same for a body with a part of a long list. `from`: index of the first entry of the part in the whole list. */
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
  // What chooses between variants names them all, missing or not.
  const isMissing = issue.kind === 'schema' && issue.input === undefined && issue.type !== 'variant';
  if (isMissing) return `${field} is missing.`;
  // Messages without a text of ours name the kind of value only; what was received is left out.
  const complaint = issue.message.startsWith('Invalid') ? `must be ${issue.expected}` : issue.message;
  return `${field} ${complaint}.`;
}

/** Such as `events[3].char`. Only our own names come up: unknown fields are never looked at. */
function toPath(path: v.BaseIssue<unknown>['path'], from: number): string {
  const outer = path?.findIndex(({ key }) => typeof key === 'number');
  const steps = (path ?? []).map(({ key }, at) =>
    typeof key === 'number' ? `[${at === outer ? from + key : key}]` : `.${String(key)}`,
  );
  return steps.join('').replace(/^\./, '') || 'The request body';
}
