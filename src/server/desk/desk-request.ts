import { createHash } from 'node:crypto';
import type { GenericSchema, InferOutput } from 'valibot';
import type { Change } from '../../announcements/announcement.ts';
import { fieldOf } from '../../announcements/fields.ts';
import { plainNames } from '../../announcements/plain-values.ts';
import { type DeskQuery, DeskQuerySchema } from '../../contract/desk-types.ts';
import { HttpError } from '../http/errors.ts';
import { parseQuery, parseRequest } from '../http/request-schema.ts';
import type { DeskRequest } from './desk-operations.ts';
import { invalid } from './desk-refusals.ts';

export type BodySchema = GenericSchema & { readonly entries: Readonly<Record<string, unknown>> };

/** Checks a body. Throws a 400 that says what is wrong; unknown fields are refused. */
export function parseBody<Schema extends BodySchema>(
  schema: Schema,
  { body }: DeskRequest,
): InferOutput<Schema> {
  refuseUnknown(Object.keys(body), Object.keys(schema.entries));
  const parsed = parseRequest(schema, body);
  // The schema silently drops nested names such as `__proto__`; our rules refuse them in the raw body.
  const nested = plainNames.filter((name) => fieldOf(name).kind === 'nested' && Object.hasOwn(body, name));
  return Object.assign({}, parsed, Object.fromEntries(nested.map((name) => [name, body[name]])));
}

/** Refuses misspelt fields: an announcement is public at once, and would not be the intended one. */
function refuseUnknown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const allowed = known.length === 0 ? 'this request has none' : `this request can have ${known.join(', ')}`;
  throw invalid(`there is no field ${JSON.stringify(unknown.slice(0, 40))}; ${allowed}`);
}

export function deskQuery({ query }: DeskRequest): DeskQuery {
  return parseQuery(DeskQuerySchema, query, ['limit', 'days']);
}

/**
 * Identifies a POST by its Idempotency-Key: `<hash of editor and key>.<hash of the request>`. It is stored in
 * the log with the change, so that both are written or neither, on every replica and across restarts.
 * Undefined if no key was sent.
 */
export function requestMark({
  method,
  path,
  body,
  editor,
  idempotencyKey: key,
}: DeskRequest): string | undefined {
  if (key === undefined || method !== 'POST') return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalid('Idempotency-Key must be 1 to 255 visible ASCII characters');
  return `${hash(`${editor.key}\n${key}`)}.${hash(`${path}\n${JSON.stringify(body)}`)}`;
}

/** 132 bits of SHA-256. */
export function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** How long a repeated request is recognised, in milliseconds. */
const rememberedFor = 24 * 60 * 60 * 1000;

/**
 * The number of the change that this request, or another one with its key, made within the last day, counted
 * from 1; 0 if there is none. Throws if the key was another request's.
 */
export function findRepeated(changes: readonly Change[], mark: string | undefined, now: number): number {
  if (mark === undefined) return 0;
  const [key] = mark.split('.');
  const at = changes.findLastIndex(({ request }) => request?.split('.')[0] === key);
  const first = changes[at];
  if (first === undefined || Date.parse(first.at) < now - rememberedFor) return 0;
  if (first.request === mark) return at + 1;
  throw new HttpError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was already used for a different request. Nothing was changed: use a new key.',
  );
}
