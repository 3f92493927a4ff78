import type { IncomingMessage } from 'node:http';
import { type Body, readBody, releaseBody, tooLarge } from './body-bytes.ts';
import type { Context } from './context.ts';
import { HttpError } from './http-error.ts';
import { findJsonExcess } from './json-shape.ts';

export interface JsonBodyOptions {
  /** Longest accepted body, in bytes. Default: 16 KiB. */
  readonly maxBytes?: number;
  /** Called with the length of the body before it is parsed; an error that it throws or rejects with refuses the request. */
  readonly onBytes?: (bytes: number) => Promise<void> | undefined;
}

const longestBody = 16 * 1024;

/** Shorter bodies, such as batches of one or two keys, cannot contain too many brackets or names. In bytes. */
const neverExcessive = 64;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a request body that is a JSON object; an empty body is an empty object.
 *
 * Rejects with 415 `UNSUPPORTED_MEDIA_TYPE` if the body is not declared as plain JSON, with 400 `INVALID_REQUEST` if it is not
 * UTF-8, not JSON, or not an object, and like `readBody`.
 */
export async function readJsonObject(
  context: Context,
  { maxBytes = longestBody, onBytes }: JsonBodyOptions = {},
): Promise<Record<string, unknown>> {
  const { request } = context;
  const declared = request.headers['content-length'];
  if (declared === '0') return {};
  if (declared !== undefined && Number(declared) > maxBytes) {
    request.resume();
    throw tooLarge(maxBytes);
  }
  const body = await readBody(context, maxBytes);
  try {
    if (body.length === 0) return {};
    const approval = onBytes?.(body.length);
    if (approval !== undefined) await approval;
    requirePlainJson(request);
    if (context.takeTurn !== undefined) await context.takeTurn(body.length);
    return parseBody(body);
  } finally {
    releaseBody(body);
  }
}

function parseBody({ bytes: roomy, length }: Body): Record<string, unknown> {
  const bytes = roomy.subarray(0, length);
  const excess = length > neverExcessive ? findJsonExcess(bytes) : undefined;
  if (excess !== undefined) throw new HttpError(400, 'INVALID_REQUEST', `The request body has ${excess}.`);
  return parseObject(bytes);
}

const plainJson = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Forms and text/plain need no preflight, so accepting them would open the API to every web page. */
function requirePlainJson({ headers }: IncomingMessage): void {
  const type = headers['content-type'];
  const coding = headers['content-encoding'] ?? 'identity';
  if (type === undefined || !(type === 'application/json' || plainJson.test(type)) || coding !== 'identity') {
    throw new HttpError(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body as application/json, in UTF-8, without a content coding.',
    );
  }
}

function parseObject(bytes: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    throw new HttpError(400, 'INVALID_REQUEST', 'The request body is not valid JSON in UTF-8.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpError(400, 'INVALID_REQUEST', 'The request body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}
