import type { GenericSchema } from 'valibot';
import type { ErrorCode } from '../error-codes.ts';

export interface Operation {
  /** The path is below the address of its API; `{session_id}` and `{id}` are parameters. */
  readonly route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  readonly summary: string;
  readonly description?: string;
  /** The JSON body; the document says that it is optional if all of its fields are. */
  readonly request?: GenericSchema;
  /** Whether the body must be sent although no single field is required: one of several is. */
  readonly requiresBody?: boolean;
  /** Query parameters: a schema of an object. */
  readonly query?: GenericSchema;
  /** Default: 200. */
  readonly status?: 200 | 201 | 204;
  /** Missing: the answer has no body. */
  readonly answer?: GenericSchema | 'any object';
  /** Headers of this endpoint's success, in addition to those of its API. */
  readonly headers?: readonly HeaderName[];
  readonly requestHeaders?: readonly ('If-Match' | 'Idempotency-Key')[];
  /** Whether the answer is the same for everyone, with or without credentials. */
  readonly isPublic?: boolean;
  /** Further statuses that are no errors of the API, such as 304. */
  readonly others?: Readonly<Record<number, { description: string; answer?: GenericSchema }>>;
  /** Errors in addition to those that its API, its path and its body imply. */
  readonly errors?: readonly ErrorCode[];
}

/** By their `operationId`. */
export type Operations = Readonly<Record<string, Operation>>;

export interface Api {
  readonly tag: 'typing' | 'editors' | 'badge';
  /** Missing: that of the document. */
  readonly server?: string;
  /** Missing: that of the document. */
  readonly security?: readonly object[];
  readonly operations: Operations;
  readonly errors: readonly ErrorCode[];
  /** Headers of every success, and of every error. */
  readonly headers: readonly HeaderName[];
  readonly errorHeaders: readonly HeaderName[];
}

/** Errors of every endpoint that asks for credentials. */
export const apiErrors: readonly ErrorCode[] = [
  'UNAUTHENTICATED',
  'ORIGIN_NOT_ALLOWED',
  'HOST_NOT_ALLOWED',
  'METHOD_NOT_ALLOWED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'STORE_UNAVAILABLE',
];

export const headerMeanings = {
  'API-Version': 'The version of this API.',
  Vary: '`Origin`, on every answer: a shared cache must not give one site the answer to another.',
  RateLimit:
    'Requests left and seconds until all are back (draft-ietf-httpapi-ratelimit-headers); only where there is a limit.',
  'RateLimit-Policy': 'The limit itself.',
  'Retry-After': 'Seconds to wait.',
  Allow: 'The methods of this address.',
  'WWW-Authenticate': '`Bearer`.',
  ETag: 'Tag of this version, for `If-None-Match`; of announcements and origins: their revision, for `If-Match`.',
  'Cache-Control': 'How long caches may keep it.',
  'Access-Control-Allow-Origin': 'The origin of the request, if it is on the allow-list.',
} as const;

export type HeaderName = keyof typeof headerMeanings;

export const errorHeadersOf: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  412: ['ETag'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};
