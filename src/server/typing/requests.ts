import { createHash, createHmac } from 'node:crypto';
import type * as v from 'valibot';
import { playerKeyPattern } from '../../contract/credentials.ts';
import type { ErrorCode } from '../../contract/error-codes.ts';
import * as wire from '../../contract/request-types.ts';
import { engineRules, formatChoices } from '../../contract/session-setup.ts';
import { blockOf } from '../../kit/address.ts';
import type { Practice } from '../../typing/modes/practice.ts';
import type { RoundKind } from '../../typing/statistics/finished-round.ts';
import { HttpError } from '../http/errors.ts';
import { parseRequest } from '../http/json-body.ts';
import type { Reply } from '../http/reply.ts';
import { type Context, charge, requestIdOf } from '../http/request.ts';
import type { Handler } from '../http/router.ts';
import { limits } from '../settings/limits.ts';
import { boundLines, type Log } from '../settings/log.ts';
import { type Caller, localPlayer, type PageRequest } from '../stores/player.ts';
import { RoundNotStoredError } from '../stores/rounds.ts';
import type { Setup } from '../stores/session.ts';
import type { CallerSessions } from './caller-sessions.ts';
import type { Library } from './library.ts';
import { refusalOf } from './refusals.ts';

/** A request of a player. */
export interface PlayerRequest {
  readonly context: Context;
  readonly caller: Caller;
}

/** A request for one session, which may not exist. */
export interface SessionRequest extends PlayerRequest {
  readonly id: string;
  /**
   * Reads and checks the body. If it is wrong and the session does not exist either, the answer says the
   * latter.
   */
  body<Schema extends v.GenericSchema>(schema: Schema, options?: BodyOptions): Promise<v.InferOutput<Schema>>;
}

interface BodyOptions {
  /** Default: 16 KiB. */
  readonly maxBytes?: number;
  /** Further tokens that a body costs, valid or not. Default: none. */
  readonly costOf?: (body: Record<string, unknown>) => number;
}

export type PlayerHandler = (request: PlayerRequest) => Promise<Reply>;
export type SessionHandler = (request: SessionRequest) => Promise<Reply>;

export interface PlayerRoutesOptions {
  readonly callerSessions: CallerSessions;
  readonly callerOf: (context: Context) => Caller;
  readonly log: Log;
}

/** Turns handlers that need the sender into handlers of routes, and errors of the stores into answers. */
export function createPlayerRoutes({ callerSessions, callerOf, log }: PlayerRoutesOptions) {
  const logFailure = boundLines(log.error);
  const refuse = (error: unknown, context: Context) => {
    // The cause of a failure on disk goes to the log, not to the client.
    if (error instanceof RoundNotStoredError) logFailure(error.message, { request: requestIdOf(context) });
    return refusalOf(error);
  };
  return {
    ofPlayer:
      (handle: PlayerHandler): Handler =>
      async (context) => {
        try {
          return await handle({ context, caller: callerOf(context) });
        } catch (error) {
          throw refuse(error, context);
        }
      },
    /** For routes with the id of a session in their path. */
    ofSession:
      (handle: SessionHandler): Handler =>
      async (context, { id = '' }) => {
        try {
          const caller = callerOf(context);
          return await handle({
            ...{ context, caller, id },
            async body(schema, { maxBytes = limits.bodyBytes, costOf } = {}) {
              try {
                const body = await context.json(maxBytes);
                if (costOf !== undefined) await charge(context, costOf(body));
                return parseRequest(schema, body);
              } catch (error) {
                await callerSessions.read(caller, id);
                throw error;
              }
            },
          });
        } catch (error) {
          throw refuse(error, context);
        }
      },
  };
}

export interface CallerOptions {
  /** Whether others can reach the server, see `isExposed` in `config.ts`. */
  readonly isExposed: boolean;
  /** Secret with which addresses are hashed: without it, nobody can find an address by trying all of them. */
  readonly addressKey: string;
}

/** Returns the sender of a request. Throws a 401 if its key is malformed. */
export function createCallerOf({ isExposed, addressKey }: CallerOptions): (context: Context) => Caller {
  const originOf = createOriginOf(addressKey);
  return ({ head: { authorization }, client: address }) => {
    const origin = isExposed ? originOf(address) : nowhere;
    if (authorization !== undefined) return { player: keyPlayer(authorization), ...origin };
    return { player: isExposed ? origin.client : localPlayer, ...origin };
  };
}

/** The client and block of a request. */
type Origin = Omit<Caller, 'player'>;

const nowhere: Origin = { client: '' };

