import type { Stores } from '../stores/open-stores.ts';
import type { PulseSaving } from '../stores/pulse.ts';
import { StoreUnavailableError } from '../stores/records/records.ts';
import type { Metrics } from './metrics.ts';

type Observe = Metrics['storeCall'];

/** The same stores, but the duration and outcome of every call are reported. */
export function observeStores(stores: Stores, observe: Observe): Stores {
  const { sessions, rounds, content, pulse, limits, outbox } = stores;
  const ports = Object.entries({ sessions, rounds, content, pulse, ...(limits && { limits }), outbox });
  const observed = ports.map(([port, methods]) => {
    const own = Object.entries(methods).map(([name, method]) => [
      name,
      typeof method === 'function' ? observeCalls(`${port}.${name}`, method, observe) : method,
    ]);
    return [port, Object.fromEntries(own)];
  });
  return { ...stores, ...Object.fromEntries(observed) };
}

function observeCalls(operation: string, call: (...args: unknown[]) => unknown, observe: Observe) {
  return (...args: unknown[]) => {
    const start = performance.now();
    const answer = call(...args);
    // An answer without a promise did not come from the store.
    if (!(answer instanceof Promise)) return answer;
    const report = (isAnswered: boolean) => observe(operation, performance.now() - start, isAnswered);
    answer.then(
      (result) => {
        if (result !== nothing) report(result !== failure);
      },
      // Any other error is the caller's (a refused key) or an answer (a full quota): the store has worked.
      (error) => report(!(error instanceof StoreUnavailableError)),
    );
    return answer;
  };
}

/** Outcomes of `pulse.save`, which never rejects and usually has nothing to do. */
const nothing: PulseSaving = 'nothing to save';
const failure: PulseSaving = 'not saved';
