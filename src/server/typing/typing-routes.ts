import { readFileSync } from 'node:fs';
import type { Health } from '../../contract/answer-types.ts';
import { maxPage } from '../../contract/request-types.ts';
import { packageFile } from '../../kit/package-files.ts';
import { createCors, type OriginList } from '../http/cors.ts';
import { createRateLimiter, createSharedLimiter, type RateLimiter } from '../http/rate-limiter.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import type { Handler, Method, Route, RouteGroup } from '../http/router.ts';
import { isExposed, networkLimit, type ServeConfig } from '../settings/config.ts';
import type { Rate } from '../settings/config-parsers.ts';
import { limits } from '../settings/limits.ts';
import type { Log } from '../settings/log.ts';
import type { Stores } from '../stores/open-stores.ts';
import { StoreUnavailableError } from '../stores/records/records.ts';
import type { SharedLimits } from '../stores/records/shared-limits.ts';
import { createLibraryHandlers, openLibrary } from './library.ts';
import { createPlayerRoutes } from './player-request.ts';
import { createRoundAllowance } from './round-allowance.ts';
import { createUploadHandler } from './round-upload.ts';
import { createRoundHandlers, type GameCounts, type GameOptions } from './rounds.ts';
import { createSessionHandlers } from './sessions.ts';
import { createStatisticsHandlers } from './statistics.ts';
import { createTurns } from './turns.ts';

export interface TypingOptions {
  readonly stores: Pick<Stores, 'sessions' | 'rounds' | 'addressKey' | 'limits' | 'problem'>;
  /** Whether others can reach the server, see `isExposed` in `config.ts`. */
  readonly isExposed: boolean;
  /**
   * Makes the choice of words repeatable: with the same history, the n-th round of any session gets the same
   * words.
   */
  readonly seed: number | undefined;
  /** Maximum size in bytes of all finished rounds; each client gets a share. Default: no limit. */
  readonly roundQuota?: number;
  readonly counts?: GameCounts | undefined;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * The routes of the typing API. The number is the cost of a request in tokens of the limiter: 1 for work on
 * one session, 5 for a list or a history, 20 for a whole round. So 100 tokens a second are 20 lists a second.
 */
export function createTypingRoutes(options: TypingOptions): readonly Route[] {
  const { stores, isExposed } = options;
  const { roundQuota: quota = Number.MAX_SAFE_INTEGER, seed, clock, counts } = options;
  const library = openLibrary();
  const allowance = createRoundAllowance(quota);
  // Not the turns of reads: an upload would wait for a round's read, and that for the turn of the upload.
  const uploads = createTurns({ total: limits.uploads, each: limits.clientUploads });
  const game: GameOptions = { stores, library, seed, clock, allowance, counts, uploads };
  const defaultLimit = isExposed ? maxPage : Number.POSITIVE_INFINITY;
  const sessions = createSessionHandlers(game, defaultLimit);
  const rounds = createRoundHandlers(game);
  const statistics = createStatisticsHandlers(game);
  const lists = createLibraryHandlers(library);
  const ofPlayer = createPlayerRoutes(options);

  return atEveryPrefix([
    ['GET', '/health', 1, createHealthHandler(stores)],
    ['GET', '/languages', 1, lists.languages],
    ['GET', '/layouts', 1, lists.layouts],
    // And one more for each 1,000 characters of its text.
    ['POST', '/sessions', 1, ofPlayer(sessions.create)],
    ['GET', '/sessions', 5, ofPlayer(sessions.list)],
    ['DELETE', '/sessions/:id', 1, ofPlayer(sessions.remove)],
    ['POST', '/sessions/:id/save', 1, ofPlayer(sessions.save)],
    ['DELETE', '/player', 1, ofPlayer(sessions.deletePlayer)],
    // And one more for each 1,000 characters of its text.
    ['POST', '/sessions/:id/round', 1, ofPlayer(rounds.start)],
    // And one more for each 1,000 characters that were typed of a word.
    ['GET', '/sessions/:id/state', 1, ofPlayer(rounds.state)],
    ['POST', '/sessions/:id/keystroke', 1, ofPlayer(rounds.keystroke)],
    ['POST', '/sessions/:id/backspace', 1, ofPlayer(rounds.backspace)],
    ['POST', '/sessions/:id/space', 1, ofPlayer(rounds.space)],
    // And one more for each further 20 inputs that are started.
    ['POST', '/sessions/:id/input', 1, ofPlayer(rounds.batch)],
    ['POST', '/sessions/:id/timing', 1, ofPlayer(rounds.finish)],
    ['POST', '/rounds', 20, ofPlayer(createUploadHandler(game))],
    ['GET', '/rounds', 5, ofPlayer(statistics.rounds)],
    ['GET', '/sessions/:id/stats/session', 1, ofPlayer(statistics.session)],
    ['GET', '/sessions/:id/stats/historical', 5, ofPlayer(statistics.historical)],
  ]);
}

/** The OpenAPI document, which is served even if the typing API is off. */
export function createDocumentRoutes(): readonly Route[] {
  const openapi = readFileSync(packageFile('dist', 'openapi.json'));
  const reply: Reply = { ...jsonReply(200, null), body: openapi };
  return atEveryPrefix([['GET', '/openapi.json', 1, () => reply]]);
}

/** The second prefix is the first with the version of the API. */
function atEveryPrefix(routes: readonly (readonly [Method, string, number, Handler])[]): Route[] {
  return ['/api', '/api/v1'].flatMap((prefix) =>
    routes.map(([method, path, cost, handler]) => ({ method, path: prefix + path, cost, handler })),
  );
}

/** The count is 0 while the store is away, because a health check must always be answered. */
function createHealthHandler(stores: TypingOptions['stores']): Handler {
  return async () => {
    const count = stores.sessions.count().catch((error) => {
      if (error instanceof StoreUnavailableError) return 0;
      throw error;
    });
    const store = stores.limits && { store: stores.problem() === undefined ? 'ok' : 'away' };
    const health = { status: 'healthy', active_sessions: await count, ...store };
    return jsonReply(200, health as Health);
  };
}

interface TypingGroupOptions extends Pick<TypingOptions, 'stores' | 'counts' | 'log' | 'clock'> {
  readonly config: ServeConfig;
  readonly origins: () => OriginList;
}

/** The group of the typing API's routes: who may call them, how often, and the version of their answers. */
export function createTypingGroup({ config, origins, ...options }: TypingGroupOptions): RouteGroup {
  const exposed = isExposed(config);
  const typing =
    config.typing === 'on' ? createTypingRoutes({ ...config, ...options, isExposed: exposed }) : [];
  return {
    routes: [...createDocumentRoutes(), ...typing],
    prefix: '/api/',
    cors: createCors(origins, 'GET, POST, DELETE, OPTIONS'),
    headers: ['API-Version', 'v1'],
    limiter: createTypingLimiter(config.apiLimit ?? (exposed ? networkLimit : 'off'), options.stores.limits),
  };
}

/** @param limits shared by several servers; undefined: this server counts on its own */
function createTypingLimiter(rate: Rate | 'off', limits: SharedLimits | undefined): RateLimiter | undefined {
  if (rate === 'off') return undefined;
  const policy = { name: 'api', ...rate };
  if (limits === undefined) return createRateLimiter(policy);
  return createSharedLimiter({
    ...policy,
    meter: (buckets, cost) =>
      limits.take(buckets, cost).catch((error) => {
        if (error instanceof StoreUnavailableError) return undefined;
        throw error;
      }),
  });
}
