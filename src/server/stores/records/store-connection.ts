import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, Redis, RedisOptions } from 'ioredis';
import type { RedisAddress } from '../../settings/store-url.ts';
import { createRefusals, StoreUnavailableError } from './records.ts';
import { checks, isRefusal, isTimeout, storeProblem } from './store-problem.ts';

/** Milliseconds after which a command without an answer has failed, unless somebody gives it more time. */
const commandTimeout = 500;
/** Milliseconds by which a timer is late if this process was busy. */
const maxDelay = 50;
/** As `commandTimeout`, for what the client library itself sends while it connects. */
const handshakeTimeout = 2_000;
/** Maximum pause between attempts to connect, in milliseconds. */
const maxRetryPause = 1_000;

/** A Lua script, which the store executes atomically. */
export interface Script {
  /** Its name as a command of the client; must differ from all commands of Redis. */
  readonly name: string;
  /** How many of its arguments are keys, which are all in one slot. */
  readonly keys: number;
  readonly lua: string;
}

/** One connection to the store, which is re-established whenever it is lost. */
export type StoreConnection = Awaited<ReturnType<typeof openConnection>>;

/**
 * Loads the client library, which costs nothing without a store, and begins to connect.
 *
 * @param onChange called with the reason when the store goes away, and with undefined when it answers again
 * @param timeout milliseconds after which a command without an answer has failed
 */
export async function openConnection(
  address: RedisAddress,
  onChange?: (problem: Error | undefined) => void,
  timeout = commandTimeout,
) {
  const { default: library } = await import('ioredis');
  const redis = connect(library, address, Math.max(timeout, handshakeTimeout));
  let problem: Error | undefined = new StoreUnavailableError('The store has not answered yet.');
  let isLeaving = false;
  const refusals = createRefusals<Error>((reason) => onChange?.(reason));

  const set = (next: Error | undefined) => {
    const isChange = (problem === undefined) !== (next === undefined);
    problem = next;
    if (isChange) onChange?.(next);
  };
  redis.on('ready', () => {
    isLeaving = false;
    set(undefined);
  });
  redis.on('error', (error) => set(storeProblem(error, checks)));
  redis.on('close', () => set(problem ?? new StoreUnavailableError('The connection to the store was lost.')));

  const run = async <T>(command: (redis: Redis | Cluster) => Promise<T>): Promise<T> => {
    try {
      return await withTimeout(command(redis), timeout);
    } catch (error) {
      const reason = storeProblem(error);
      // Nothing more is sent over a connection that has gone silent: the next one is used once the store has
      // answered on it.
      if (isTimeout(error) && redis.status === 'ready' && !isLeaving) {
        isLeaving = true;
        set(reason);
        redis.disconnect(true);
      } else if (isRefusal(reason)) refusals.report(reason);
      throw reason;
    }
  };

  return {
    /**
     * Rejects with a StoreUnavailableError at once while the store is away, and after `timeout` without an
     * answer; the command may have been executed all the same.
     */
    run,
    /** Runs a script by its hash; the client sends the text if the store does not know it. */
    runScript: ({ name, keys, lua }: Script, args: readonly string[]): Promise<unknown> =>
      run((each) => {
        if (!Reflect.has(each, name)) each.defineCommand(name, { numberOfKeys: keys, lua });
        // As one list: a hundred thousand arguments of a call would be too many.
        return Reflect.get(each, name).call(each, args);
      }),
    /** Why the store cannot be used now; undefined while it answers. */
    problem: () => problem,
    /** What it refused within the last ten seconds, such as writes without enough memory or replicas. */
    refusal: refusals.current,
    async close() {
      // A connection closed on purpose is not lost: a server that ends, or a worker that is replaced, reports
      // no failure.
      redis.removeAllListeners('close');
      redis.removeAllListeners('error');
      redis.on('error', () => undefined);
      // A socket ended during a TLS handshake may fail twice, and the library listens for one error only.
      for (const { stream } of 'nodes' in redis ? redis.nodes() : [redis])
        stream?.on('error', () => undefined);
      redis.disconnect();
    },
  };
}

