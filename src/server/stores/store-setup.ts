import type { Log } from '../settings/log.ts';
import { openAddressKey } from './address-key.ts';
import type { Content } from './content/content.ts';
import type { ContentCopy } from './content/content-copy.ts';
import { fillContent } from './content/content-store.ts';
import type { Records } from './records/records.ts';
import { checkStore } from './records/store-check.ts';
import { type StoreConnection, waitForAnswer } from './records/store-connection.ts';
import { isDenied } from './records/store-problem.ts';

export interface StoreSetupOptions {
  readonly records: Records;
  readonly content: Content;
  /** Fills a store that, as far as this server knows, never had content. */
  readonly folder: Content;
  readonly copy: ContentCopy;
  /** Whether others can reach the server, so that their addresses must be hashed. */
  readonly isExposed: boolean;
  /** The address of the store, for the log. */
  readonly name: string;
  readonly log: Log;
}

/** How long a start waits for the store, in milliseconds: without a copy to fall back on, and with one. */
const startTimeout = 5_000;
const startTimeoutWithCopy = 2_000;

/**
 * Checks the store, fills it if it is empty, and resolves to the secret with which addresses are hashed. If
 * the store is away and an earlier start has left a copy, all this happens once the store answers; without a
 * copy it rejects.
 */
export async function prepareStore(store: StoreConnection, options: StoreSetupOptions): Promise<string> {
  const { copy, isExposed, log, name } = options;
  const key = isExposed ? await copy.readKey() : '';
  const canWait = key !== undefined && (await copy.read()) !== undefined;
  try {
    await waitForAnswer(store, canWait ? startTimeoutWithCopy : startTimeout);
    return await setUp(store, options);
  } catch (error) {
    if (!canWait || isDenied(error) || store.problem() === undefined) throw error;
    log.warn('the store is away: this server starts with its last copy of the content', {
      store: name,
      reason: (error as Error).message,
    });
    setUpLater(store, options, key);
    return key;
  }
}

async function setUp(store: StoreConnection, options: StoreSetupOptions): Promise<string> {
  const { records, copy, isExposed, log, name } = options;
  for (const warning of await checkStore(store)) log.warn(warning, { store: name });
  await fill(options);
  if (!isExposed) return '';
  const key = await openAddressKey(records);
  await copy.writeKey(key);
  return key;
}

/** Retries whenever the store answers, until it succeeds. */
function setUpLater(store: StoreConnection, options: StoreSetupOptions, known: string): void {
  const { log, name } = options;
  let isDone = false;
  store.onAnswer(async () => {
    if (isDone) return;
    try {
      const key = await setUp(store, options);
      isDone = true;
      if (key !== known)
        log.error('the store hashes addresses with another secret: restart this server', { store: name });
    } catch (error) {
      log.error(`the store cannot be used yet: ${(error as Error).message}`, { store: name });
    }
  });
}

/** If this server has a copy, a store without content has lost it, and the operator must restore it. */
async function fill({ content, folder, copy, log, name }: StoreSetupOptions): Promise<void> {
  if ((await copy.read()) !== undefined || !(await fillContent(content, folder))) return;
  log.info('the store had no content and was filled from the content folder', {
    store: name,
    content: folder.name,
  });
}
