import { type Context, requestIdOf } from '../http/requests/context.ts';
import type { Handler } from '../http/routing/router.ts';
import { type BoundWrite, boundLines } from '../settings/bounded-log.ts';
import type { Log } from '../settings/log.ts';
import { StoreUnavailableError } from '../stores/records/records.ts';
import { RoundsNotKeptError } from '../stores/rounds.ts';
import type { AskingOf } from './asking.ts';
import { AllowanceUsedUpError } from './game/round-allowance.ts';
import type { OwnHandler, SessionHandler } from './handlers/own-request.ts';
import { allowanceUsedUp, notSaved, storeUnavailable } from './handlers/typing-replies.ts';

/** Turns handlers that need the sender into handlers of routes. */
export interface OwnRoutes {
  own(handle: OwnHandler): Handler;
  /** For routes with the id of a session in their path. */
  ofSession(handle: SessionHandler): Handler;
}

export function createOwnRoutes(askingOf: AskingOf, log: Log): OwnRoutes {
  const logFailure = boundLines(log.error);
  return {
    own: (handle) => async (context) => {
      try {
        return await handle({ context, asking: askingOf(context) });
      } catch (error) {
        throw toRefusal(error, context, logFailure);
      }
    },
    ofSession:
      (handle) =>
      async (context, { id }) => {
        try {
          return await handle({ context, asking: askingOf(context), id: id as string });
        } catch (error) {
          throw toRefusal(error, context, logFailure);
        }
      },
  };
}

/** The answer to an error of the stores. The cause of a failure on disk goes to the log, not to the client. */
function toRefusal(error: unknown, context: Context, logFailure: BoundWrite): unknown {
  if (error instanceof AllowanceUsedUpError) return allowanceUsedUp(error.seconds);
  if (error instanceof StoreUnavailableError) return storeUnavailable();
  if (!(error instanceof RoundsNotKeptError)) return error;
  logFailure(error.message, { request: requestIdOf(context) });
  return notSaved();
}
