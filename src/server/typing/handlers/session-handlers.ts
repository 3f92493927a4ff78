import type * as answers from '../../../contract/answer-types.ts';
import * as requests from '../../../contract/request-types.ts';
import { longestText } from '../../../typing/modes/text.ts';
import { toJsonReply } from '../../http/replies/reply.ts';
import { readJsonObject } from '../../http/requests/json-body.ts';
import { parseRequest } from '../../http/requests/parse-request.ts';
import type { ListedSession } from '../../stores/sessions.ts';
import type { TypingGame } from '../game/typing-game.ts';
import type { Library } from '../library/library.ts';
import { type PageParser, unknownAfter } from '../requests/page-query.ts';
import { requestedSetup } from '../requests/practice-request.ts';
import type { FirstReading } from './first-reading.ts';
import { type BodyReader, chargeText, type OwnHandler, type SessionHandler } from './own-request.ts';
import { noContent, noRoom, sessionNotFound } from './typing-replies.ts';

/** Longest body in bytes: a session may come with its own text. */
const textBytes = 64 * 1024;

export interface SessionHandlers {
  readonly create: OwnHandler;
  readonly list: OwnHandler;
  readonly remove: SessionHandler;
  readonly save: SessionHandler;
}

/** Handlers for opening, listing, saving and removing sessions. */
export function createSessionHandlers(
  game: TypingGame,
  readBody: BodyReader,
  reading: FirstReading,
  parsePage: PageParser,
  library: Library,
): SessionHandlers {
  return {
    async create({ context, asking }) {
      const raw = await readJsonObject(context, { maxBytes: textBytes });
      await chargeText(context, lengthOfText(raw));
      const body = parseRequest(requests.CreateSessionRequestSchema, raw);
      const created = await game.createSession(asking, requestedSetup(body, library));
      if ('refused' in created) throw noRoom(created.refused);
      return toJsonReply(201, { session_id: created.id } satisfies answers.SessionCreated);
    },
    async list({ context, asking }) {
      const page = await game.listSessions(asking, parsePage(context.query));
      if (page === undefined) throw unknownAfter('session');
      const { sessions, ...more } = page;
      return toJsonReply(200, { sessions: sessions.map(toSummary), ...more } satisfies answers.SessionList);
    },
    remove: (request) =>
      reading.before(request, async () => {
        if (!(await game.deleteSession(request.asking, request.id))) throw sessionNotFound();
        return noContent;
      }),
    async save(request) {
      await readBody(request, requests.EmptyRequestSchema);
      return reading.before(request, async () => {
        if (!(await game.saveSession(request.asking, request.id))) throw sessionNotFound();
        return toJsonReply(200, { success: true } satisfies answers.Success);
      });
    },
  };
}

/** Takes an unchecked body, because checking whether a text can be typed costs as much as accepting it. */
function lengthOfText({ mode }: Record<string, unknown>): number {
  if (typeof mode !== 'object' || mode === null || !('text' in mode)) return 0;
  return typeof mode.text === 'string' ? Math.min(mode.text.length, longestText) : 0;
}

function toSummary({ session, lastUsed }: ListedSession): answers.SessionSummary {
  return {
    id: session.id,
    created_at: new Date(session.createdAt).toISOString(),
    last_used: new Date(lastUsed).toISOString(),
  };
}
