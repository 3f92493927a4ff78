import { StoreUnavailableError } from '../../../../server/stores/ports.ts';
import {
  type StoreConnection,
  untilAnswering,
} from '../../../../server/stores/redis/connection/connection.ts';
import { RefusedError } from '../../../program/command-errors.ts';

/** Milliseconds that the store has to answer, and how often it is asked. */
const patience = 3_000;
const attempts = 5;

/** Does work that may be done twice, and does it again where a busy store did not answer in time. */
export async function patiently<T>(store: StoreConnection, name: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    // One that was silent for a moment is connected again by then.
    await untilAnswering(store, patience).catch((error) => Promise.reject(toRefusal(error, name)));
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !(error instanceof StoreUnavailableError)) throw toRefusal(error, name);
    }
  }
}

function toRefusal(error: unknown, name: string): unknown {
  if (!(error instanceof StoreUnavailableError)) return error;
  return new RefusedError(
    `the store ${name} cannot be used: ${error.message} Run it again to continue from here`,
  );
}
