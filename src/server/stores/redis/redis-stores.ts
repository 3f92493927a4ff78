import { randomBytes } from 'node:crypto';
import type { Log } from '../../settings/log.ts';
import { type StoreAddress, toStoreText } from '../../settings/store-url.ts';
import { createFileRounds } from '../files/rounds/file-rounds.ts';
import { localPlayer, type PlayerId } from '../player.ts';
import type { Stores } from '../ports.ts';
import { openConnection, type StoreConnection } from './connection.ts';
import { createRedisRounds } from './redis-rounds.ts';
import { createRedisSessions } from './redis-sessions.ts';
import { createRoundStreams } from './round-streams.ts';
import { checkStore } from './store-check.ts';

export interface RedisStoresOptions {
  readonly address: StoreAddress;
  /** Tells the data of several services in one store apart. */
  readonly prefix: string;
  /** This server's own folder, for a copy of what is saved. */
  readonly dataDir: string;
  readonly sessionTtl: number;
  readonly maxSessions: number;
  /** Bytes for copies of sessions in this process. */
  readonly sessionMemory: number;
  /** See `FileStoresOptions`; undefined: no bound. */
  readonly maxSessionsPerClient?: number | undefined;
  readonly keepRounds: number;
  readonly isExposed: boolean;
  readonly log: Log;
  readonly clock: () => number;
}

const mostRounds = 10_000;
/** How long a start waits for the store to answer, in milliseconds. */
const startPatience = 5_000;

/** The stores of many servers that act as one. Rejects with one sentence where the store does not answer at the start. */
export async function openRedisStores(options: RedisStoresOptions): Promise<Stores> {
  const { address, prefix, dataDir, isExposed, keepRounds, clock, log } = options;
  const name = toStoreText(address);
  const store = await openConnection({
    address,
    onChange: (problem) =>
      problem === undefined
        ? log.info('the store answers', { store: name })
        : log.error(problem.message, { store: name }),
  });
  try {
    await waitFor(store);
    for (const warning of await checkStore(store)) log.warn(warning, { store: name });
    const addressKey = isExposed ? await shareAddressKey(store, prefix) : '';
    const bounds = (player: PlayerId) =>
      isExposed && player !== localPlayer
        ? { rounds: mostRounds, since: clock() - keepRounds }
        : { rounds: Number.POSITIVE_INFINITY, since: Number.NEGATIVE_INFINITY };
    return {
      sessions: createRedisSessions(store, {
        prefix,
        ttl: options.sessionTtl,
        limit: options.maxSessions,
        limitPerClient: isExposed ? options.maxSessionsPerClient : undefined,
        cacheMemory: options.sessionMemory,
      }),
      rounds: createRedisRounds({
        streams: createRoundStreams(store, prefix),
        disk: createFileRounds({ dataDir, log }),
        bounds,
      }),
      addressKey,
      problem: () => store.problem()?.message,
      close: () => store.close(),
    };
  } catch (error) {
    await store.close();
    throw new Error(`The store ${name} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

async function waitFor(store: StoreConnection): Promise<void> {
  const deadline = performance.now() + startPatience;
  for (let problem = store.problem(); problem !== undefined; problem = store.problem()) {
    if (performance.now() > deadline) throw problem;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** All servers must hash an address in the same way, or a client would be somebody else on each of them. */
async function shareAddressKey(store: StoreConnection, prefix: string): Promise<string> {
  const key = `${prefix}:address-key`;
  await store.run((client) => client.set(key, randomBytes(32).toString('hex'), 'NX'));
  return (await store.run((client) => client.get(key))) ?? '';
}
