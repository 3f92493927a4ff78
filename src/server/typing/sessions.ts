import { randomBytes } from 'node:crypto';
import type * as answers from '../../contract/answer-types.ts';
import * as requests from '../../contract/request-types.ts';
import { parseRequest } from '../http/json-body.ts';
import { jsonReply } from '../http/reply.ts';
import { limits } from '../settings/limits.ts';
import type { Caller, PageRequest } from '../stores/player.ts';
import { newSession, type Setup } from '../stores/session.ts';
import type { CallerSessions, GameOptions } from './caller-sessions.ts';
import type { Library } from './library.ts';
import { noContent, noRoom, sessionNotFound } from './refusals.ts';
import {
  type PlayerRequest,
  parsePage,
  requestedSetup,
  type SessionRequest,
  unknownAfter,
} from './requests.ts';

export type SessionActions = ReturnType<typeof createSessionActions>;

/** What can be done with sessions as a whole. */
export function createSessionActions(
  { stores: { sessions, rounds }, clock }: GameOptions,
  callerSessions: CallerSessions,
) {
  return {
    /** Resolves to the id of the new session, or to why there is no room for it. */
    async createSession(caller: Caller, setup: Setup) {
      const session = newSession(randomBytes(16).toString('hex'), setup, clock(), caller);
      const admission = await sessions.create(session);
      return admission === 'added' ? { id: session.id } : { refused: admission };
    },
    hasSession: async (caller: Caller, id: string) => (await callerSessions.read(caller, id)) !== undefined,
    /** The player's sessions, oldest first; undefined if `after` is not one of them. */
    listSessions: ({ player }: Caller, page: PageRequest) => sessions.list(player, page),
    /** Number of sessions of all players. */
    countSessions: () => sessions.count(),
    /**
     * Resolves to true once the rounds of a session's player are forced to disk, and to false if there is no
     * such session.
     */
    async saveSession(caller: Caller, id: string) {
      const session = await callerSessions.read(caller, id);
      if (session !== undefined) await rounds.flush(session.player);
      return session !== undefined;
    },
    /** Resolves to whether there was one. */
    deleteSession: async (caller: Caller, id: string) =>
      (await callerSessions.read(caller, id)) !== undefined && sessions.delete(id),
    /** Permanently removes a player's sessions and rounds. */
    async deletePlayer({ player }: Caller) {
      // Sessions first: a round is only added while its session exists. If this is interrupted, repeating it
      // completes it.
      await sessions.deleteAll(player);
      await rounds.deleteAll(player);
    },
  };
}

/** @param defaultLimit of the list of sessions */
export function createSessionHandlers(game: SessionActions, library: Library, defaultLimit: number) {
  return {
    async create({ context, caller }: PlayerRequest) {
      const body = parseRequest(requests.CreateSessionRequestSchema, await context.json(limits.textBytes));
      const created = await game.createSession(caller, requestedSetup(body, library));
      if ('refused' in created) throw noRoom(created.refused);
      return jsonReply(201, { session_id: created.id } satisfies answers.SessionCreated);
    },
    async list({ context, caller }: PlayerRequest) {
      const page = await game.listSessions(caller, parsePage(context.query, defaultLimit));
      if (page === undefined) throw unknownAfter('session');
      const sessions = page.sessions.map(({ session, lastUsed }) => ({
        id: session.id,
        created_at: new Date(session.createdAt).toISOString(),
        last_used: new Date(lastUsed).toISOString(),
      }));
      return jsonReply(200, { ...page, sessions } satisfies answers.SessionList);
    },
    async remove({ caller, id }: SessionRequest) {
      if (!(await game.deleteSession(caller, id))) throw sessionNotFound();
      return noContent;
    },
    async save({ caller, id, body }: SessionRequest) {
      await body(requests.EmptyRequestSchema);
      if (!(await game.saveSession(caller, id))) throw sessionNotFound();
      return jsonReply(200, { success: true } satisfies answers.Success);
    },
    /** Everything of a player: sessions and rounds. */
    async deletePlayer({ caller }: PlayerRequest) {
      await game.deletePlayer(caller);
      return noContent;
    },
  };
}
