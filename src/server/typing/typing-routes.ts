import { type Reply, toJsonReply } from '../http/replies/reply.ts';
import type { Handler, Method, Route } from '../http/routing/router.ts';
import type { Log } from '../settings/log.ts';
import { StoreUnavailableError } from '../stores/records/records.ts';
import type { AskingOf } from './asking.ts';
import type { TypingGame } from './game/typing-game.ts';
import { createFirstReading } from './handlers/first-reading.ts';
import { createFloodgate } from './handlers/floodgate.ts';
import { createHeavyWork } from './handlers/heavy-work.ts';
import { createKeyHandlers } from './handlers/key-handlers.ts';
import { createLibraryHandlers } from './handlers/library-handlers.ts';
import { createBodyReader } from './handlers/own-request.ts';
import { createPlayerHandlers } from './handlers/player-handlers.ts';
import { createRoundHandlers } from './handlers/round-handlers.ts';
import { createSessionHandlers } from './handlers/session-handlers.ts';
import { toHealthReply } from './handlers/typing-replies.ts';
import type { Library } from './library/library.ts';
import { createOwnRoutes } from './own-routes.ts';
import type { PageParser } from './requests/page-query.ts';

/** The second is the first with its version. */
const prefixes = ['/api', '/api/v1'] as const;

export interface TypingRoutesOptions {
  readonly game: TypingGame;
  readonly library: Library;
  readonly askingOf: AskingOf;
  readonly parsePage: PageParser;
  readonly parseRoundPage: PageParser;
  /** Whether the shared store answers now. Undefined: there is none. */
  readonly storeState: (() => 'ok' | 'away') | undefined;
  readonly log: Log;
}

/** The routes of the typing API. */
export function createTypingRoutes({
  game,
  library,
  askingOf,
  parsePage,
  parseRoundPage,
  storeState,
  log,
}: TypingRoutesOptions): Route[] {
  const readBody = createBodyReader(game);
  const heavy = createHeavyWork();
  const reading = createFirstReading(game, heavy);
  const sessions = createSessionHandlers(game, readBody, reading, parsePage, library);
  const lists = createLibraryHandlers(library);
  const rounds = createRoundHandlers(game, readBody, reading);
  const keys = createKeyHandlers(game, readBody);
  const player = createPlayerHandlers(game, { heavy, reading }, parseRoundPage, library);

  const { own, ofSession } = createOwnRoutes(askingOf, log);
  const gated = createFloodgate(heavy, reading);

  return atEveryPrefix([
    ['GET', '/health', createHealthHandler(game, storeState)],
    ['GET', '/languages', lists.languages],
    ['GET', '/layouts', lists.layouts],
    ['POST', '/sessions', own(sessions.create)],
    ['GET', '/sessions', own(sessions.list)],
    ['GET', '/rounds', own(player.rounds)],
    ['POST', '/rounds', own(gated(player.addRound))],
    ['DELETE', '/player', own(player.forget)],
    ['DELETE', '/sessions/:id', ofSession(sessions.remove)],
    ['POST', '/sessions/:id/round', ofSession(rounds.start)],
    ['POST', '/sessions/:id/keystroke', ofSession(keys.keystroke)],
    ['POST', '/sessions/:id/backspace', ofSession(keys.backspace)],
    ['POST', '/sessions/:id/space', ofSession(keys.space)],
    ['POST', '/sessions/:id/input', ofSession(keys.batch)],
    ['POST', '/sessions/:id/timing', ofSession(rounds.finish)],
    ['POST', '/sessions/:id/save', ofSession(sessions.save)],
    ['GET', '/sessions/:id/state', ofSession(rounds.state)],
    ['GET', '/sessions/:id/stats/session', ofSession(rounds.statistics)],
    ['GET', '/sessions/:id/stats/historical', ofSession(rounds.history)],
  ]);
}

/** The count is 0 while the store is away, because a health check must always be answered. */
function createHealthHandler(game: TypingGame, storeState: TypingRoutesOptions['storeState']): Handler {
  return async () => {
    const count = await Promise.resolve(game.countSessions()).catch((error) => {
      if (error instanceof StoreUnavailableError) return 0;
      throw error;
    });
    return toHealthReply(count, storeState?.());
  };
}

/** The OpenAPI document, which is served even if the typing API is off. */
export function createContractRoutes(openapi: string): Route[] {
  const reply: Reply = { ...toJsonReply(200, null), body: Buffer.from(openapi) };
  return atEveryPrefix([['GET', '/openapi.json', () => reply]]);
}

function atEveryPrefix(routes: readonly (readonly [Method, string, Handler])[]): Route[] {
  return prefixes.flatMap((prefix) =>
    routes.map(([method, path, handler]) => ({ method, path: prefix + path, handler })),
  );
}
