import type { IncomingMessage } from 'node:http';
import type { Context } from './context.ts';
import { HttpError } from './http-error.ts';

export interface JsonBodyOptions {
  /** Longest body taken, in bytes. Default: 16 KiB. */
  readonly maxBytes?: number;
  /** Called with the bytes of the whole body before it is parsed; what it throws, or rejects with, refuses the request. */
  readonly onBytes?: (bytes: number) => Promise<void> | undefined;
}

/** Of each body this much is never refused for want of room; further bytes of all bodies together have a budget. */
const freeBytes = 16 * 1024;
const budgetOfLargeBodies = 32 * 1024 * 1024;
let largeBytes = 0;
/** No request of ours has ten levels, and thousands take JSON.parse a hundred times as long. */
const deepestNesting = 32;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a request body that is a JSON object; an empty body is an empty object.
 *
 * Throws 415 `UNSUPPORTED_MEDIA_TYPE` where the body does not call itself plain JSON, 413 `REQUEST_TOO_LARGE`, and
 * 400 `INVALID_REQUEST` for anything that is not UTF-8, not JSON, or not an object.
 */
export async function readJsonObject(
  { request }: Context,
  { maxBytes = 16 * 1024, onBytes }: JsonBodyOptions = {},
): Promise<Record<string, unknown>> {
  const declared = request.headers['content-length'];
  if (declared === '0') return {};
  if (declared !== undefined && Number(declared) > maxBytes) {
    request.resume();
    throw tooLarge(maxBytes);
  }
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return {};
  const approval = onBytes?.(bytes.length);
  if (approval !== undefined) await approval;
  requirePlainJson(request);
  if (bytes.length > freeBytes && isTooDeep(bytes)) {
    throw new HttpError(
      400,
      'INVALID_REQUEST',
      `The request body has more than ${deepestNesting} nested brackets.`,
    );
  }
  return parseObject(bytes);
}

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    let reserved = 0;
    let isRefused = false;
    const refuse = (error: HttpError) => {
      isRefused = true;
      chunks = [];
      release();
      reject(error);
    };
    const release = () => {
      largeBytes -= reserved;
      reserved = 0;
    };
    request.on('data', (chunk: Buffer) => {
      if (isRefused) return;
      length += chunk.length;
      if (length > maxBytes) return refuse(tooLarge(maxBytes));
      const more = Math.max(0, length - freeBytes) - reserved;
      if (more > 0 && largeBytes + more > budgetOfLargeBodies) return refuse(tooMuchAtOnce());
      reserved += more;
      largeBytes += more;
      chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    // The client went away or took too long: nobody reads the answer, but the handler must not wait for ever.
    const breakOff = () => reject(new HttpError(400, 'INVALID_REQUEST', 'The request body ended early.'));
    // The client may have gone while its limit was asked for elsewhere; nothing more happens to this request then.
    if (request.destroyed) return breakOff();
    request.on('error', breakOff);
    // Every request closes; an error made for nothing would cost as much as all the rest of this.
    request.on('close', () => {
      release();
      if (!request.readableEnded) breakOff();
    });
  });
}

/** Reads the brackets outside of strings, without recursion. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isText) {
      if (byte === 0x5c) at += 1;
      else if (byte === 0x22) isText = false;
    } else if (byte === 0x22) isText = true;
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > deepestNesting) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
  }
  return false;
}

function tooMuchAtOnce(): HttpError {
  return new HttpError(
    429,
    'RATE_LIMITED',
    'Too many large requests are being sent: try again in a moment.',
    ['Retry-After', '1'],
  );
}

/**
 * What is left of such a body is read and thrown away, for as long as a request may take: closing the connection on a
 * client or proxy that is still sending would reset it, and the answer be lost with it (RFC 9112, section 9.6).
 */
function tooLarge(maxBytes: number): HttpError {
  return new HttpError(413, 'REQUEST_TOO_LARGE', `The request body is larger than ${maxBytes} bytes.`);
}

const plainJson = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** A form or text/plain post needs no preflight, so taking one would open the API to every web page. */
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
