import type { IncomingMessage } from 'node:http';
import type { BodyBudget } from './body-budget.ts';
import { HttpError } from './http-error.ts';

/** Of each body this much is never refused for want of room; further bytes of all bodies together have a budget. */
export const freeBytes = 16 * 1024;

/** A body as it arrives. */
interface Arriving {
  readonly chunks: Buffer[];
  length: number;
  /** Bytes of the budget that it has taken. */
  reserved: number;
  isRefused: boolean;
}

/**
 * Reads a whole body. Rejects with 413 `REQUEST_TOO_LARGE`, with 429 `RATE_LIMITED` where the budget is used up, and with 400
 * `INVALID_REQUEST` where the client goes away before its end.
 */
export function readBodyBytes(
  request: IncomingMessage,
  maxBytes: number,
  budget: BodyBudget,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body: Arriving = { chunks: [], length: 0, reserved: 0, isRefused: false };
    request.on('data', (chunk: Buffer) => {
      const refusal = addChunk(body, chunk, maxBytes, budget);
      if (refusal === undefined) return;
      drop(body, budget);
      reject(refusal);
    });
    request.on('end', () => resolve(toBytes(body.chunks)));
    // The client went away or took too long: nobody reads the answer, but the handler must not wait for ever.
    const breakOff = () => reject(new HttpError(400, 'INVALID_REQUEST', 'The request body ended early.'));
    // The client may have gone while its limit was asked for elsewhere; nothing more happens to this request then.
    if (request.destroyed) return breakOff();
    request.on('error', breakOff);
    // Every request closes; an error made for nothing would cost as much as all the rest of this.
    request.on('close', () => {
      release(body, budget);
      if (!request.readableEnded) breakOff();
    });
  });
}

/** Why the body is refused, or undefined; once it is, what still comes is thrown away. */
function addChunk(
  body: Arriving,
  chunk: Buffer,
  maxBytes: number,
  budget: BodyBudget,
): HttpError | undefined {
  if (body.isRefused) return undefined;
  body.length += chunk.length;
  if (body.length > maxBytes) return tooLarge(maxBytes);
  const more = Math.max(0, body.length - freeBytes) - body.reserved;
  if (more > 0) {
    if (!budget.take(more)) return tooMuchAtOnce();
    body.reserved += more;
  }
  body.chunks.push(chunk);
  return undefined;
}

function drop(body: Arriving, budget: BodyBudget): void {
  body.isRefused = true;
  body.chunks.length = 0;
  release(body, budget);
}

function release(body: Arriving, budget: BodyBudget): void {
  budget.giveBack(body.reserved);
  body.reserved = 0;
}

function toBytes(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/**
 * What is left of such a body is read and thrown away, for as long as a request may take: closing the connection on a
 * client or proxy that is still sending would reset it, and the answer be lost with it (RFC 9112, section 9.6).
 */
export function tooLarge(maxBytes: number): HttpError {
  return new HttpError(413, 'REQUEST_TOO_LARGE', `The request body is larger than ${maxBytes} bytes.`);
}

function tooMuchAtOnce(): HttpError {
  return new HttpError(
    429,
    'RATE_LIMITED',
    'Too many large requests are being sent: try again in a moment.',
    ['Retry-After', '1'],
  );
}
