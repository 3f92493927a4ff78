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
import { exampleOf } from './example.ts';
import { type Api, errorHeadersOf, headerMeanings, type Operation } from './operation.ts';
import { typingApi } from './typing-operations.ts';

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of all JSON APIs, made when the package is built. */
export function createOpenApiDocument(packageVersion: string): Json {
  const paths = Object.assign({}, ...[typingApi, deskApi, badgeApi].map(pathsOf)) as Json;
  const references = JSON.stringify([paths, schemas, responses]);
  const used = Object.entries(schemas).filter(([name]) => references.includes(`/schemas/${name}"`));
  return {
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
      { name: 'typing', description: 'Typing practice.' },
      { name: 'badge', description: 'Announcement badge.' },
      { name: 'editors', description: 'Announcements and allow-list, for editors with a token.' },
    ],
    paths,
    components: { securitySchemes, parameters, responses, headers, schemas: Object.fromEntries(used) },
  };
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
  if (!(part instanceof Object)) return part;
  const { default: defaultValue, ...rest } = part as Record<string, unknown>;
  const changed = Object.fromEntries(
    Object.entries(rest).map(([name, inner]) => [name, withoutDefaults(inner)]),
  );
  if (defaultValue === undefined) return changed;
  const description = `${changed.description ?? ''} Default: \`${JSON.stringify(defaultValue)}\`.`.trim();
  return { ...changed, description };
}

/** A body with this schema, and an example of it. */
function content(schema: GenericSchema | 'any object'): Json {
  const name = schema === 'any object' ? undefined : nameOf.get(schema);
  if (name === undefined && schema !== 'any object')
    throw new Error('A body of the document has a schema that is not exported.');
  const described = name === undefined ? { type: 'object' } : { $ref: `#/components/schemas/${name}` };
  return { content: { 'application/json': { schema: described, example: exampleOf(described, schemas) } } };
}

/* Operations. */

function pathsOf(api: Api): Record<string, Json> {
  const paths: Record<string, Json> = {};
  const server = api.server === undefined ? {} : { servers: [{ url: api.server }] };
  for (const [id, operation] of Object.entries(api.operations)) {
    const [method = '', path = ''] = operation.route.split(' ');
    paths[path] = {
      ...server,
      ...paths[path],
      [method.toLowerCase()]: describeOperation(api, id, operation),
    };
  }
  return paths;
}

const successes = { 200: 'Done.', 201: 'Created.', 204: 'Done; the answer has no body.' } as const;

function describeOperation(api: Api, id: string, operation: Operation): Json {
  const { summary, description, request, isPublic, status = 200, others = {} } = operation;
  const security = isPublic === true ? [] : api.security;
  const answers = { [status]: { description: successes[status], answer: operation.answer }, ...others };
  const names = [...api.headers, ...(operation.headers ?? [])];
  const described = Object.entries(answers).map(([status, { description, answer }]) => [
    status,
    { description, headers: headerReferences(names), ...(answer && content(answer)) },
  ]);
  return {
    operationId: id,
    tags: [api.tag],
    summary,
    description,
    security,
    parameters: parametersOf(operation),
    requestBody: request && describeBody(request, operation),
    responses: { ...Object.fromEntries(described), ...describeErrors(api, operation) },
  };
}

function describeBody(request: GenericSchema, { requiresBody = false }: Operation): Json {
  const { required } = schemas[nameOf.get(request) as string] as { readonly required: string[] };
  return { required: requiresBody || required.length > 0, ...content(request) };
}

function headerReferences(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function parametersOf({ route, query, requestHeaders = [] }: Operation): Json[] {
  const ofPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const { properties = {}, required = [] } = (
    query === undefined ? {} : withoutDefaults(toJsonSchema(query, { errorMode: 'ignore' }))
  ) as { properties?: Record<string, Json>; required?: string[] };
  return [
    ...[...ofPath, ...requestHeaders].map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema,
    })),
  ];
}

/** Each set of codes that endpoints of an API may answer with one status, written once. */
const responses: Record<string, Json> = {};

function describeErrors({ tag, errors, errorHeaders }: Api, operation: Operation): Json {
  const { route, request, query, errors: added = [] } = operation;
  const hasBody = request !== undefined || route.startsWith('POST');
  const codes: readonly ErrorCode[] = [
    ...errors,
    ...added,
    ...(hasBody ? (['INVALID_REQUEST', 'REQUEST_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(query === undefined ? [] : (['INVALID_REQUEST'] as const)),
    ...(route.includes('{session_id}') ? (['SESSION_NOT_FOUND'] as const) : []),
    ...(route.includes('{id}') ? (['ANNOUNCEMENT_NOT_FOUND'] as const) : []),
  ];
  const described: Record<number, Json> = {};
  for (const [status] of codes.map((code) => errorMeanings[code])) {
    const own = errorCodes.filter((code) => errorMeanings[code][0] === status && codes.includes(code));
    const name = [tag, status, ...own].join('.');
    described[status] = { $ref: `#/components/responses/${name}` };
    responses[name] ??= {
      description: own.map((code) => `\`${code}\`: ${errorMeanings[code][1]}`).join(' '),
      headers: headerReferences([...errorHeaders, ...(errorHeadersOf[status] ?? [])]),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
    };
  }
  return described;
}