function keyPlayer(authorization: string): string {
  const key = /^Bearer +([^ ]+)$/i.exec(authorization)?.[1] ?? '';
  if (playerKeyPattern.test(key)) return `key-${createHash('sha256').update(key).digest('hex')}`;
  throw new HttpError<ErrorCode>(
    401,
    'UNAUTHENTICATED',
    'Authorization must be "Bearer" and a player key: 22 to 128 letters, digits, "-" and "_".',
    ['WWW-Authenticate', 'Bearer'],
  );
}

const maxOrigins = 1_000;

/** Caches hashes, because most requests come from an address that has just sent another one. */
function createOriginOf(addressKey: string): (address: string) => Origin {
  const known = new Map<string, Origin>();
  const hash = (text: string) => `address-${createHmac('sha256', addressKey).update(text).digest('hex')}`;
  return (address) => {
    let origin = known.get(address);
    if (origin === undefined) {
      const block = blockOf(address);
      origin = { client: hash(address), ...(block !== undefined && { block: hash(block) }) };
      if (known.size >= maxOrigins) known.clear();
      known.set(address, origin);
    }
    return origin;
  };
}

type SetupRequest = v.InferOutput<typeof wire.CreateSessionRequestSchema>;
type Names = Pick<Library, 'languages' | 'layouts' | 'codeLanguages'>;

/**
 * What all rounds of a session, or an uploaded one, have in common. Throws a 400 that names the field and
 * lists what is known.
 */
export function requestedSetup(request: SetupRequest, library: Names): Setup {
  return { practice: requestedPractice(request, library), clientName: request.client };
}

function requestedPractice(
  { mode, language, layout, rules, punctuation_mode: punctuation }: SetupRequest,
  library: Names,
): Practice {
  requireKnown('language', language, 'en', () => library.languages().map(({ id }) => id));
  if (mode.type === 'code') requireKnown('mode.language', mode.language, 'typescript', library.codeLanguages);
  requireKnown('layout', layout, 'qwerty', () => library.layouts().map(({ id }) => id));
  return { mode, language, layout, rules: engineRules(rules), punctuation };
}

/** Maximum number of names in an error: there are hundreds of layouts. */
const maxNames = 40;

/** The default is accepted without loading the list. */
function requireKnown(field: string, id: string, defaultId: string, known: () => readonly string[]): void {
  if (id === defaultId) return;
  const ids = known();
  if (ids.includes(id)) return;
  const choices =
    ids.length > maxNames
      ? `one of ${ids.length} ids, such as ${formatChoices(ids.slice(0, 9))}`
      : formatChoices(ids);
  throw new HttpError(400, 'INVALID_REQUEST', `${field} must be ${choices}.`);
}

/** The query of a list. Throws a 400 that names the parameter and says what would be right. */
export function parsePage(query: string, defaultLimit: number): PageRequest {
  const { limit: digits, ...others } = parameters(query, ['limit', 'after']);
  const isNumber = digits !== undefined && /^\d{1,9}$/.test(digits);
  const given = digits === undefined ? others : { ...others, limit: isNumber ? Number(digits) : digits };
  const { limit = defaultLimit, after } = parseRequest(wire.PageQuerySchema, given);
  return { limit, after };
}

export function unknownAfter(what: 'session' | 'round'): HttpError {
  return new HttpError(
    400,
    'INVALID_REQUEST',
    `after must be the id of one of your ${what}s; this one may be gone. Leave it out to start at the beginning.`,
  );
}

/**
 * Which rounds are requested. Without `mode`: those of the session's mode; `all`: those of every mode.
 */
export type HistoryQuery = { readonly mode?: string } & Partial<Omit<RoundKind, 'mode'>>;

/**
 * Throws a 400 that names the parameter and says what would be right. An empty parameter is like a missing
 * one.
 */
export function parseHistoryQuery(query: string): HistoryQuery {
  const given = Object.entries(parameters(query, ['mode', 'language', 'layout']));
  return parseRequest(wire.HistoryQuerySchema, Object.fromEntries(given.filter(([, value]) => value !== '')));
}

/** Parameters by name. Throws a 400 if one of them is repeated. */
function parameters(query: string, names: readonly string[]): Record<string, string> {
  const all = new URLSearchParams(query);
  const found: Record<string, string> = {};
  for (const name of names) {
    const [value, ...others] = all.getAll(name);
    if (others.length > 0) throw new HttpError(400, 'INVALID_REQUEST', `${name} is given twice.`);
    if (value !== undefined) found[name] = value;
  }
  return found;
}
