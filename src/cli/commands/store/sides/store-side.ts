import { type RedisAddress, toStoreText } from '../../../../server/settings/store-url.ts';
import type { Content } from '../../../../server/stores/ports.ts';
import {
  openConnection,
  type StoreConnection,
} from '../../../../server/stores/redis/connection/connection.ts';
import { createDocuments } from '../../../../server/stores/redis/content/documents.ts';
import { createRedisContent, toContentName } from '../../../../server/stores/redis/content/redis-content.ts';
import { createCopiedCounts } from '../../../../server/stores/redis/pulse/copied-counts.ts';
import { createPulseCounts } from '../../../../server/stores/redis/pulse/pulse-counts.ts';
import { createRoundStreams } from '../../../../server/stores/redis/rounds/round-streams.ts';
import { createStoredSessions } from '../../../../server/stores/redis/sessions/stored-sessions.ts';
import type { StoreCounts } from './copy-counts.ts';
import type { StoreSide } from './data-side.ts';
import { patiently } from './patience.ts';
import { createRoundImport, type Reach } from './round-import.ts';
import { createStoreRounds } from './store-rounds.ts';
import { createSessionReading } from './store-sessions.ts';
import { createSoundReader, type OnUnread } from './unread-data.ts';

export interface StoreSideOptions {
  readonly address: RedisAddress;
  readonly prefix: string;
  /** Milliseconds after which an unused session goes. */
  readonly sessionTtl: number;
  /** Bytes of the store that the rounds of all players together may take. */
  readonly roundQuota: number;
  /** Milliseconds that rounds of strangers are kept. */
  readonly keepRounds: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onUnread: OnUnread;
}

/** What is in a store. Rejects where it does not answer. */
export async function openStoreSide(options: StoreSideOptions): Promise<StoreSide> {
  const { address, prefix, sessionTtl } = options;
  const name = toStoreText(address);
  const store = await openConnection({ address });
  const reach = <T>(work: () => Promise<T>) => patiently(store, name, work);
  await reach(async () => undefined).catch(async (error) => {
    await store.close();
    throw error;
  });
  const reader = createSoundReader(store, reach, options.onUnread);
  const streams = createRoundStreams(store, { prefix });
  const added = createStoredSessions(store, { prefix, ttl: sessionTtl });
  const rounds = createStoreRounds(store, { prefix, streams, reach, reader });
  const sessions = createSessionReading(store, { prefix, ttl: sessionTtl, reach, reader });
  const keyName = `${prefix}:address-key`;
  const addressKey = async () => (await reach(() => store.run((client) => client.get(keyName)))) ?? undefined;
  const imported = createRoundImport(store, {
    ...{ ...options, streams, reach },
    isPublic: async () => (await addressKey()) !== undefined,
  });

  return {
    name: toContentName(name, prefix),
    content: toPatient(
      createRedisContent(createDocuments(store, prefix), { name: toContentName(name, prefix) }),
      reach,
    ),
    addressKey,
    addAddressKey: (key) =>
      reach(async () => {
        await store.run((client) => client.set(keyName, key, 'NX'));
        return (await store.run((client) => client.get(keyName))) === key;
      }),
    sessions,
    async addSession(stored) {
      if (await imported.isForgotten(stored)) return 'forgotten';
      return (await reach(() => added.add(stored))) ? 'added' : 'was there';
    },
    ...rounds,
    ...imported,
    counts: openCounts(store, prefix, reach),
    close: () => store.close(),
  };
}

function openCounts(store: StoreConnection, prefix: string, reach: Reach): StoreCounts {
  const counts = createPulseCounts(store, prefix);
  const copied = createCopiedCounts(store, prefix);
  return {
    read: () => reach(() => counts.read('')),
    add: (folder, some) => reach(() => copied.add(folder, some)),
    known: (folder) => reach(() => copied.known(folder)),
    setKnown: (folder, some) => reach(() => copied.setKnown(folder, some)),
  };
}

function toPatient(content: Content, reach: Reach): Content {
  return {
    ...content,
    read: (name) => reach(() => content.read(name)),
    update: (name, change) => reach(() => content.update(name, change)),
  };
}
