import type { Log } from '../../settings/log.ts';
import { type RedisAddress, toStoreText } from '../../settings/store-url.ts';
import { createFolderContent } from '../files/content/folder-content.ts';
import { createBoundedRounds } from '../files/rounds/bounded-rounds.ts';
import { createStoreCopies } from '../files/store-copies.ts';
import { clientsInMemory } from '../memory/session-memory.ts';
import { createDocumentOutbox } from '../outbox/document-outbox.ts';
import { localPlayer } from '../player.ts';
import type { Stores } from '../ports.ts';
import { retentionAt } from '../round-retention.ts';
import { openConnection, type StoreConnection } from './connection/connection.ts';
import { createDocuments } from './content/documents.ts';
import { createRedisContent, toContentName } from './content/redis-content.ts';
import { createDamageReport, type DamageReport } from './damage-report.ts';
import { createPulseCounts } from './pulse/pulse-counts.ts';
import { createRedisPulse } from './pulse/redis-pulse.ts';
import { startDroppingForgotten } from './rounds/forgotten-copies.ts';
import { createForgottenPlayers } from './rounds/forgotten-players.ts';
import { createRedisRounds } from './rounds/redis-rounds.ts';
import { createRoundRoom } from './rounds/round-room.ts';
import { createRoundStreams, noBounds } from './rounds/round-streams.ts';
import { createRedisSessions } from './sessions/redis-sessions.ts';
import { createSharedBuckets } from './shared-buckets.ts';
import { enterStore } from './store-entry.ts';

export interface RedisStoresOptions {
  readonly address: RedisAddress;
  /** Separates the data of several services in one store. */
  readonly prefix: string;
  /** This server's own data folder, for copies of rounds and content. */
  readonly dataDir: string;
  /** The content folder, from which an empty store is filled. */
  readonly contentDir: string;
  readonly sessionTtl: number;
  readonly maxSessions: number;
  /** Most memory of all open sessions in the store, in bytes; also of the copies of sessions in this process. */
  readonly sessionMemory: number;
  /** See `FileStoresOptions`; undefined: no limit. */
  readonly maxSessionsPerClient?: number | undefined;
  /** See `FileStoresOptions`; applies to the store and to this disk. */
  readonly roundQuota: number;
  readonly keepRounds: number;
  readonly isExposed: boolean;
  readonly log: Log;
  readonly clock: () => number;
}

/** Longest time that a server may be off, in milliseconds, and still learn whose data was deleted in the meantime. */
const longestAbsence = 400 * 24 * 60 * 60 * 1000;

/**
 * The stores of several servers that act as one. Rejects with one sentence if the store does not answer at the start and
 * this server has no copy of the content to start with.
 */
export async function openRedisStores(options: RedisStoresOptions): Promise<Stores> {
  const { address, prefix, dataDir, isExposed, log } = options;
  const name = toStoreText(address);
  const damage = createDamageReport({ store: name, log });
  const store = await openConnection({
    address,
    onChange: (problem) =>
      problem === undefined
        ? log.info('the store answers', { store: name })
        : log.error(problem.message, { store: name }),
    onDamage: damage.key,
  });
  try {
    const documents = createDocuments(store, prefix);
    const contentName = toContentName(name, prefix);
    const copies = createStoreCopies({ dataDir, original: contentName, log });
    const addressKey = await enterStore(store, {
      prefix,
      documents,
      folder: createFolderContent(options.contentDir),
      copies,
      isExposed,
      sessionTtl: options.sessionTtl,
      log,
      name,
    });
    const pulse = createRedisPulse(createPulseCounts(store, prefix), {
      onProblem: ({ message }) => log.error(`badge counters wait until they can be saved: ${message}`),
    });
    const rounds = openRounds(store, options, damage);
    return {
      sessions: openSessions(store, options),
      rounds: rounds.shared,
      content: createRedisContent(documents, { name: contentName }),
      contentCopy: copies.content,
      pulse,
      limits: createSharedBuckets(store, prefix, addressKey),
      // Under a key of its own, because a store is only filled while its content is empty.
      outbox: createDocumentOutbox(createDocuments(store, `${prefix}:webhooks`)),
      addressKey,
      problem: () => store.problem()?.message ?? damage.problem(),
      async close() {
        await pulse.save();
        await rounds.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw new Error(`The store ${name} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

function openSessions(store: StoreConnection, options: RedisStoresOptions) {
  const { prefix, isExposed } = options;
  return createRedisSessions(store, {
    prefix,
    ttl: options.sessionTtl,
    limit: options.maxSessions,
    memory: options.sessionMemory,
    ...(isExposed && {
      limitPerClient: options.maxSessionsPerClient,
      memoryPerClient: options.sessionMemory / clientsInMemory,
    }),
    cacheMemory: options.sessionMemory,
  });
}

function openRounds(store: StoreConnection, options: RedisStoresOptions, damage: DamageReport) {
  const { prefix, isExposed, keepRounds, roundQuota: quota, log, clock } = options;
  const life = isExposed ? keepRounds : Number.POSITIVE_INFINITY;
  const files = createBoundedRounds(options);
  const stopCleaning = files.startCleaning();
  const forgotten = createForgottenPlayers(store, { prefix, life: Math.max(keepRounds, longestAbsence) });
  const shared = createRedisRounds({
    forgotten,
    onUnreadable: damage.rounds,
    streams: createRoundStreams(store, { prefix }),
    room: createRoundRoom(store, { prefix, quota, life }),
    disk: {
      async keep(player, rounds) {
        await files.keep(player, rounds);
        // Nobody reads this copy while there is a store, but reading a history is what trims it.
        if (isExposed) await files.history(player);
      },
      forget: files.forget,
      remove: files.remove,
    },
    bounds: (player) =>
      isExposed && player !== localPlayer ? { ...retentionAt(clock(), keepRounds), life } : noBounds,
  });
  const stopDropping = startDroppingForgotten({ forgotten, drop: shared.dropCopies, log });
  return {
    shared,
    async close() {
      stopCleaning();
      await stopDropping();
      await files.settle();
    },
  };
}
