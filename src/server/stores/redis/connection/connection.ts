import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { SilenceError, waitWhileFree } from '../../../../kit/loop-patience.ts';
import type { RedisAddress } from '../../../settings/store-url.ts';
import { StoreUnavailableError } from '../../ports.ts';
import { watchReplyOrder } from './reply-order.ts';
import { toStoreProblem } from './store-problem.ts';
import { guardReplies } from './stray-replies.ts';
import { probeTls } from './tls-probe.ts';
import { findMissingTls, findTlsProblem } from './tls-problem.ts';

/** Milliseconds of free event loop after which a command counts as failed. */
const patience = 500;
/**
 * Milliseconds after which the client library itself gives up a command, however busy the loop is: only for its own commands
 * while it connects. Longer than `patience` can take.
 */
const handshakeTimeout = 10_000;
/** Longest pause between attempts to connect, in milliseconds. */
const longestRetryPause = 1_000;

export interface ConnectionOptions {
  readonly address: RedisAddress;
  /** Called with the reason when the store goes away, and with undefined when it answers again. */
  readonly onChange?: (problem: Error | undefined) => void;
  /** Called when damaged data was set aside. Default: nothing is set aside, and commands on such data fail. */
  readonly onDamage?: ((damage: KeyDamage) => void) | undefined;
}

/** Data at one of our keys that does not belong there. */
export interface KeyDamage {
  readonly key: string;
  /** What is wrong with it, as a clause such as "it is a string, not a hash". */
  readonly problem: string;
  /** The key that it was renamed to; undefined if that failed, so that commands on the key still fail. */
  readonly movedTo: string | undefined;
}

/** Runs a command or script through the client library. */
export type Command<T> = (client: Redis | Cluster) => Promise<T>;

/** One connection to the store, which is re-established whenever it is lost. */
export interface StoreConnection {
  /**
   * Runs a command. Rejects with a StoreUnavailableError after about half a second without an answer, not counting time in
   * which this process was too busy to read it; the command may have been executed all the same.
   */
  run<T>(command: Command<T>): Promise<T>;
  /** Why the store cannot be used now; undefined while it answers. */
  problem(): Error | undefined;
  /** Calls back whenever the connection is lost: what was read over it may be outdated. */
  onLost(listener: () => void): void;
  /** Calls back whenever the store answers again. */
  onAnswer(listener: () => void): void;
  /** See `ConnectionOptions`. */
  readonly onDamage?: ((damage: KeyDamage) => void) | undefined;
  close(): Promise<void>;
}

/** Loads the client library, which costs nothing without a store, and begins to connect. */
export async function openConnection({
  address,
  onChange,
  onDamage,
}: ConnectionOptions): Promise<StoreConnection> {
  const { default: library } = await import('ioredis');
  await guardReplies();
  const client = connect(library, address);
  let problem: Error | undefined = new StoreUnavailableError('The store has not answered yet.');

  const set = (next: Error | undefined) => {
    const isChange = (problem === undefined) !== (next === undefined);
    problem = next;
    if (isChange) onChange?.(next);
    if (isChange && next === undefined) for (const listener of answerListeners) listener();
  };
  const lostListeners: (() => void)[] = [];
  const answerListeners: (() => void)[] = [];
  const lose = () => {
    for (const listener of lostListeners) listener();
  };
  let hasAnswered = false;
  const explain = async (error: Error) => {
    set(problem ?? toStoreProblem(error));
    const cause = (await findHiddenCause(address, error)) ?? error;
    if (problem === undefined) return;
    const hint = address.tls || hasAnswered ? undefined : findMissingTls(cause);
    set(hint === undefined ? toStoreProblem(cause) : new StoreUnavailableError(hint, { cause }));
  };
  let isLeaving = false;
  client.on('ready', () => {
    hasAnswered = true;
    isLeaving = false;
    set(undefined);
  });
  client.on('error', explain);
  client.on('close', () => {
    set(problem ?? new StoreUnavailableError('The connection to the store was lost.'));
    lose();
  });
  // A node of a cluster that has been replaced by its replica.
  client.on('-node', lose);

  /** Fails everything that waits on this connection; the next one is not used until the store has answered on it. */
  const leave = (reason: Error) => {
    isLeaving = true;
    set(reason);
    client.disconnect(true);
  };
  const endWatch = watchReplyOrder(client, () =>
    leave(new StoreUnavailableError('The replies of the store came out of order.')),
  );

  return {
    async run(command) {
      try {
        return await waitWhileFree(command(client), patience);
      } catch (error) {
        const reason = toStoreProblem(error);
        // Commands must not pile up on a connection whose store has gone silent. An already known problem of the store does not
        // matter here: it may have been reported over this very connection.
        if (error instanceof SilenceError && client.status === 'ready' && !isLeaving) leave(reason);
        throw reason;
      }
    },
    problem: () => problem,
    onLost: (listener) => void lostListeners.push(listener),
    onAnswer: (listener) => void answerListeners.push(listener),
    onDamage,
    async close() {
      endWatch();
      // A connection closed on purpose is not lost: a server that ends, or a worker that is replaced, reports no failure.
      client.removeAllListeners('close');
      client.removeAllListeners('error');
      client.on('error', () => undefined);
      client.disconnect();
    },
  };
}

/** Resolves once the store answers, or rejects with the reason if it does not within so many milliseconds. */
export async function untilAnswering(store: StoreConnection, patience: number): Promise<void> {
  const deadline = performance.now() + patience;
  for (let problem = store.problem(); problem !== undefined; problem = store.problem()) {
    if (performance.now() > deadline) throw problem;
    await sleep(20);
  }
}

/**
 * For sentinels and clusters the client library only reports that a connection was closed, and for a server without TLS only a
 * time-out; a handshake of our own finds the reason.
 */
async function findHiddenCause(address: RedisAddress, error: Error): Promise<Error | undefined> {
  if (!address.tls || address.kind === 'socket' || findTlsProblem(error) !== undefined) return undefined;
  const nodes = address.kind === 'single' ? [address.node] : address.nodes;
  const causes = await Promise.all(nodes.map((node) => probeTls(node, { ...address.certificates })));
  // A wrong certificate comes first, because only the operator can fix it; nodes may be down for other reasons.
  return (
    causes.find((cause) => findTlsProblem(cause) !== undefined) ?? causes.find((cause) => cause !== undefined)
  );
}

/** CommonJS: bundled or not, only its default export exists. */
type Library = typeof import('ioredis').default;

const retryStrategy = (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 10), longestRetryPause);

function connect(library: Library, address: RedisAddress): Redis | Cluster {
  const { username, password, certificates = {} } = address;
  const tls = address.tls ? { ...certificates } : undefined;
  const common = {
    // Nothing may wait for a store that is away, and nothing may be sent twice without our knowledge.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    commandTimeout: handshakeTimeout,
    connectTimeout: 2_000,
    // How long disconnecting from a silent store may take.
    disconnectTimeout: 200,
    // Maps arrive as flat lists with both protocol versions; Valkey, Redis 7 and every proxy in between support 2.
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
        sentinelCommandTimeout: patience,
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
        // Certificates contain host names, so those of the cluster must not be resolved before they are compared.
        ...(tls === undefined ? {} : { dnsLookup: (host, callback) => callback(null, host) }),
        redisOptions: common,
      });
  }
}
