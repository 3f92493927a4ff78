import { randomBytes } from 'node:crypto';
import type * as answers from '../../contract/answer-types.ts';
import * as requests from '../../contract/request-types.ts';
import { parseRequest } from '../http/json-body.ts';
import { jsonReply } from '../http/reply.ts';
import { limits } from '../settings/limits.ts';
import { newSession } from '../stores/session.ts';
import type { GameOptions } from './caller-sessions.ts';
import { noContent, noRoom, sessionNotFound } from './refusals.ts';
import {
  type PlayerRequest,
  parsePage,
  requestedSetup,
  type SessionRequest,
  unknownAfter,
} from './requests.ts';

/** @param defaultLimit of the list of sessions */
export function createSessionHandlers(options: GameOptions, defaultLimit: number) {
  const { stores, callerSessions, library, clock } = options;
  return {
    async create({ context, caller }: PlayerRequest) {
      const body = parseRequest(requests.CreateSessionRequestSchema, await context.json(limits.textBytes));
      const setup = requestedSetup(body, library);
      const session = newSession(randomBytes(16).toString('hex'), setup, clock(), caller);
      const admission = await stores.sessions.create(session);
      if (admission !== 'added') throw noRoom(admission);
      return jsonReply(201, { session_id: session.id } satisfies answers.SessionCreated);
    },
    /** The player's sessions, oldest first. */
    async list({ context, caller }: PlayerRequest) {
      const page = await stores.sessions.list(caller.player, parsePage(context.query, defaultLimit));
      if (page === undefined) throw unknownAfter('session');
      const sessions = page.sessions.map(({ session, lastUsed }) => ({
        id: session.id,
        created_at: new Date(session.createdAt).toISOString(),
        last_used: new Date(lastUsed).toISOString(),
      }));
      return jsonReply(200, { ...page, sessions } satisfies answers.SessionList);
    },
    async remove({ caller, id }: SessionRequest) {
      await callerSessions.read(caller, id);
      if (!(await stores.sessions.delete(id))) throw sessionNotFound();
      return noContent;
    },
    /** Answers once the rounds of the session's player are forced to disk. */
    async save({ caller, id, body }: SessionRequest) {
      await body(requests.EmptyRequestSchema);
      await stores.rounds.flush((await callerSessions.read(caller, id)).player);
      return jsonReply(200, { success: true } satisfies answers.Success);
    },
    /** Everything of a player: sessions and rounds. */
    async deletePlayer({ caller: { player } }: PlayerRequest) {
      // Sessions first: a round is only added while its session exists. If this is interrupted, repeating it
      // completes it.
      await stores.sessions.deleteAll(player);
      await stores.rounds.deleteAll(player);
      return noContent;
    },
  };
}
