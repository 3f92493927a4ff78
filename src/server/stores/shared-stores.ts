import { boundLines } from '../settings/log.ts';
import { type RedisAddress, storeText } from '../settings/store-url.ts';
import { createContentCopy } from './content/content-copy.ts';
import { fillContent } from './content/content-store.ts';
import { createFolderContent } from './content/folder-content.ts';
import { contentNameOf, createRecordContent } from './content/record-content.ts';
import { type Stores, type StoresOptions, storesOn } from './open-stores.ts';
import { createRedisRecords } from './records/redis-records.ts';
import { createSharedLimits } from './records/shared-limits.ts';
import { checkStore, openConnection, waitForAnswer } from './records/store-connection.ts';
import { isDenied } from './records/store-problem.ts';
import { createSharedText, openAddressKey } from './shared-text.ts';

export interface SharedStoresOptions extends StoresOptions {
  readonly address: RedisAddress;
  /** Separates the data of several services in one store. */
  readonly prefix: string;
}

/** How long a start waits for the store, in milliseconds: without a copy to fall back on, and with one. */
const startTimeout = 5_000;
const startTimeoutWithCopy = 2_000;

/**
 * The stores of several servers that act as one. Rejects with one sentence if the store does not answer at
 * the start and this server has no copy of the content to start with.
 */
export async function openSharedStores(options: SharedStoresOptions): Promise<Stores> {
  const { address, prefix, dataDir, contentDir, isExposed = false, log } = options;
  const name = storeText(address);
  /** After a start without the store: does the rest whenever it answers, until that succeeds. */
  let setUpLater: (() => Promise<void>) | undefined;
  // A primary that became a replica refuses each write, and each refusal makes a new connection.
  const [logProblem, logAnswer] = [boundLines(log.error), boundLines(log.info)];
  const store = await openConnection(address, (problem) => {
    if (problem !== undefined) return logProblem(problem.message, { store: name });
    logAnswer('the store answers', { store: name });
    setUpLater?.();
  });
  const records = createRedisRecords(store, { prefix });
  const contentName = contentNameOf(name, prefix);
  const content = createRecordContent(records, contentName);
  const contentCopy = createContentCopy(dataDir, contentName, log);

  /** Checks the store, fills it if it is new, and resolves to the secret with which addresses are hashed. */
  const setUp = async (): Promise<string> => {
    for (const warning of await checkStore(store)) log.warn(warning, { store: name });
    // If this server has a copy, a store without content has lost it, and the operator must restore it.
    const mayFill = (await contentCopy.read()) === undefined;
    if (mayFill && (await fillContent(content, createFolderContent(contentDir)))) {
      const places = { store: name, content: contentDir };
      log.info('the store had no content and was filled from the content folder', places);
    }
    if (!isExposed) return '';
    const key = await openAddressKey(records, await contentCopy.readKey());
    await contentCopy.writeKey(key);
    return key;
  };

  /** If the store is away and an earlier start has left a copy, all this happens once the store answers. */
  const prepare = async (): Promise<string> => {
    const key = isExposed ? await contentCopy.readKey() : '';
    const canWait = key !== undefined && (await contentCopy.read()) !== undefined;
    try {
      await waitForAnswer(store, canWait ? startTimeoutWithCopy : startTimeout);
      return await setUp();
    } catch (error) {
      if (!canWait || isDenied(error) || store.problem() === undefined) throw error;
      log.warn('the store is away: this server starts with its last copy of the content', {
        store: name,
        reason: (error as Error).message,
      });
      setUpLater = async () => {
        try {
          const isKnown = (await setUp()) === key;
          setUpLater = undefined;
          const message = 'the store hashes addresses with another secret: restart this server';
          if (!isKnown) log.error(message, { store: name });
        } catch (error) {
          log.error(`the store cannot be used yet: ${(error as Error).message}`, { store: name });
        }
      };
      return key;
    }
  };

  try {
    const addressKey = await prepare();
    return {
      ...storesOn(records, options),
      content,
      contentCopy,
      limits: createSharedLimits(store, prefix, addressKey),
      outbox: createSharedText(records, 'webhooks'),
      addressKey,
      problem: () => (store.problem() ?? store.refusal())?.message,
    };
  } catch (error) {
    await store.close();
    throw new Error(`The store ${name} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}
