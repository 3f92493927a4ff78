import { DeskQuerySchema } from '../desk-types.ts';
import { editorTokenPattern } from '../editor-token.ts';
import { type DeskOperation, deskOperations } from './desk-operations.ts';
import { type Json, toHeaderReferences, toPaths, toQueryParameters } from './document-parts.ts';

/** The paths of the editors' API, below `/api` like those of the typing API. */
export function toDeskPaths(): Record<string, Json> {
  return toPaths(deskOperations, toOperation);
}

export const editorToken: Json = {
  type: 'http',
  scheme: 'bearer',
  description: `The token of an editor, made with \`typebadge editors add\`: \`${editorTokenPattern.source}\`. It is taken over loopback, or over TLS through a trusted proxy.`,
};

const errors = {
  400: '`INVALID_REQUEST`: the body, one of its fields, a parameter or `Idempotency-Key` is not right; the sentence says which. Nothing was changed.',
  401: '`UNAUTHENTICATED`: no token, or one that is wrong, expired or removed; of one that has expired the sentence says so.',
  403: '`TLS_REQUIRED`: the request came neither over loopback nor over TLS. `ORIGIN_NOT_ALLOWED`: it came from a page of another site. `HOST_NOT_ALLOWED`: the server does not answer to this host name.',
  404: '`ANNOUNCEMENT_NOT_FOUND`: there is none with this id.',
  405: '`METHOD_NOT_ALLOWED`: see the `Allow` header.',
  409: '`CHANGE_REFUSED`: it cannot be done as the announcements are; the sentence says why. Nothing was changed.',
  412: '`CHANGED_MEANWHILE`: what is to change is not at the revision of `If-Match`; the sentence says what other editors did to announcements, `ETag` is the revision now. Nothing was changed.',
  413: '`REQUEST_TOO_LARGE`: a body has at most 64 KiB.',
  415: '`UNSUPPORTED_MEDIA_TYPE`: a body must be `application/json`.',
  422: '`IDEMPOTENCY_KEY_REUSED`: the key was already used for a different request. Nothing was changed.',
  429: '`RATE_LIMITED`: too many requests, or five wrong tokens within a minute. Wait as long as `Retry-After` says.',
  500: '`INTERNAL_ERROR`: the server failed, or its content is broken; its log says why.',
  503: '`STORE_UNAVAILABLE`: the store does not answer now, or has lost the list of editors. Wait as long as `Retry-After` says.',
} as const;

type ErrorStatus = keyof typeof errors;

const headersOfError: { readonly [S in ErrorStatus]?: readonly string[] } = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  412: ['ETag'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

export const deskErrors: Record<string, Json> = Object.fromEntries(
  (Object.keys(errors) as unknown as ErrorStatus[]).map((status) => [
    `DeskError${status}`,
    {
      description: errors[status],
      headers: toHeaderReferences(headersOfError[status] ?? []),
      ...toContent('Error'),
    },
  ]),
);

export const deskParameters: Record<string, Json> = {
  AnnouncementId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Id of an announcement.',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The revision that you have seen: 412 where it is another now.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Names this request, such as a UUID. Sent again with the same key within a day, it changes nothing and gets the first answer again.',
    schema: { type: 'string', maxLength: 255 },
  },
  ...toQueryParameters('Desk', DeskQuerySchema),
};

function toOperation(operation: DeskOperation): Json {
  const { id, summary, description, request, status, response, isTagged = false } = operation;
  return {
    operationId: id,
    tags: ['editors'],
    summary,
    ...(description === undefined ? {} : { description }),
    security: [{ editorToken: [] }],
    ...toParameters(operation),
    ...(request === undefined ? {} : { requestBody: toRequestBody(operation) }),
    responses: {
      [status]: {
        description: status === 201 ? 'Published.' : 'Done.',
        headers: toHeaderReferences(isTagged ? ['API-Version', 'ETag'] : ['API-Version']),
        ...toContent(response),
      },
      ...Object.fromEntries(
        errorsOf(operation).map((error) => [error, { $ref: `#/components/responses/DeskError${error}` }]),
      ),
    },
  };
}

function errorsOf({ method, path, request, query, isChange = false }: DeskOperation): ErrorStatus[] {
  const found: ErrorStatus[] = [401, 403, 405, 429, 500, 503];
  if (request !== undefined) found.push(400, 413, 415);
  if (query !== undefined) found.push(400);
  if (path.includes('{id}')) found.push(404);
  if (isChange || method === 'delete') found.push(409);
  if (isChange) found.push(412);
  if (isChange && method === 'post') found.push(422);
  return found.sort((a, b) => a - b);
}

function toParameters({ method, path, query = [], isChange = false }: DeskOperation): Json {
  const names = [
    ...(path.includes('{id}') ? ['AnnouncementId'] : []),
    ...query.map((name) => `Desk${name}`),
    ...(isChange ? ['IfMatch'] : []),
    ...(isChange && method === 'post' ? ['IdempotencyKey'] : []),
  ];
  return names.length === 0
    ? {}
    : { parameters: names.map((name) => ({ $ref: `#/components/parameters/${name}` })) };
}

/** A body is required where its schema has a required field. */
function toRequestBody({ request }: DeskOperation): Json {
  const required = request === 'PublishRequest' || request === 'OriginRequest';
  return { required, ...toContent(request as string) };
}

function toContent(name: string): Json {
  return { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } };
}
