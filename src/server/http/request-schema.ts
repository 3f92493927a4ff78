import * as v from 'valibot';
import { invalid } from './errors.ts';

/**
 * Checks a body, or the part of it at `place`. Throws a 400 `INVALID_REQUEST` that says what is wrong and
 * where, but not the value.
 */
export function parseRequest<Schema extends v.GenericSchema>(
  schema: Schema,
  body: unknown,
  place = '',
): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, body, { abortEarly: true });
  if (success) return output;
  throw invalid(sentenceOf(issues[0], place));
}

type QuerySchema = v.GenericSchema & { readonly entries: object };

/**
 * Checks a query, likewise. Each parameter may be given once; an empty one counts as missing, and so does an
 * unknown one.
 *
 * @param numbers names of the parameters that are numbers
 */
export function parseQuery<Schema extends QuerySchema>(
  schema: Schema,
  query: string,
  numbers: readonly string[] = [],
): v.InferOutput<Schema> {
  const given = new URLSearchParams(query);
  const found: Record<string, unknown> = {};
  for (const name of Object.keys(schema.entries)) {
    const [value = '', ...others] = given.getAll(name);
    if (others.length > 0) throw invalid(`${name} is given twice.`);
    const isNumber = numbers.includes(name) && /^\d{1,9}$/.test(value);
    if (value !== '') found[name] = isNumber ? Number(value) : value;
  }
  return parseRequest(schema, found);
}

function sentenceOf(issue: v.BaseIssue<unknown>, place: string): string {
  const field = fieldPath(issue.path, place);
  // The message of a variant lists all choices, even if the field is missing.
  const isMissing = issue.kind === 'schema' && issue.input === undefined && issue.type !== 'variant';
  if (isMissing) return `${field} is missing.`;
  // Valibot's default messages contain the received value, so only the expected type is used.
  const complaint = issue.message.startsWith('Invalid') ? `must be ${issue.expected}` : issue.message;
  return `${field} ${complaint}.`;
}

/** A path such as `events[3].char`. It only has names of the schema, because unknown fields are ignored. */
function fieldPath(path: v.BaseIssue<unknown>['path'], place: string): string {
  const steps = (path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return (place + steps.join('')).replace(/^\./, '') || 'The request body';
}
