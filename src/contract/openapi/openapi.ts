import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import * as answers from '../answer-types.ts';
import * as badge from '../badge-types.ts';
import { editorTokenPattern, playerKeyPattern } from '../credentials.ts';
import * as desk from '../desk-types.ts';
import { type ErrorCode, errorCodes, errorMeanings } from '../error-codes.ts';
import * as requests from '../request-types.ts';
import * as setup from '../session-setup.ts';
import { badgeApi } from './badge-operations.ts';
import { deskApi } from './desk-operations.ts';
import { type Api, errorHeadersOf, headerMeanings, type Operation } from './operation.ts';
import { typingApi } from './typing-operations.ts';

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of all JSON APIs, made when the package is built. */
export function createOpenApiDocument(packageVersion: string): Json {
  const paths = [typingApi, deskApi, badgeApi].map(pathsOf);
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'typebadge: the typing-practice session API and the announcement badge',
      version: packageVersion,
      description:
        'Sessions, rounds, keystrokes and statistics of typing practice. Version v1: `/api/v1/…` answers exactly as `/api/…`, and every answer says `API-Version: v1`. On a server that only this machine can reach, no credentials are needed: everyone without a key is one player, and each key is a player of its own. On any other, sessions, rounds and statistics belong to the player who sends the same key, or without a key to the address; a session opened without a key may be used by anyone who knows its id. HEAD is answered like GET, without the body.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api' }, { url: '/api/v1' }],
    security: [{}, { playerKey: [] }],
    tags: [
      { name: 'typing', description: 'Typing practice' },
      { name: 'badge', description: 'Announcement badge' },
      { name: 'editors', description: 'Announcements and allow-list, for editors with a token' },
    ],
    paths: Object.assign({}, ...paths) as Json,
    components: { securitySchemes, parameters, responses: errorResponses(), headers, schemas },
  };
  return withoutUnused(document);
}

const securitySchemes: Json = {
  playerKey: {
    type: 'http',
    scheme: 'bearer',
    description: `A secret that the client makes itself, \`${playerKeyPattern.source}\`. The server keeps only its SHA-256.`,
  },
  editorToken: {
    type: 'http',
    scheme: 'bearer',
    description: `The token of an editor, made with \`typebadge editors add\`: \`${editorTokenPattern.source}\`. It is accepted over loopback, or over TLS through a trusted proxy.`,
  },
};

/** Parameters of paths, and request headers. */
const parameters: Record<string, Json> = {
  session_id: pathParameter('session_id', 'The id from the answer to creating a session.'),
  id: pathParameter('id', 'Id of an announcement.'),
  'If-Match': requestHeader('If-Match', 'The revision that you have seen: 412 if it has changed.'),
  'Idempotency-Key': requestHeader(
    'Idempotency-Key',
    'Names this request, such as a UUID, in at most 255 characters. Sent again with the same key within a day, it changes nothing and gets the first answer again.',
  ),
};

function pathParameter(name: string, description: string): Json {
  return { name, in: 'path', required: true, description, schema: { type: 'string' } };
}

function requestHeader(name: string, description: string): Json {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

const headers = Object.fromEntries(
  Object.entries(headerMeanings).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]),
);

/* Schemas: each exported one has the name of its export, and is written once. */

const named: Readonly<Record<string, GenericSchema>> = Object.fromEntries(
  [requests, setup, answers, desk, badge].flatMap((types) =>
    Object.entries(types as Readonly<Record<string, unknown>>)
      .filter(([name]) => name.endsWith('Schema'))
      .map(([name, schema]) => [name.replace(/Schema$/, ''), schema as GenericSchema]),
  ),
);
const nameOf = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));

const schemas = withoutDefaults(
  toJsonSchemaDefs(named, {
    target: 'draft-2020-12',
    typeMode: 'input',
    // A check in code cannot be expressed in JSON Schema; the descriptions mention it.
    errorMode: 'ignore',
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  }),
) as Readonly<Record<string, Json>>;

/**
 * Moves defaults into the descriptions: generators understand `default` as a promise that the field is always
 * there, and require it in requests.
 */
function withoutDefaults(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutDefaults);
  if (typeof part !== 'object' || part === null) return part;
  const { default: defaultValue, ...rest } = part as Record<string, unknown>;
  const changed = Object.fromEntries(
    Object.entries(rest).map(([name, inner]) => [name, withoutDefaults(inner)]),
  );
  if (defaultValue === undefined) return changed;
  const description = `${changed.description ?? ''} Default: \`${JSON.stringify(defaultValue)}\`.`.trim();
  return { ...changed, description };
}

function schemaOf(schema: GenericSchema | 'any object'): Json {
  if (schema === 'any object') return { type: 'object' };
  const name = nameOf.get(schema);
  if (name === undefined) throw new Error('A body of the document has a schema that is not exported.');
  return { $ref: `#/components/schemas/${name}` };
}

/* Operations. */

function pathsOf(api: Api): Record<string, Json> {
  const paths: Record<string, Json> = {};
  const server = api.server === undefined ? {} : { servers: [{ url: api.server }] };
  for (const operation of api.operations) {
    const [method, path] = placeOf(operation);
    paths[path] = { ...server, ...paths[path], [method]: describeOperation(api, operation) };
  }
  return paths;
}

