import { toStoreText } from '../../server/settings/store-url.ts';
import { ContentError } from '../../server/stores/content/content-error.ts';
import { findStoreCopy } from '../../server/stores/files/store-copies.ts';
import { type Content, StoreUnavailableError } from '../../server/stores/ports.ts';
import type { PulseCount } from '../../server/stores/pulse-tally.ts';
import {
  openConnection,
  type StoreConnection,
  untilAnswering,
} from '../../server/stores/redis/connection/connection.ts';
import { createDocuments } from '../../server/stores/redis/content/documents.ts';
import { createRedisContent, toContentName } from '../../server/stores/redis/content/redis-content.ts';
import { createPulseCounts } from '../../server/stores/redis/pulse/pulse-counts.ts';
import type { NamedStore } from './store-access.ts';

/** Content and counters of a store, for a command. */
export interface VisitedStore {
  readonly content: Content;
  /** What was counted from this day (`YYYY-MM-DD`, UTC) on. */
  readPulse(sinceDay: string): Promise<readonly PulseCount[]>;
}

/** Milliseconds that a command waits for the store to answer, and for the fate of a change whose reply was lost. */
const patience = 3_000;
const lostReplyPatience = 4_000;

/**
 * Connects for each reading or change, and lets go afterwards: a command may wait for its user for minutes in between, and
 * ends when it has nothing left to do. Every failure is a ContentError.
 *
 * @param dataDir where a server of this machine keeps its copy of the content
 */
export function createVisitedStore({ address, prefix }: NamedStore, dataDir: string): VisitedStore {
  const name = toContentName(toStoreText(address), prefix);
  const visit = async <T>(work: (store: StoreConnection) => Promise<T>, unreached = ''): Promise<T> => {
    const store = await openConnection({ address });
    try {
      await untilAnswering(store, patience).catch((error) => Promise.reject(withHint(error, unreached)));
      return await work(store);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      throw new ContentError(`the store ${name} cannot be used: ${error.message}`, undefined, [], {
        cause: error,
      });
    } finally {
      await store.close();
    }
  };
  const contentOf = (store: StoreConnection) =>
    createRedisContent(createDocuments(store, prefix), { name, patience: lostReplyPatience });
  return {
    content: {
      kind: 'store',
      name,
      nameOf: (text) => `${text} of ${name}`,
      read: (text) =>
        visit(async (store) => {
          const found = await contentOf(store).read(text);
          if (found === undefined) await expectNothingLost(contentOf(store), dataDir);
          return found;
        }),
      update: (text, change) =>
        visit(async (store) => {
          await expectNothingLost(contentOf(store), dataDir, '. Nothing was changed');
          return contentOf(store).update(text, change);
        }, ' Nothing was changed.'),
      versions: (texts) => visit((store) => contentOf(store).versions(texts)),
    },
    readPulse: (sinceDay) => visit((store) => createPulseCounts(store, prefix).read(sinceDay)),
  };
}

/**
 * Throws where the store has no announcements, but a server of this machine knows of some: with a change of somebody it would no longer be
 * empty, and no server would put back what it has lost; and "none yet" would be untrue.
 *
 * @param outcome what the sentence ends with
 */
async function expectNothingLost(content: Content, dataDir: string, outcome = ''): Promise<void> {
  const [history] = await content.versions(['history.json']);
  if (history !== undefined) return;
  const copy = await findStoreCopy({ dataDir, original: content.name });
  if (copy === undefined) return;
  throw new ContentError(
    `the store ${content.name} has lost its content, and ${copy.content.name} is a copy of it (last changed at ${copy.changed.toISOString()}). Restart the server of this data folder, which puts it back, then repeat this command${outcome}`,
  );
}

function withHint(error: unknown, hint: string): unknown {
  if (!(error instanceof StoreUnavailableError)) return error;
  return new StoreUnavailableError(`${error.message}${hint}`, { cause: error.cause });
}
