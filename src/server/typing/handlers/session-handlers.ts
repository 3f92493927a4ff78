import type * as answers from '../../../contract/answer-types.ts';
import * as requests from '../../../contract/request-types.ts';
import { toJsonReply } from '../../http/replies/reply.ts';
import { parseRequest } from '../../http/requests/json-body.ts';
import { limits } from '../../settings/limits.ts';
import type { ListedSession } from '../../stores/sessions.ts';
import type { TypingGame } from '../game/typing-game.ts';
import type { Library } from '../library/library.ts';
import { requestedSetup } from '../requests/practice-request.ts';
import { type PageParser, unknownAfter } from '../requests/queries.ts';
import { noContent, noRoom, sessionNotFound } from './refusals.ts';
import type { OwnHandler, SessionHandler } from './typing-request.ts';

export interface SessionHandlers {
  readonly create: OwnHandler;
  readonly list: OwnHandler;
  readonly remove: SessionHandler;
  readonly save: SessionHandler;
  /** Everything of a player: sessions and rounds. */
  readonly forgetPlayer: OwnHandler;
}

/** @param parsePage for the list of sessions */
export function createSessionHandlers(
  game: TypingGame,
  library: Library,
  parsePage: PageParser,
): SessionHandlers {
  return {
    async create({ context, caller }) {
      const body = parseRequest(requests.CreateSessionRequestSchema, await context.json(limits.textBytes));
      const created = await game.createSession(caller, requestedSetup(body, library));
      if ('refused' in created) throw noRoom(created.refused);
      return toJsonReply(201, { session_id: created.id } satisfies answers.SessionCreated);
    },
    async list({ context, caller }) {
      const page = await game.listSessions(caller, parsePage(context.query));
      if (page === undefined) throw unknownAfter('session');
      const { sessions, ...more } = page;
      return toJsonReply(200, {
        sessions: sessions.map(sessionSummary),
        ...more,
      } satisfies answers.SessionList);
    },
    async remove({ caller, id }) {
      if (!(await game.deleteSession(caller, id))) throw sessionNotFound();
      return noContent;
    },
    async save({ caller, id, body }) {
      await body(requests.EmptyRequestSchema);
      if (!(await game.saveSession(caller, id))) throw sessionNotFound();
      return toJsonReply(200, { success: true } satisfies answers.Success);
    },
    async forgetPlayer({ caller }) {
      await game.forgetPlayer(caller);
      return noContent;
    },
  };
}

function sessionSummary({ session, lastUsed }: ListedSession): answers.SessionSummary {
  return {
    id: session.id,
    created_at: new Date(session.createdAt).toISOString(),
    last_used: new Date(lastUsed).toISOString(),
  };
}
