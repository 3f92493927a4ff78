import type { Stores } from '../stores/open-stores.ts';
import type { Pulse } from '../stores/pulse.ts';
import { StoreUnavailableError } from '../stores/records/records.ts';
import type { Metrics } from './metrics.ts';

type Observe = Metrics['storeCall'];
type Method = (...args: unknown[]) => Promise<unknown>;

/** The same stores, but the duration and outcome of every call are reported. */
export function observeStores(stores: Stores, observe: Observe): Stores {
  const { sessions, rounds, content, pulse, limits, outbox } = stores;
  return {
    ...stores,
    sessions: observeMethods('sessions', sessions, Object.keys(sessions), observe),
    rounds: observeMethods('rounds', rounds, Object.keys(rounds), observe),
    content: observeMethods('content', content, ['read', 'update', 'versions'], observe),
    pulse: { ...observeMethods('pulse', pulse, ['read'], observe), save: observeSaving(pulse, observe) },
    ...(limits && { limits: observeMethods('limits', limits, ['take'], observe) }),
    outbox: observeMethods('outbox', outbox, ['read', 'update'], observe),
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

/** Any other error is the caller's (a refused key) or an answer (a full quota): the store has worked. */
function observeCalls(operation: string, call: Method, observe: Observe): Method {
  return async (...args) => {
    const start = performance.now();
    let isAnswered = true;
    try {
      return await call(...args);
    } catch (error) {
      isAnswered = !(error instanceof StoreUnavailableError);
      throw error;
    } finally {
      observe(operation, performance.now() - start, isAnswered);
    }
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
