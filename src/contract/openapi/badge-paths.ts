import { type BadgeOperation, badgeOperations } from './badge-operations.ts';
import { type Json, toHeaderReferences } from './document-parts.ts';

/** The paths of the badge service. They are not below `/api`, so each names the root as its server. */
export function toBadgePaths(): Record<string, Json> {
  return Object.fromEntries(
    badgeOperations.map((operation) => [
      operation.path,
      { servers: [{ url: '/' }], get: toOperation(operation) },
    ]),
  );
}

/** Headers of the badge's answers that those of the typing API do not have. */
export const badgeHeaders = {
  ETag: 'Tag of this version of the file, for `If-None-Match`.',
  'Cache-Control': 'How long caches may keep it.',
  'Access-Control-Allow-Origin': 'The origin that asked, where it is on the allow-list.',
} as const;

function toOperation(operation: BadgeOperation): Json {
  const { id, summary, description, others = {} } = operation;
  const isReadiness = operation.response === 'Readiness';
  return {
    operationId: id,
    tags: ['badge'],
    summary,
    ...(description === undefined ? {} : { description }),
    security: [],
    ...toParameters(operation),
    responses: {
      ...toSuccess(operation),
      ...(operation.isFile === true ? { 304: toResponse(operation, 'Unchanged since that tag.') } : {}),
      ...Object.fromEntries(
        Object.entries(others).map(([status, text]) => [
          status,
          {
            ...toResponse(operation, text),
            ...toContent('application/json', isReadiness ? 'Readiness' : 'Error'),
          },
        ]),
      ),
      405: { $ref: '#/components/responses/BadgeError405' },
      ...(isReadiness ? {} : { 429: { $ref: '#/components/responses/BadgeError429' } }),
    },
  };
}

/** Errors that every endpoint may answer with. */
export const badgeErrors: Record<string, Json> = {
  BadgeError405: {
    description: '`METHOD_NOT_ALLOWED`: see the `Allow` header.',
    headers: { Allow: { $ref: '#/components/headers/Allow' } },
    ...toContent('application/json', 'Error'),
  },
  BadgeError429: {
    description: '`RATE_LIMITED`: too many requests. Wait as long as `Retry-After` says.',
    headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
    ...toContent('application/json', 'Error'),
  },
};

function toSuccess(operation: BadgeOperation): Json {
  const { type, response } = operation;
  if (type === undefined) return { 204: toResponse(operation, 'Counted.') };
  return { 200: { ...toResponse(operation, 'The answer.'), ...toContent(type, response) } };
}

function toContent(type: string, name: string | undefined): Json {
  const schema = name === undefined ? { type: 'string' } : { $ref: `#/components/schemas/${name}` };
  return { content: { [type]: { schema } } };
}

function toResponse({ isFile, isEmbeddable }: BadgeOperation, description: string): Json {
  const names = [
    ...(isEmbeddable === true ? ['Vary', 'Access-Control-Allow-Origin'] : []),
    ...(isFile === true ? ['ETag'] : []),
    'Cache-Control',
  ];
  return { description, headers: toHeaderReferences(names) };
}

function toParameters({ path, query = {}, optionalQuery = {} }: BadgeOperation): Json {
  const ofPath = path.includes('{brand}')
    ? [
        {
          name: 'brand',
          in: 'path',
          required: true,
          description: 'As `--brand` says.',
          schema: { type: 'string' },
        },
      ]
    : [];
  const ofQuery = Object.entries({ ...query, ...optionalQuery }).map(([name, schema]) => ({
    name,
    in: 'query',
    required: name in query,
    schema,
  }));
  const parameters = [...ofPath, ...ofQuery];
  return parameters.length === 0 ? {} : { parameters };
}
