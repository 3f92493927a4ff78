import type { ErrorCode } from '../../contract/error-codes.ts';
import { HttpError } from './errors.ts';

/** A refusal that closes the connection. */
const last = (code: ErrorCode, message: string, status?: number, headers?: readonly string[]) =>
  new HttpError(code, message, headers, status, true);

const continueOnly = 'The only expectation that this server supports is 100-continue.';
export const unknownExpectation = last('INVALID_REQUEST', continueOnly, 417);
export const invalidHostHeader = last('INVALID_REQUEST', 'A request must have exactly one Host header.');
export const versionNotSupported = last('HTTP_VERSION_NOT_SUPPORTED', 'This server speaks HTTP/1.1.');
export const tooManyHeaderLines = last('INVALID_REQUEST', 'The request has too many header lines.', 431);
const chunkedOnly = 'The only transfer coding this server reads is chunked.';
export const unknownTransferCoding = last('NOT_IMPLEMENTED', chunkedOnly);
export const invalidFraming = last('INVALID_REQUEST', 'A request with Transfer-Encoding must be HTTP/1.1.');

const otherHost = 'This server does not answer to that host name (see --allow-host).';
export const hostNotAllowed = new HttpError('HOST_NOT_ALLOWED', otherHost);
export const pathNotCanonical = new HttpError(
  'INVALID_REQUEST',
  'The path of this request is not canonical.',
);
export const notFound = new HttpError('NOT_FOUND', 'Not found.');
const tooMany = 'Too many requests: wait as long as Retry-After says, then try again.';
export const rateLimited = new HttpError('RATE_LIMITED', tooMany);
const otherOrigin = 'This origin is not on the allow-list of this server.';
export const originNotAllowed = new HttpError('ORIGIN_NOT_ALLOWED', otherOrigin);
const failure = 'The server failed to answer this request; its log says why.';
export const internalError = new HttpError('INTERNAL_ERROR', failure);

export function methodNotAllowed(allow: string): HttpError {
  return new HttpError('METHOD_NOT_ALLOWED', `This address only accepts ${allow}.`, ['Allow', allow]);
}

const anywhere = ['Allow', 'GET, HEAD, POST, PATCH, DELETE, OPTIONS'];

// Of requests that the parser refuses, or hands over as a bare socket.
export const malformed = last('INVALID_REQUEST', 'This is not a well-formed HTTP/1.1 request.');
export const requestTimeout = last('REQUEST_TIMEOUT', 'The request took too long to arrive.');
const tooLong = 'The request line and headers are too long, or too many.';
export const headTooLong = last('INVALID_REQUEST', tooLong, 431);
export const unknownMethod = last('NOT_IMPLEMENTED', 'This server does not know that method.');
export const noProxy = last('METHOD_NOT_ALLOWED', 'This server is not a proxy.', undefined, anywhere);
