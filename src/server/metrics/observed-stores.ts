import {
  type Awaitable,
  type Rounds,
  SessionMemoryError,
  type Sessions,
  type Stores,
} from '../stores/ports.ts';
import type { Metrics } from './metrics.ts';

type Observe = Metrics['storeCall'];
type Method = (...args: never[]) => unknown;

/** The same stores, with the time and the fate of every call reported. */
export function observeStores(stores: Stores, observe: Observe): Stores {
  return {
    ...stores,
    sessions: observeMethods<Sessions>('sessions', stores.sessions, observe),
    rounds: observeMethods<Rounds>('rounds', stores.rounds, observe),
  };
}

function observeMethods<Port extends object>(name: string, port: Port, observe: Observe): Port {
  const methods = Object.entries(port).map(([method, call]) => [
    method,
    observeCalls(`${name}.${method}`, call as Method, observe),
  ]);
  return Object.fromEntries(methods) as Port;
}

/** What is answered at once stays so: no promise is added. */
function observeCalls(operation: string, call: Method, observe: Observe): Method {
  return (...args) => {
    const start = performance.now();
    const end = (isAnswered: boolean) => observe(operation, performance.now() - start, isAnswered);
    const fail = (error: unknown): never => {
      end(isAnswer(error));
      throw error;
    };
    let result: Awaitable<unknown>;
    try {
      result = call(...args);
    } catch (error) {
      return fail(error);
    }
    if (result instanceof Promise) {
      return result.then((value) => {
        end(true);
        return value;
      }, fail);
    }
    end(true);
    return result;
  };
}

/** A store that is full by its own rules has answered. */
function isAnswer(error: unknown): boolean {
  return error instanceof SessionMemoryError;
}
