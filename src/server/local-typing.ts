import type { Transport } from '../contract/transport.ts';
import { createLocalTransport } from './http/local-transport.ts';
import type { Log } from './settings/log.ts';
import { createFileRecords, recordsFolder } from './stores/records/file-records.ts';
import { createMemoryRecords } from './stores/records/memory-records.ts';
import { createRounds } from './stores/rounds.ts';
import { createSessions } from './stores/sessions.ts';
import { createTypingRoutes } from './typing/typing-routes.ts';

export interface LocalTypingOptions {
  /** The data folder, which a server of this machine may use at the same time. */
  readonly dataDir: string;
  /** The player key; undefined: the local player. */
  readonly key: string | undefined;
  /** Called once for each file that is damaged or missing, with a sentence. */
  readonly onDamage: (message: string) => void;
}

/** A run opens one session for each practice. */
const maxSessions = 100;

const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** The session API in this process: finished rounds are in the data folder, open sessions in memory. */
export function openLocalTyping({ dataDir, key, onDamage }: LocalTypingOptions) {
  const records = createFileRecords({ dir: recordsFolder(dataDir), onDamage });
  const infinite = Number.POSITIVE_INFINITY;
  const limits = { limit: maxSessions, limitPerClient: infinite, ttl: infinite };
  const routes = createTypingRoutes({
    stores: {
      sessions: createSessions(createMemoryRecords(), { ...limits, clock: Date.now }),
      rounds: createRounds(records, {
        quota: Number.MAX_SAFE_INTEGER,
        retention: undefined,
        clock: Date.now,
      }),
      addressKey: '',
      problem: records.problem,
    },
    isExposed: false,
    seed: undefined,
    log: silent,
    clock: Date.now,
  });
  const call = createLocalTransport([{ routes, prefix: '/api/' }]);
  const own = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const asPlayer: Transport = (request, signal) =>
    call({ ...request, headers: { ...own, ...request.headers } }, signal);
  return {
    call: asPlayer,
    close: () => records.close(),
  };
}
