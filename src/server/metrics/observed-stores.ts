import type { Awaitable, Content } from '../stores/content/content.ts';
import type { Outbox } from '../stores/outbox.ts';
import type { Stores } from '../stores/ports.ts';
import type { Pulse } from '../stores/pulse.ts';
import type { SharedLimits } from '../stores/records/shared-limits.ts';
import { type Rounds, RoundsNotKeptError } from '../stores/rounds.ts';
import type { Sessions } from '../stores/sessions.ts';
import type { Metrics } from './metrics.ts';

type Observe = Metrics['storeCall'];
type Method = (...args: never[]) => unknown;

/** The same stores, but the duration and outcome of every call are reported. */
export function observeStores(stores: Stores, observe: Observe): Stores {
  const { sessions, rounds, content, pulse, limits, outbox } = stores;
  return {
    ...stores,
    sessions: observeMethods<Sessions>('sessions', sessions, Object.keys(sessions), observe),
    rounds: observeMethods<Rounds>('rounds', rounds, Object.keys(rounds), observe),
    content: observeMethods<Content>('content', content, ['read', 'update', 'versions'], observe),
    pulse: {
      ...observeMethods<Pulse>('pulse', pulse, ['read'], observe),
      save: observeSaving(pulse, observe),
    },
    ...(limits === undefined
      ? {}
      : { limits: observeMethods<SharedLimits>('limits', limits, ['take'], observe) }),
    outbox: observeMethods<Outbox>('outbox', outbox, ['read', 'update', 'setAside'], observe),
  };
}

function observeMethods<Port extends object>(
  name: string,
  port: Port,
  methods: readonly string[],
  observe: Observe,
): Port {
  const observed = Object.entries(port)
    .filter(([method]) => methods.includes(method))
    .map(([method, call]) => [method, observeCalls(`${name}.${method}`, call as Method, observe)]);
  return { ...port, ...Object.fromEntries(observed) };
}

/** Synchronous results stay synchronous: no promise is added. */
function observeCalls(operation: string, call: Method, observe: Observe): Method {
  return (...args) => {
    const start = performance.now();
    const ofCaller = new CallerErrors();
    const end = (isAnswered: boolean) => observe(operation, performance.now() - start, isAnswered);
    const fail = (error: unknown): never => {
      end(isAnswer(error) || ofCaller.has(error));
      throw error;
    };
    let result: Awaitable<unknown>;
    try {
      result = call(...args.map(ofCaller.watch));
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

/** Errors thrown by a caller's `change`, such as a refused key: the store itself has worked. */
class CallerErrors {
  readonly #errors: unknown[] = [];

  has(error: unknown): boolean {
    return this.#errors.includes(error);
  }

  /** Returns the same argument; a function is wrapped so that its errors are recorded here. */
  readonly watch = (arg: never): never => {
    if (typeof arg !== 'function') return arg;
    const change = arg as Method;
    const keep = (error: unknown): never => {
      this.#errors.push(error);
      throw error;
    };
    const watched: Method = (...args) => {
      try {
        const result = change(...args);
        return result instanceof Promise ? result.catch(keep) : result;
      } catch (error) {
        return keep(error);
      }
    };
    return watched as never;
  };
}

/** `save` never rejects, and usually has nothing to do. */
function observeSaving(pulse: Pulse, observe: Observe): Pulse['save'] {
  return async () => {
    const start = performance.now();
    const result = await pulse.save();
    if (result !== 'nothing to save') observe('pulse.save', performance.now() - start, result === 'saved');
    return result;
  };
}

/** A store that is full according to its own limit has answered. */
function isAnswer(error: unknown): boolean {
  return error instanceof RoundsNotKeptError;
}
