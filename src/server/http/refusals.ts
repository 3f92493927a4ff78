import type { KitCode, Refusal } from './errors.ts';

const refusal = (
  status: number,
  code: KitCode,
  message: string,
  headers: readonly string[] = [],
): Refusal => ({ status, code, message, headers });

const last = (...facts: Parameters<typeof refusal>): Refusal => ({ ...refusal(...facts), isLast: true });

const continueOnly = 'The only expectation that this server supports is 100-continue.';
export const unknownExpectation = last(417, 'INVALID_REQUEST', continueOnly);
export const invalidHostHeader = last(400, 'INVALID_REQUEST', 'A request must have exactly one Host header.');
export const versionNotSupported = last(505, 'HTTP_VERSION_NOT_SUPPORTED', 'This server speaks HTTP/1.1.');
export const tooManyHeaderLines = last(431, 'INVALID_REQUEST', 'The request has too many header lines.');
const chunkedOnly = 'The only transfer coding this server reads is chunked.';
export const unknownTransferCoding = last(501, 'NOT_IMPLEMENTED', chunkedOnly);
const modernOnly = 'A request with Transfer-Encoding must be HTTP/1.1.';
export const invalidFraming = last(400, 'INVALID_REQUEST', modernOnly);

const otherHost = 'This server does not answer to that host name (see --allow-host).';
export const hostNotAllowed = refusal(403, 'HOST_NOT_ALLOWED', otherHost);
export const pathNotCanonical = refusal(400, 'INVALID_REQUEST', 'The path of this request is not canonical.');
export const notFound = refusal(404, 'NOT_FOUND', 'Not found.');
const tooMany = 'Too many requests: wait as long as Retry-After says, then try again.';
export const rateLimited = refusal(429, 'RATE_LIMITED', tooMany);
const otherOrigin = 'This origin is not on the allow-list of this server.';
export const originNotAllowed = refusal(403, 'ORIGIN_NOT_ALLOWED', otherOrigin);
const failure = 'The server failed to answer this request; its log says why.';
export const internalError = refusal(500, 'INTERNAL_ERROR', failure);

export function methodNotAllowed(allow: string): Refusal {
  return refusal(405, 'METHOD_NOT_ALLOWED', `This address only accepts ${allow}.`, ['Allow', allow]);
}

/** Every method that at least one path accepts. */
const methodsAnywhere = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS';

// Of requests that the parser refuses, or hands over as a bare socket.
export const malformed = last(400, 'INVALID_REQUEST', 'This is not a well-formed HTTP/1.1 request.');
export const requestTimeout = last(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive.');
const tooLong = 'The request line and headers are too long, or too many.';
export const headTooLong = last(431, 'INVALID_REQUEST', tooLong);
export const unknownMethod = last(501, 'NOT_IMPLEMENTED', 'This server does not know that method.');
const noTunnel = 'This server is not a proxy.';
export const noProxy = last(405, 'METHOD_NOT_ALLOWED', noTunnel, ['Allow', methodsAnywhere]);
