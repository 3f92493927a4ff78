import { toJsonSchemaDefs } from '@valibot/to-json-schema';
import { namedSchemas, type Operation, operations, type SchemaName } from './openapi-operations.ts';

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of the typing API, made when the package is built. */
export function createOpenApiDocument(packageVersion: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'typebadge: the typing-practice session API',
      version: packageVersion,
      description:
        'Sessions, rounds, keystrokes and statistics of typing practice. Version v1: `/api/v1/…` answers exactly as `/api/…`, and every answer says `API-Version: v1`. Meant for local use; it asks for no credentials.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api' }, { url: '/api/v1' }],
    security: [],
    tags: [{ name: 'typing', description: 'Typing practice' }],
    paths: toPaths(),
    components: {
      schemas: toSchemas(),
      parameters: {
        SessionId: {
          name: 'session_id',
          in: 'path',
          required: true,
          description: 'What creating a session answered.',
          schema: { type: 'string' },
        },
      },
      headers: {
        ApiVersion: { description: 'The version of this API.', schema: { const: 'v1' } },
      },
      responses: Object.fromEntries(
        Object.entries(errorDescriptions).map(([status, description]) => [
          `Error${status}`,
          toResponse(description, 'Error'),
        ]),
      ),
    },
  };
}

const errorDescriptions = {
  400: '`INVALID_REQUEST`: the body or one of its fields is not right; the sentence says which. `ROUND_NOT_STARTED`: the session has no round, or its round is complete. Nothing was changed.',
  403: '`ORIGIN_NOT_ALLOWED`: a page of another site may not do this. `HOST_NOT_ALLOWED`: the server does not answer to this host name.',
  404: '`SESSION_NOT_FOUND`: there is no session with this id; it may have expired. `NOT_FOUND`: there is nothing at this address.',
  405: '`METHOD_NOT_ALLOWED`: see the `Allow` header.',
  413: '`REQUEST_TOO_LARGE`: a body has at most 16 KiB, that of a batch 64 KiB.',
  415: '`UNSUPPORTED_MEDIA_TYPE`: a body must be `application/json`.',
  429: '`RATE_LIMITED`: only where the server is open to the network. Wait as long as `Retry-After` says.',
  500: '`INTERNAL_ERROR`: the server failed. Finished rounds that could not be written stay in memory for the next try.',
  503: '`SESSION_LIMIT_REACHED`: too many sessions are open. Wait as long as `Retry-After` says.',
} as const;

type ErrorStatus = keyof typeof errorDescriptions;

function toPaths(): Record<string, Record<string, Json>> {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: toOperation(operation) };
  }
  return paths;
}

function toOperation(operation: Operation): Json {
  const { id, summary, description, request, status, response } = operation;
  return {
    operationId: id,
    tags: ['typing'],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(hasSession(operation) ? { parameters: [{ $ref: '#/components/parameters/SessionId' }] } : {}),
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

function hasSession({ path }: Operation): boolean {
  return path.includes('{session_id}');
}

function errorsOf(operation: Operation): ErrorStatus[] {
  const { method, errors = [] } = operation;
  const always: ErrorStatus[] = [403, 405, 429];
  const ofSessions: ErrorStatus[] = hasSession(operation) ? [404] : [];
  const ofBodies: ErrorStatus[] = method === 'post' ? [400, 413, 415] : [];
  return [...new Set([...always, ...ofSessions, ...ofBodies, ...errors])].sort((a, b) => a - b);
}

function toRequestBody(name: SchemaName): Json {
  const { required } = toSchemas()[name];
  const isNeeded = Array.isArray(required) && required.length > 0;
  return { required: isNeeded, content: { 'application/json': { schema: toReference(name) } } };
}

function toResponse(description: string, name?: SchemaName | 'any object'): Json {
  const schema = name === 'any object' ? { type: 'object' } : name && toReference(name);
  const content = schema === undefined ? {} : { content: { 'application/json': { schema } } };
  return { description, headers: { 'API-Version': { $ref: '#/components/headers/ApiVersion' } }, ...content };
}

function toReference(name: SchemaName): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function toSchemas(): Record<SchemaName, Json> {
  return toJsonSchemaDefs(namedSchemas, {
    target: 'draft-2020-12',
    // What clients may send: fields with a default may be left out.
    typeMode: 'input',
    // A check written as code cannot be told in a schema; the descriptions tell it.
    errorMode: 'ignore',
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  }) as Record<SchemaName, Json>;
}
