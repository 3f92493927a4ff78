import { badgeErrors, badgeHeaders, toBadgePaths } from './badge-paths.ts';
import { deskErrors, deskParameters, editorToken, toDeskPaths } from './desk-paths.ts';
import { type Json, toHeaderKey } from './document-parts.ts';
import { toSchemas } from './named-schemas.ts';
import {
  playerKey,
  toTypingErrors,
  toTypingParameters,
  toTypingPaths,
  typingHeaders,
} from './typing-paths.ts';

/** The OpenAPI 3.1 document of all three APIs, made when the package is built. */
export function createOpenApiDocument(packageVersion: string): Json {
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
      { name: 'typing', description: 'Typing practice' },
      { name: 'badge', description: 'Announcement badge' },
      { name: 'editors', description: 'Announcements and allow-list, for editors with a token' },
    ],
    paths: { ...toTypingPaths(), ...toDeskPaths(), ...toBadgePaths() },
    components: {
      securitySchemes: { playerKey, editorToken },
      schemas: toSchemas(),
      parameters: { ...deskParameters, ...toTypingParameters() },
      headers: toSharedHeaders(),
      responses: { ...badgeErrors, ...deskErrors, ...toTypingErrors() },
    },
  };
}

function toSharedHeaders(): Record<string, Json> {
  return {
    ApiVersion: { description: 'The version of this API.', schema: { const: 'v1' } },
    ...Object.fromEntries(
      Object.entries({ ...typingHeaders, ...badgeHeaders }).map(([name, description]) => [
        toHeaderKey(name),
        { description, schema: { type: 'string' } },
      ]),
    ),
  };
}
