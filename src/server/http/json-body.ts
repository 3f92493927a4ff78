import type { IncomingMessage } from 'node:http';
import { ownerOf } from '../../kit/address.ts';
import { limits } from '../settings/limits.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { HttpError, invalid } from './errors.ts';
import type { RequestHead } from './request.ts';

/** @param client who sends it: only some bodies of one may arrive at a time */
export async function readBody(
  request: IncomingMessage,
  head: RequestHead,
  client: string,
  maxBytes: number,
): Promise<Buffer> {
  if (Number(head.contentLength) > maxBytes) throw tooLarge(maxBytes);
  // In the next turn of the loop, a body that arrived together with its head is complete.
  if (!request.complete) await new Promise(setImmediate);
  const bytes = request.complete
    ? readWhole(request)
    : await arriving(ownerOf(client), () => collectBody(request, maxBytes));
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

/** Bodies that arrive slowly are kept in memory meanwhile. */
const arriving = createConcurrencyLimit({ each: limits.clientBodies });

/** The body of a request that is complete. A call of `read` returns all of it, in Node 26 only one chunk. */
function readWhole(request: IncomingMessage): Buffer {
  const chunks: Buffer[] = [];
  for (let next = request.read(); next !== null; next = request.read()) chunks.push(next);
  return chunks[1] === undefined ? (chunks[0] ?? nothing) : Buffer.concat(chunks);
}

/**
 * Collects a body in one buffer that grows: thousands of tiny chunks would take far more memory, and so would
 * the iterator of the stream.
 */
function collectBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = nothing;
    let length = 0;
    // The client disconnected or took too long. Nobody reads the answer, but the handler must go on.
    const rejectEarlyEnd = () => reject(invalid('The request body ended early.'));
    // It may have been destroyed while a shared limiter was awaited; then no more events follow.
    if (request.destroyed) return rejectEarlyEnd();
    request.on('data', (chunk: Buffer) => {
      const before = length;
      length += chunk.length;
      if (length > maxBytes) {
        // What still arrives is discarded.
        bytes = nothing;
        reject(tooLarge(maxBytes));
      } else if (before === 0) {
        // Without a copy: 5,000 clients that never finish their bodies would take a third more.
        bytes = chunk;
      } else {
        if (length > bytes.length)
          bytes = Buffer.concat([bytes.subarray(0, before)], Math.min(2 * length, maxBytes));
        chunk.copy(bytes, before);
      }
    });
    request.on('end', () => resolve(bytes.subarray(0, length)));
    request.on('error', rejectEarlyEnd);
    request.on('close', rejectEarlyEnd);
  });
}

const nothing = Buffer.alloc(0);

export function parseJson(bytes: Buffer, head: RequestHead): Record<string, unknown> {
  if (bytes.length === 0) return {};
  const { contentType: type = '', contentEncoding: coding = 'identity' } = head;
  // Forms and text/plain need no preflight, so accepting them would open the API to every web page.
  if (!plainJson.test(type) || coding !== 'identity') {
    throw new HttpError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body as application/json, in UTF-8, without a content coding.',
    );
  }
  if (isNestedDeeply(bytes))
    throw invalid(`The request body has more than ${limits.jsonDepth} nested brackets.`);
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (error) {
    throw invalid(`The request body is not valid JSON${placeOf(error as Error, bytes.toString())}.`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw invalid('The request body must be a JSON object.');
}

function tooLarge(maxBytes: number): HttpError {
  return new HttpError('REQUEST_TOO_LARGE', `The request body is larger than ${maxBytes} bytes.`);
}

const plainJson = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const [quote, backslash] = [0x22, 0x5c];

/** JSON.parse takes a microsecond for each level: a quarter of a second for an upload of brackets. */
function isNestedDeeply(bytes: Buffer): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      at += 1;
      while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > limits.jsonDepth) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
  }
  return false;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Where the JSON is wrong, such as `: line 1, column 9`. */
function placeOf({ message, name }: Error, text: string): string {
  if (name !== 'SyntaxError') return ': it is not UTF-8';
  const position = positionOf(message, text);
  if (position === undefined) return '';
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  return `: line ${line}, column ${before.length - before.lastIndexOf('\n')}`;
}

/**
 * Node names the position, except of an unexpected token: the shortest text with that error ends there. It is
 * not searched in a long text, whose parsing takes milliseconds.
 */
function positionOf(message: string, text: string): number | undefined {
  const named = / at position (\d+)/.exec(message)?.[1];
  if (named !== undefined) return Number(named);
  if (text.length > limits.bodyBytes) return undefined;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hasUnexpectedToken(text.slice(0, middle + 1))) high = middle;
    else low = middle + 1;
  }
  return low;
}

function hasUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return (error as Error).message.startsWith('Unexpected token');
  }
}