function placeOf({ route }: Operation): readonly [method: string, path: string] {
  const [method = '', path = ''] = route.split(' ');
  return [method.toLowerCase(), path];
}

function describeOperation(api: Api, operation: Operation): Json {
  const { id, summary, description, request, isPublic, status = 200 } = operation;
  const security = isPublic === true ? [] : api.security;
  const needed = parametersOf(operation);
  return {
    operationId: id,
    tags: [api.tag],
    summary,
    ...(description !== undefined && { description }),
    ...(security !== undefined && { security }),
    ...(needed.length > 0 && { parameters: needed }),
    ...(request !== undefined && { requestBody: describeBody(request, operation) }),
    responses: {
      [status]: describeAnswer(api, operation, successes[status]),
      ...Object.fromEntries(
        Object.entries(operation.others ?? {}).map(([status, other]) => [
          status,
          describeAnswer(api, { headers: operation.headers, answer: other.answer }, other.description),
        ]),
      ),
      ...Object.fromEntries(
        [...errorsOf(api, operation)].map(([status, codes]) => [
          status,
          { $ref: `#/components/responses/${errorName(api, status, codes)}` },
        ]),
      ),
    },
  };
}

function describeBody(request: GenericSchema, { example, requiresBody = false }: Operation): Json {
  const schema = schemaOf(request);
  const { required = [] } = schemas[nameOf.get(request) as string] as { readonly required?: string[] };
  return {
    required: requiresBody || required.length > 0,
    ...content(schema, example?.request),
  };
}

type Answer = { readonly [N in 'answer' | 'headers' | 'example']?: Operation[N] | undefined };

const successes = { 200: 'Done.', 201: 'Created.', 204: 'Done; the answer has no body.' } as const;

function describeAnswer(
  { headers }: Api,
  { answer, headers: added = [], example }: Answer,
  description: string,
): Json {
  return {
    description,
    headers: headerReferences([...headers, ...added]),
    ...(answer && content(schemaOf(answer), example?.answer)),
  };
}

function content(schema: Json, example: unknown): Json {
  return { content: { 'application/json': { schema, ...(example !== undefined && { example }) } } };
}

function headerReferences(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function parametersOf({ route, query, requiredQuery = [], requestHeaders = [] }: Operation): Json[] {
  const ofPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const { properties = {} } = (
    query === undefined ? {} : withoutDefaults(toJsonSchema(query, { errorMode: 'ignore' }))
  ) as { properties?: Record<string, Json> };
  return [
    ...[...ofPath, ...requestHeaders].map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: requiredQuery.includes(name),
      ...(description !== undefined && { description }),
      schema,
    })),
  ];
}

/* Errors: each set of codes that endpoints of an API may answer with one status is written once. */

const errorSets = new Map<string, Json>();

function errorsOf({ errors }: Api, operation: Operation): ReadonlyMap<number, readonly ErrorCode[]> {
  const { route, request, query, errors: added = [] } = operation;
  const hasBody = request !== undefined || route.startsWith('POST');
  const codes = new Set<ErrorCode>([
    ...errors,
    ...added,
    ...((hasBody ? ['INVALID_REQUEST', 'REQUEST_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] : []) as ErrorCode[]),
    ...((query === undefined ? [] : ['INVALID_REQUEST']) as ErrorCode[]),
    ...((route.includes('{session_id}') ? ['SESSION_NOT_FOUND'] : []) as ErrorCode[]),
    ...((route.includes('{id}') ? ['ANNOUNCEMENT_NOT_FOUND'] : []) as ErrorCode[]),
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodes) {
    const [status] = errorMeanings[code];
    if (codes.has(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** The name of such a set, which it adds to `errorSets`. */
function errorName({ tag, errorHeaders }: Api, status: number, codes: readonly ErrorCode[]): string {
  const name = [tag, status, ...codes].join('.');
  errorSets.set(name, {
    description: codes.map((code) => `\`${code}\`: ${errorMeanings[code][1]}`).join(' '),
    headers: headerReferences([...errorHeaders, ...(errorHeadersOf[status] ?? [])]),
    ...content(schemaOf(answers.ErrorBodySchema), undefined),
  });
  return name;
}

function errorResponses(): Json {
  return Object.fromEntries(errorSets);
}

/** The document without components that nothing refers to. */
function withoutUnused<T extends { readonly components: Json; readonly paths: Json }>(document: T): T {
  const used = new Set<string>();
  const components = document.components as Readonly<Record<string, Json>>;
  const visit = (part: unknown) => {
    for (const [, kind, name] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (used.has(`${kind}/${name}`)) continue;
      used.add(`${kind}/${name}`);
      visit(components[kind as string]?.[name as string]);
    }
  };
  visit(document.paths);
  const usedOf = ([kind, all]: [string, Json]) => [
    kind,
    kind === 'securitySchemes'
      ? all
      : Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`${kind}/${name}`))),
  ];
  return { ...document, components: Object.fromEntries(Object.entries(components).map(usedOf)) };
}
