import { randomBytes } from 'node:crypto';
import type * as answers from '../../contract/answer-types.ts';
import * as requests from '../../contract/request-types.ts';
import { jsonReply } from '../http/reply.ts';
import { limits } from '../settings/limits.ts';
import { newSession } from '../stores/session.ts';
import type { PlayerRequest } from './player-request.ts';
import { noContent, noRoom, sessionNotFound } from './refusals.ts';
import { parsePage, requestedSetup, unknownAfter } from './requests.ts';
import type { GameOptions } from './rounds.ts';

/** @param defaultLimit of the list of sessions */
export function createSessionHandlers(options: GameOptions, defaultLimit: number) {
  const { stores, library, clock, uploads } = options;
  return {
    async create(request: PlayerRequest) {
      const bodyOptions = { maxBytes: limits.textBytes, costOf: furtherText };
      const setup = requestedSetup(
        await request.body(requests.CreateSessionRequestSchema, bodyOptions),
        library,
      );
      const session = newSession(randomBytes(16).toString('hex'), setup, clock(), request.caller);
      const admission = await stores.sessions.create(session);
      if (admission !== 'added') throw noRoom[admission];
      return jsonReply(201, { session_id: session.id } satisfies answers.SessionCreated);
    },
    /** The player's sessions, oldest first. */
    async list({ context, caller }: PlayerRequest) {
      const page = await stores.sessions.list(caller.player, parsePage(context.query, defaultLimit));
      if (page === undefined) throw unknownAfter('session');
      const sessions = page.sessions.map(({ id, createdAt, lastUsed }) => ({
        id,
        created_at: new Date(createdAt).toISOString(),
        last_used: new Date(lastUsed).toISOString(),
      }));
      return jsonReply(200, { ...page, sessions } satisfies answers.SessionList);
    },
    async remove(request: PlayerRequest) {
      await request.session();
      if (!(await stores.sessions.delete(request.id))) throw sessionNotFound;
      return noContent;
    },
    /** Answers once the rounds of the session's player are forced to disk. */
    async save(request: PlayerRequest) {
      await request.body(requests.EmptyRequestSchema);
      await stores.rounds.flush((await request.session()).player);
      return jsonReply(200, { success: true } satisfies answers.Success);
    },
    /** Everything of a player: sessions and rounds. */
    async deletePlayer({ owner, caller: { player } }: PlayerRequest) {
      // What was uploaded before is stored first, or dropped if its client is gone. Then sessions: a round is
      // only added while its session exists. If this is interrupted, repeating it removes the rest; a session
      // may be counted until the next sweep.
      await uploads.after(owner, async () => {
        await stores.sessions.deleteAll(player);
        await stores.rounds.deleteAll(player);
      });
      return noContent;
    },
  };
}

/** A token for each 1,000 characters of a text or list: checking that keys type them takes up to 0.6 ms. */
function furtherText({ mode = '' }: Record<string, unknown>): number {
  return Math.floor(JSON.stringify(mode).length / 1_000);
}