/** Resolves once the store answers; rejects with the reason if it does not within `timeout` milliseconds. */
export async function waitForAnswer(store: StoreConnection, timeout: number): Promise<void> {
  const deadline = performance.now() + timeout;
  for (let problem = store.problem(); problem !== undefined; problem = store.problem()) {
    if (performance.now() > deadline) throw problem;
    await sleep(20);
  }
}

const oldestVersion = 7;

/** Warnings about the store's configuration, a sentence each. Rejects if the store is too old. */
export async function checkStore(store: StoreConnection): Promise<string[]> {
  const info = await store.run((redis) => redis.info());
  const infoOf = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const version = infoOf('valkey_version') ?? infoOf('redis_version') ?? '0';
  if (Number.parseInt(version, 10) < oldestVersion) {
    throw new Error(`It is version ${version}; typebadge needs Redis ${oldestVersion}.0 or Valkey.`);
  }
  // Hosted stores may refuse this.
  const [, save] = (await store.run((redis) => redis.config('GET', 'save')).catch(() => [])) as string[];
  const warnings: string[] = [];
  if (infoOf('aof_enabled') !== '1' && save === '')
    warnings.push('The store saves nothing to disk: a restart loses everything. Set "appendonly yes".');
  const policy = infoOf('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction') {
    warnings.push(
      `The store may drop data when it is full (maxmemory-policy ${policy}). Set "maxmemory-policy noeviction".`,
    );
  }
  return warnings;
}

/** Allows more time while this process is busy, because then timers are late and answers wait unread. */
function withTimeout<T>(answer: Promise<T>, timeout: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    const wait = (times: number) => {
      const due = performance.now() + timeout;
      timer = setTimeout(() => {
        if (times > 1 && performance.now() > due + maxDelay) wait(times - 1);
        // What has arrived is read first.
        else setImmediate(() => setImmediate(reject, new Error('timed out')));
      }, timeout);
    };
    wait(5);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** CommonJS: bundled or not, only its default export exists. */
type Library = typeof import('ioredis').default;

const retryStrategy = (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 10), maxRetryPause);

function connect(library: Library, address: RedisAddress, libraryTimeout: number): Redis | Cluster {
  const { username, password } = address;
  const tls = address.tls ? {} : undefined;
  const common = {
    // Nothing may wait for a store that is away, and nothing may be sent twice without our knowledge.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    commandTimeout: libraryTimeout,
    connectTimeout: 2_000,
    // How long disconnecting from a silent store may take.
    disconnectTimeout: 200,
    // Maps arrive as flat lists with both protocol versions; Valkey, Redis 7 and every proxy in between
    // support 2.
    protocol: 2 as const,
    connectionName: 'typebadge',
    disableClientInfo: true,
    // After a failover the old primary answers READONLY: reconnecting looks up the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
  } satisfies RedisOptions;
  switch (address.kind) {
    case 'single':
      return new library({ ...common, ...address.node, db: address.db, retryStrategy });
    case 'socket':
      return new library({ ...common, path: address.path, db: address.db, retryStrategy });
    case 'sentinel':
      return new library({
        ...common,
        sentinels: [...address.nodes],
        name: address.name,
        db: address.db,
        retryStrategy,
        sentinelRetryStrategy: retryStrategy,
        sentinelCommandTimeout: commandTimeout,
        ...(tls === undefined ? {} : { enableTLSForSentinelMode: true, sentinelTLS: tls }),
      });
    case 'cluster':
      return new library.Cluster([...address.nodes], {
        enableOfflineQueue: false,
        clusterRetryStrategy: retryStrategy,
        // Follows a key that has moved, but does not wait for a node that is gone.
        maxRedirections: 4,
        retryDelayOnFailover: 50,
        retryDelayOnClusterDown: 50,
        slotsRefreshTimeout: 1_000,
        slotsRefreshInterval: 5_000,
        // Certificates contain host names, so those of the cluster must not be resolved before they are
        // compared.
        ...(tls === undefined ? {} : { dnsLookup: (host, callback) => callback(null, host) }),
        redisOptions: common,
      });
  }
}
