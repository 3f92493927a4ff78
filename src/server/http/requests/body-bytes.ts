import type { BodyBudget } from './body-budget.ts';
import type { Context } from './context.ts';
import { HttpError } from './http-error.ts';
import { hasTransferEncoding, weighHeaders, weighUnread } from './request-head.ts';

/**
 * The first bytes of each request are free, headers included, so that small requests never wait; further bytes of all requests
 * together count towards the budget. Ten thousand connections may each keep these.
 */
const freeBytes = 8 * 1024;

const nothing = Buffer.alloc(0);

/** A whole body. Its reader must call `releaseBody` as soon as the bytes are no longer needed. */
export interface Body {
  /** The bytes, with spare room after them. */
  readonly bytes: Buffer;
  readonly length: number;
}

/** A body that is still arriving, or has arrived. */
interface Arriving {
  readonly client: string;
  readonly budget: BodyBudget;
  /** The memory that the headers of its request take, and what may come beside the bytes of an unfinished one. */
  headBytes: number;
  /** The bytes so far, with spare room after them: a list of short chunks would take hundreds of times as much memory. */
  bytes: Buffer;
  length: number;
  /** Bytes reserved from the budget. */
  reserved: number;
  isRefused: boolean;
}

/**
 * Reads a whole body, which counts towards the budget until it is released. Rejects with 413 `REQUEST_TOO_LARGE`, with 429
 * `RATE_LIMITED` if the budget is used up, and with 400 `INVALID_REQUEST` if the client disconnects before the end.
 */
export function readBody(
  { request, client, bodyBudget: budget }: Pick<Context, 'request' | 'client' | 'bodyBudget'>,
  maxBytes: number,
): Promise<Body> {
  return new Promise((resolve, reject) => {
    const headBytes = weighHeaders(request.rawHeaders);
    const body: Arriving = {
      client,
      budget,
      headBytes,
      bytes: nothing,
      length: 0,
      reserved: 0,
      isRefused: false,
    };
    const add = (chunk: Buffer) => {
      const refusal = addChunk(body, chunk, maxBytes);
      if (refusal === undefined) return;
      body.isRefused = true;
      releaseBody(body);
      reject(refusal);
    };
    if (!request.complete) add(nothing);
    // One that has come as a whole is complete in the next turn, and needs no room for more.
    if (hasTransferEncoding(request.rawHeaders)) setImmediate(weighRest);
    function weighRest(): void {
      if (request.complete || request.destroyed) return;
      body.headBytes = weighUnread(request.rawHeaders);
      add(nothing);
    }
    request.on('data', add);
    request.on('end', () => resolve(body));
    // The client disconnected or took too long: nobody reads the answer, but the handler must not wait for ever.
    const breakOff = () => reject(new HttpError(400, 'INVALID_REQUEST', 'The request body ended early.'));
    // The client may have disconnected while a shared limiter was asked; then no more events of this request follow.
    if (request.destroyed) {
      releaseBody(body);
      return breakOff();
    }
    request.on('error', breakOff);
    // Every request emits this event; an error made in vain would cost as much as the rest of the function.
    request.on('close', () => {
      if (request.readableEnded) return;
      releaseBody(body);
      breakOff();
    });
  });
}

/** Adds a chunk. Returns why the body is refused, or undefined; what arrives after a refusal is discarded. */
function addChunk(body: Arriving, chunk: Buffer, maxBytes: number): HttpError | undefined {
  if (body.isRefused) return undefined;
  const length = body.length + chunk.length;
  if (length > maxBytes) return tooLarge(maxBytes);
  const more = Math.max(0, body.headBytes + length - freeBytes) - body.reserved;
  if (more > 0) {
    if (!body.budget.take(body.client, more)) return tooMuchAtOnce();
    body.reserved += more;
  }
  append(body, chunk, maxBytes);
  return undefined;
}

function append(body: Arriving, chunk: Buffer, maxBytes: number): void {
  const length = body.length + chunk.length;
  if (body.length === 0) body.bytes = chunk;
  else {
    if (length > body.bytes.length) body.bytes = withRoom(body, Math.min(maxBytes, 2 * length));
    chunk.copy(body.bytes, body.length);
  }
  body.length = length;
}

function withRoom({ bytes, length }: Arriving, room: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(room);
  bytes.copy(larger, 0, 0, length);
  return larger;
}

export function releaseBody(body: Body): void {
  // Each of them was made by `readBody`.
  const held = body as Arriving;
  held.budget.giveBack(held.client, held.reserved);
  held.reserved = 0;
  held.bytes = nothing;
}

/**
 * The rest of a body that is too large is read and discarded, for as long as a request may take: closing the connection while the client or
 * a proxy is still sending would reset it, and the answer would be lost (RFC 9112, section 9.6).
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
