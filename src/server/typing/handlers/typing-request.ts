import type * as v from 'valibot';
import type { Reply } from '../../http/replies/reply.ts';
import { type Context, charge, requestIdOf } from '../../http/requests/context.ts';
import { parseRequest } from '../../http/requests/json-body.ts';
import type { Handler } from '../../http/routing/router.ts';
import { boundLines } from '../../settings/bounded-log.ts';
import { limits } from '../../settings/limits.ts';
import type { Log } from '../../settings/log.ts';
import type { Caller } from '../../stores/player.ts';
import { RoundsNotKeptError } from '../../stores/rounds.ts';
import type { TypingGame } from '../game/typing-game.ts';
import type { CallerOf } from '../requests/caller.ts';
import { refusalOf, sessionNotFound } from './refusals.ts';

/** A request of a player. */
export interface OwnRequest {
  readonly context: Context;
  readonly caller: Caller;
}

/** A request for one session, which may not exist. */
export interface SessionRequest extends OwnRequest {
  readonly id: string;
  /** Reads and checks the body. If it is wrong and the session does not exist either, the answer says the latter. */
  body<Schema extends v.GenericSchema>(schema: Schema, options?: BodyOptions): Promise<v.InferOutput<Schema>>;
}

interface BodyOptions {
  /** Default: 16 KiB. */
  readonly maxBytes?: number;
  /** Further tokens that a body costs, valid or not. Default: none. */
  readonly costOf?: (body: Record<string, unknown>) => number;
  /** See `parseRequest`. */
  readonly isSurelyRight?: (body: Record<string, unknown>) => boolean;
}

export type OwnHandler = (request: OwnRequest) => Promise<Reply>;
export type SessionHandler = (request: SessionRequest) => Promise<Reply>;

/** Turns handlers that need the sender into handlers of routes, and errors of the stores into answers. */
export interface PlayerRoutes {
  own(handle: OwnHandler): Handler;
  /** For routes with the id of a session in their path. */
  ofSession(handle: SessionHandler): Handler;
}

export function createPlayerRoutes(
  game: Pick<TypingGame, 'hasSession'>,
  callerOf: CallerOf,
  log: Log,
): PlayerRoutes {
  const logFailure = boundLines(log.error);
  const refuse = (error: unknown, context: Context) => {
    // The cause of a failure on disk goes to the log, not to the client.
    if (error instanceof RoundsNotKeptError) logFailure(error.message, { request: requestIdOf(context) });
    return refusalOf(error);
  };

  return {
    own: (handle) => async (context) => {
      try {
        return await handle({ context, caller: callerOf(context) });
      } catch (error) {
        throw refuse(error, context);
      }
    },
    ofSession:
      (handle) =>
      async (context, { id = '' }) => {
        try {
          const caller = callerOf(context);
          return await handle({ context, caller, id, body: (...of) => readBody(context, caller, id, ...of) });
        } catch (error) {
          throw refuse(error, context);
        }
      },
  };

  async function readBody<Schema extends v.GenericSchema>(
    context: Context,
    caller: Caller,
    id: string,
    schema: Schema,
    { maxBytes = limits.bodyBytes, costOf, isSurelyRight }: BodyOptions = {},
  ): Promise<v.InferOutput<Schema>> {
    try {
      const body = await context.json(maxBytes);
      if (costOf !== undefined) await charge(context, costOf(body));
      return parseRequest(schema, body, isSurelyRight);
    } catch (error) {
      if (!(await game.hasSession(caller, id))) throw sessionNotFound();
      throw error;
    }
  }
}
