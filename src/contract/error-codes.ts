/** Every code that an answer of this server may carry, whichever API it is of. */
export const errorCodes = [
  'SESSION_NOT_FOUND',
  'ROUND_NOT_STARTED',
  'ROUND_CHANGED',
  'INVALID_REQUEST',
  'INTERNAL_ERROR',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'RATE_LIMITED',
  'ORIGIN_NOT_ALLOWED',
  'HOST_NOT_ALLOWED',
  'REQUEST_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'SESSION_LIMIT_REACHED',
  'STORE_UNAVAILABLE',
  'UNAUTHENTICATED',
  'NO_ACTIVE_ANNOUNCEMENT',
  'PRECONDITION_FAILED',
  'REQUEST_TIMEOUT',
  'NOT_IMPLEMENTED',
  'HTTP_VERSION_NOT_SUPPORTED',
] as const;

export type ErrorCode = (typeof errorCodes)[number];
