export const errorMeanings = {
  INVALID_REQUEST: [400, 'the body, a field or a parameter is wrong; the sentence says which.'],
  ROUND_NOT_STARTED: [400, 'the session has no round, or its round is complete.'],
  UNAUTHENTICATED: [401, 'the credentials are missing, malformed, expired or removed.'],
  ORIGIN_NOT_ALLOWED: [403, 'a page of another site may not do this.'],
  HOST_NOT_ALLOWED: [403, 'the server does not answer to this host name.'],
  TLS_REQUIRED: [403, 'the request came neither over loopback nor over TLS.'],
  SESSION_NOT_FOUND: [404, 'no session has this id; it may have expired, or belong to another player.'],
  ANNOUNCEMENT_NOT_FOUND: [404, 'no announcement has this id.'],
  NO_ACTIVE_ANNOUNCEMENT: [404, 'no announcement is current.'],
  NOT_FOUND: [404, 'there is nothing at this address.'],
  METHOD_NOT_ALLOWED: [405, 'see the `Allow` header.'],
  REQUEST_TIMEOUT: [408, 'the request did not arrive in time.'],
  ROUND_CHANGED: [409, 'the input is for another round than the current one of the session.'],
  CHANGE_REFUSED: [409, 'the state of the announcements does not allow it; the sentence says why.'],
  CHANGED_MEANWHILE: [412, 'the revision is no longer that of `If-Match`; `ETag` is the current one.'],
  REQUEST_TOO_LARGE: [
    413,
    'a body has at most 16 KiB; of a batch, a session and an editor 64 KiB; of a round 512 KiB.',
  ],
  UNSUPPORTED_MEDIA_TYPE: [415, 'a body must be `application/json`.'],
  IDEMPOTENCY_KEY_REUSED: [422, 'the key was already used for a different request.'],
  RATE_LIMITED: [429, 'too many requests, open sessions or stored rounds of this client. See `Retry-After`.'],
  INTERNAL_ERROR: [500, 'the server failed; its log says why.'],
  NOT_IMPLEMENTED: [501, 'the server does not know this method or transfer coding.'],
  SESSION_LIMIT_REACHED: [503, 'too many sessions are open (429: of this client). See `Retry-After`.'],
  STORE_UNAVAILABLE: [503, 'the store does not answer now. See `Retry-After`.'],
  HTTP_VERSION_NOT_SUPPORTED: [505, 'the server speaks HTTP/1.1 and HTTP/1.0.'],
} as const satisfies Readonly<Record<string, readonly [status: number, meaning: string]>>;

export type ErrorCode = keyof typeof errorMeanings;
export const errorCodes = Object.keys(errorMeanings) as [ErrorCode, ...ErrorCode[]];
