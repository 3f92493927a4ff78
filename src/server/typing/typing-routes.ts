import { readFileSync } from 'node:fs';
import type { Health } from '../../contract/answer-types.ts';
import { maxPage } from '../../contract/request-types.ts';
import { packageFile } from '../../kit/package-files.ts';
import { type Reply, toJsonReply } from '../http/replies/reply.ts';
import type { Handler, Method, Route } from '../http/routing/router.ts';
import type { Log } from '../settings/log.ts';
import { StoreUnavailableError } from '../stores/records/records.ts';
import type { TypingGame } from './game/typing-game.ts';
import { createLibraryHandlers } from './handlers/library-handlers.ts';
import { createRoundHandlers } from './handlers/round-handlers.ts';
import { createSessionHandlers } from './handlers/session-handlers.ts';
import { createStatisticsHandlers } from './handlers/statistics-handlers.ts';
import { createPlayerRoutes } from './handlers/typing-request.ts';
import type { Library } from './library/library.ts';
import type { CallerOf } from './requests/caller.ts';
import { createPageParser } from './requests/queries.ts';

/** The second is the first with its version. */
const prefixes = ['/api', '/api/v1'] as const;

/** Default `limit` of the list of rounds. */
const usualRounds = 100;

export interface TypingRoutesOptions {
  readonly game: TypingGame;
  readonly library: Library;
  readonly callerOf: CallerOf;
  /** Whether strangers can reach the server; if not, the list of sessions has no default limit. */
  readonly isExposed: boolean;
  /** Whether the shared store answers now. Undefined: there is none. */
  readonly storeState: (() => 'ok' | 'away') | undefined;
  readonly log: Log;
}

/** The routes of the typing API. The number is the price of a request in tokens of the limiter. */
export function createTypingRoutes(options: TypingRoutesOptions): Route[] {
  const { game, library, callerOf, isExposed, storeState, log } = options;
  const usualSessions = isExposed ? maxPage : Number.POSITIVE_INFINITY;
  const sessions = createSessionHandlers(game, library, createPageParser(usualSessions));
  const rounds = createRoundHandlers(game, library);
  const statistics = createStatisticsHandlers(game, createPageParser(usualRounds));
  const lists = createLibraryHandlers(library);
  const { own, ofSession } = createPlayerRoutes(game, callerOf, log);

  return atEveryPrefix([
    ['GET', '/health', 1, createHealthHandler(game, storeState)],
    ['GET', '/languages', 1, lists.languages],
    ['GET', '/layouts', 1, lists.layouts],
    ['POST', '/sessions', 1, own(sessions.create)],
    ['GET', '/sessions', 5, own(sessions.list)],
    ['DELETE', '/sessions/:id', 1, ofSession(sessions.remove)],
    ['POST', '/sessions/:id/save', 1, ofSession(sessions.save)],
    ['DELETE', '/player', 1, own(sessions.forgetPlayer)],
    ['POST', '/sessions/:id/round', 1, ofSession(rounds.start)],
    ['GET', '/sessions/:id/state', 1, ofSession(rounds.state)],
    ['POST', '/sessions/:id/keystroke', 1, ofSession(rounds.keystroke)],
    ['POST', '/sessions/:id/backspace', 1, ofSession(rounds.backspace)],
    ['POST', '/sessions/:id/space', 1, ofSession(rounds.space)],
    // And one more for each further 20 inputs that are started.
    ['POST', '/sessions/:id/input', 1, ofSession(rounds.batch)],
    ['POST', '/sessions/:id/timing', 1, ofSession(rounds.finish)],
    ['POST', '/rounds', 20, own(rounds.upload)],
    ['GET', '/rounds', 5, own(statistics.rounds)],
    ['GET', '/sessions/:id/stats/session', 1, ofSession(statistics.session)],
    ['GET', '/sessions/:id/stats/historical', 5, ofSession(statistics.historical)],
  ]);
}

/** The OpenAPI document, which is served even if the typing API is off. */
export function createDocumentRoutes(): readonly Route[] {
  const openapi = readFileSync(packageFile('dist', 'openapi.json'));
  const reply: Reply = { ...toJsonReply(200, null), body: openapi };
  return atEveryPrefix([['GET', '/openapi.json', 1, () => reply]]);
}

/** The count is 0 while the store is away, because a health check must always be answered. */
function createHealthHandler(game: TypingGame, storeState: TypingRoutesOptions['storeState']): Handler {
  const count = async () => {
    try {
      return await game.countSessions();
    } catch (error) {
      if (error instanceof StoreUnavailableError) return 0;
      throw error;
    }
  };
  return async () => {
    const store = storeState?.();
    const health: Health = {
      status: 'healthy',
      active_sessions: await count(),
      ...(store === undefined ? {} : { store }),
    };
    return toJsonReply(200, health);
  };
}

function atEveryPrefix(routes: readonly (readonly [Method, string, number, Handler])[]): Route[] {
  return prefixes.flatMap((prefix) =>
    routes.map(([method, path, cost, handler]) => ({ method, path: prefix + path, cost, handler })),
  );
}
