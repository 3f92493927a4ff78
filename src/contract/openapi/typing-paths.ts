import { playerKeyPattern } from '../player-key.ts';
import { PageQuerySchema } from '../request-types.ts';
import { type Json, toHeaderReferences, toPaths, toQueryParameters } from './document-parts.ts';
import { type SchemaName, toSchemas } from './named-schemas.ts';
import { type TypingOperation, typingOperations } from './typing-operations.ts';

/** The paths of the typing API, below `/api`. */
export function toTypingPaths(): Record<string, Json> {
  return toPaths(typingOperations, toOperation);
}

export const playerKey: Json = {
  type: 'http',
  scheme: 'bearer',
  description: `A secret that the client makes itself, \`${playerKeyPattern.source}\`. The server keeps only its SHA-256.`,
};

const errorDescriptions = {
  400: '`INVALID_REQUEST`: the body or one of its fields is not right; the sentence says which. `ROUND_NOT_STARTED`: the session has no round, or its round is complete. Nothing was changed.',
  401: '`UNAUTHENTICATED`: `Authorization` is something else than `Bearer` and a player key.',
  403: '`ORIGIN_NOT_ALLOWED`: a page of another site may not do this. `HOST_NOT_ALLOWED`: the server does not answer to this host name.',
  404: '`SESSION_NOT_FOUND`: there is no session with this id; it may have expired, or belong to another player. `NOT_FOUND`: no such path.',
  405: '`METHOD_NOT_ALLOWED`: see the `Allow` header.',
  409: '`ROUND_CHANGED`: the session is in another round than the one the input is for. Nothing was changed.',
  413: '`REQUEST_TOO_LARGE`: a body has at most 16 KiB; that of a batch, and of a session with a text of its own, 64 KiB.',
  415: '`UNSUPPORTED_MEDIA_TYPE`: a body must be `application/json`.',
  429: '`RATE_LIMITED`: too many requests, or too many rounds kept for this address. `SESSION_LIMIT_REACHED`: this player or address has reached its limit of open sessions or of their memory. Only where strangers can reach the server. Wait as long as `Retry-After` says.',
  500: '`INTERNAL_ERROR`: the server failed. Finished rounds that could not be written stay in memory for the next try.',
  503: '`SESSION_LIMIT_REACHED`: too many sessions are open. Wait as long as `Retry-After` says.',
} as const;

type ErrorStatus = keyof typeof errorDescriptions;

export function toTypingErrors(): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(errorDescriptions).map(([status, description]) => [
      `Error${status}`,
      toResponse(description, 'Error', headersOfError[Number(status)]),
    ]),
  );
}

export function toTypingParameters(): Record<string, Json> {
  return { SessionId: sessionId, ...toQueryParameters('Page', PageQuerySchema) };
}

const sessionId = {
  name: 'session_id',
  in: 'path',
  required: true,
  description: 'What creating a session answered.',
  schema: { type: 'string' },
};

function toOperation(operation: TypingOperation): Json {
  const { id, summary, description, request, status, response } = operation;
  return {
    operationId: id,
    tags: ['typing'],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(operation.isOpen === true ? { security: [] } : {}),
    ...toParameters(operation),
    ...(request === undefined ? {} : { requestBody: toRequestBody(request) }),
    responses: {
      [status]: toResponse(successDescriptions[status], response),
      ...Object.fromEntries(
        errorsOf(operation).map((error) => [error, { $ref: `#/components/responses/Error${error}` }]),
      ),
    },
  };
}

const successDescriptions = { 200: 'Done.', 201: 'Created.', 204: 'Removed.' } as const;

function hasSession({ path }: TypingOperation): boolean {
  return path.includes('{session_id}');
}

function errorsOf(operation: TypingOperation): ErrorStatus[] {
  const { method, errors = [], isOpen = false } = operation;
  const always: ErrorStatus[] = isOpen ? [403, 405, 429] : [401, 403, 405, 429];
  const ofSessions: ErrorStatus[] = hasSession(operation) ? [404] : [];
  const ofBodies: ErrorStatus[] = method === 'post' ? [400, 413, 415] : [];
  return [...new Set([...always, ...ofSessions, ...ofBodies, ...errors])].sort((a, b) => a - b);
}

function toRequestBody(name: SchemaName): Json {
  const { required } = toSchemas()[name];
  const isNeeded = Array.isArray(required) && required.length > 0;
  return { required: isNeeded, content: { 'application/json': { schema: toReference(name) } } };
}

function toParameters(operation: TypingOperation): Json {
  const names = [
    ...(hasSession(operation) ? ['SessionId'] : []),
    ...(operation.isList === true ? ['Pagelimit', 'Pageafter'] : []),
  ];
  const parameters = [
    ...names.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...Object.entries(operation.query ?? {}).map(([name, description]) => ({
      name,
      in: 'query',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ];
  return parameters.length > 0 ? { parameters } : {};
}

/** On every answer; `RateLimit` and its policy where there is a limit. */
const commonHeaders = ['API-Version', 'Vary', 'RateLimit', 'RateLimit-Policy'] as const;

/** Headers of the typing API's answers. */
export const typingHeaders = {
  Vary: '`Origin`, on every answer: a shared cache must not give one site the answer to another.',
  RateLimit:
    'Requests left and seconds until all are back (draft-ietf-httpapi-ratelimit-headers); only where there is a limit.',
  'RateLimit-Policy': 'The limit itself.',
  'Retry-After': 'Seconds to wait.',
  Allow: 'The methods of this address.',
  'WWW-Authenticate': '`Bearer`.',
} as const;

type HeaderName = keyof typeof typingHeaders;

const headersOfError: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function toResponse(
  description: string,
  name?: SchemaName | 'any object',
  more: readonly HeaderName[] = [],
): Json {
  const schema = name === 'any object' ? { type: 'object' } : name && toReference(name);
  const content = schema === undefined ? {} : { content: { 'application/json': { schema } } };
  return {
    description,
    headers: toHeaderReferences([...commonHeaders, ...more]),
    ...content,
  };
}

function toReference(name: SchemaName): Json {
  return { $ref: `#/components/schemas/${name}` };
}
