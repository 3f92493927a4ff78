import { type StoreAddress, storeText } from '../../server/settings/store-url.ts';
import { type Content, ContentError } from '../../server/stores/content/content.ts';
import { contentNameOf, createRecordContent } from '../../server/stores/content/record-content.ts';
import { readPulse } from '../../server/stores/pulse.ts';
import { type Records, StoreUnavailableError } from '../../server/stores/records/records.ts';
import { createRedisRecords } from '../../server/stores/records/redis-records.ts';
import {
  openConnection,
  type StoreConnection,
  waitForAnswer,
} from '../../server/stores/records/store-connection.ts';
import { RefusedError } from '../program/command-io.ts';

/** A store, with the password and certificates from the environment. */
export interface NamedStore {
  readonly address: StoreAddress;
  readonly prefix: string;
}

/** Milliseconds that a command waits for an answer. */
const answerTimeout = 3_000;

/** A connection to a store that answers. */
export async function openAnsweringStore(address: StoreAddress): Promise<StoreConnection> {
  const store = await openConnection({ address });
  try {
    await waitForAnswer(store, answerTimeout);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Content and counters of a store, for a command. Connects for each reading or change, and disconnects
 * afterwards: a command may wait for its user for minutes, and ends when it has nothing left to do. Every
 * failure is a ContentError.
 */
export function createOnDemandStore({ address, prefix }: NamedStore) {
  const name = contentNameOf(storeText(address), prefix);
  /** @param unreached a sentence to add if the store was not reached */
  const visit = async <T>(work: (records: Records) => Promise<T>, unreached = ''): Promise<T> => {
    let store: StoreConnection | undefined;
    try {
      store = await openAnsweringStore(address);
      return await work(createRedisRecords(store, { prefix }));
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      const hint = store === undefined ? unreached : '';
      const message = `the store ${name} cannot be used: ${error.message}${hint}`;
      throw new ContentError(message, undefined, [], { cause: error });
    } finally {
      await store?.close();
    }
  };
  const contentOf = (records: Records) => createRecordContent(records, name);
  const content: Content = {
    kind: 'store',
    name,
    nameOf: (text) => `${text} of ${name}`,
    read: (text) => visit((records) => contentOf(records).read(text)),
    update: (text, change) =>
      visit((records) => contentOf(records).update(text, change), ' Nothing was changed.'),
    versions: (texts) => visit((records) => contentOf(records).versions(texts)),
  };
  /** What was counted from this day (`YYYY-MM-DD`, UTC) on. */
  const counts = (sinceDay: string) => visit((records) => readPulse(records, sinceDay));
  return { content, readPulse: counts };
}

/** Maximum number of attempts while a store does not answer. */
const maxAttempts = 5;

/**
 * Records and content of a store, for a copy of everything. Requests are repeated if it was too busy to answer in time. A change that was made although
 * its reply was lost is then refused, because the record has changed. Rejects with a RefusedError in the end.
 */
export async function openRetryingStore({ address, prefix }: NamedStore) {
  const name = contentNameOf(storeText(address), prefix);
  const refusal = (error: unknown) => {
    if (!(error instanceof StoreUnavailableError)) return error;
    const sentence = `the store ${storeText(address)} cannot be used: ${error.message}`;
    return new RefusedError(`${sentence} Run it again to continue from here`);
  };
  const store = await openAnsweringStore(address).catch((error) => Promise.reject(refusal(error)));
  const retrying = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await waitForAnswer(store, answerTimeout);
        return await work();
      } catch (error) {
        if (attempt === maxAttempts || !(error instanceof StoreUnavailableError)) throw refusal(error);
      }
    }
  };
  const direct = createRedisRecords(store, { prefix });
  const records: Records = {
    ...direct,
    read: (...args) => retrying(() => direct.read(...args)),
    fields: (id) => retrying(() => direct.fields(id)),
    lines: (...args) => retrying(() => direct.lines(...args)),
    commit: (...args) => retrying(async () => direct.commit(...args)),
    remove: (id) => retrying(() => direct.remove(id)),
  };
  return { name, records, content: createRecordContent(records, name), close: () => store.close() };
}
