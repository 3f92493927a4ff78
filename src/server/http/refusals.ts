import type { KitCode, Refusal } from './errors.ts';
import type { Reply } from './reply.ts';
import { tooManyRequests } from './request.ts';

const refusal = (
  status: number,
  code: KitCode,
  message: string,
  headers: readonly string[] = [],
): Refusal => ({ status, code, message, headers, isLast: false });
const lastRefusal = (status: number, code: KitCode, message: string): Refusal => ({
  ...refusal(status, code, message),
  isLast: true,
});

export const hostNotAllowed = refusal(
  403,
  'HOST_NOT_ALLOWED',
  'This server does not answer to that host name (see --allow-host).',
);
export const hostNotProper = lastRefusal(
  400,
  'INVALID_REQUEST',
  'A request must have exactly one Host header.',
);
export const versionNotSupported = lastRefusal(
  505,
  'HTTP_VERSION_NOT_SUPPORTED',
  'This server speaks HTTP/1.1.',
);
export const tooManyHeaderLines = lastRefusal(
  431,
  'INVALID_REQUEST',
  'The request has too many header lines.',
);
export const framingNotProper = lastRefusal(
  400,
  'INVALID_REQUEST',
  'A request with Transfer-Encoding must be HTTP/1.1.',
);
export const codingNotKnown = lastRefusal(
  501,
  'NOT_IMPLEMENTED',
  'The only transfer coding this server reads is chunked.',
);
export const pathNotCanonical = refusal(400, 'INVALID_REQUEST', 'The path of this request is not canonical.');
export const notFound = refusal(404, 'NOT_FOUND', 'Not found.');
export const rateLimited: Refusal = { ...tooManyRequests, headers: [], isLast: false };
export const originNotAllowed = refusal(
  403,
  'ORIGIN_NOT_ALLOWED',
  'This origin is not on the allow-list of this server.',
);
export const internalError = refusal(
  500,
  'INTERNAL_ERROR',
  'The server failed to answer this request; its log says why.',
);

const methodRefusals = new Map<string, Refusal>();

/** One for each distinct list of allowed methods. */
export function methodNotAllowed(allow: string): Refusal {
  let prepared = methodRefusals.get(allow);
  if (prepared === undefined) {
    prepared = refusal(405, 'METHOD_NOT_ALLOWED', `This address only accepts ${allow}.`, ['Allow', allow]);
    methodRefusals.set(allow, prepared);
  }
  return prepared;
}

/** Every method that at least one path accepts. */
export const methodsAnywhere = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS';

/** To `OPTIONS *`, which asks about the server as a whole (RFC 9110, section 9.3.7). */
export const serverOptions: Reply = {
  status: 204,
  headers: ['Allow', methodsAnywhere, 'Cache-Control', 'no-store'],
};
