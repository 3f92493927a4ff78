import { type RedisAddress, storeText } from '../../server/settings/store-url.ts';
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

/** A store, with the password from the environment. */
export interface NamedStore {
  readonly address: RedisAddress;
  readonly prefix: string;
}

/** Milliseconds that a command waits for an answer. */
const answerTimeout = 3_000;

/**
 * Connects to a store for some work, and disconnects afterwards: a command may wait for its user for minutes,
 * and ends when it has nothing left to do.
 *
 * @param refusal the error if the store cannot be used, `wasReached` or not
 * @param timeout of each command, in milliseconds; default: that of a server
 */
export async function visitStore<T>(
  { address, prefix }: NamedStore,
  work: (records: Records, content: Content, store: StoreConnection) => Promise<T>,
  refusal: (problem: StoreUnavailableError, wasReached: boolean) => Error,
  timeout?: number,
): Promise<T> {
  const store = await openConnection(address, undefined, timeout);
  let wasReached = false;
  try {
    await waitForAnswer(store, answerTimeout);
    wasReached = true;
    const records = createRedisRecords(store, { prefix });
    const name = contentNameOf(storeText(address), prefix);
    return await work(records, createRecordContent(records, name), store);
  } catch (error) {
    throw error instanceof StoreUnavailableError ? refusal(error, wasReached) : error;
  } finally {
    await store.close();
  }
}

/** Content and counters of a store, with a visit for each reading or change. Every failure is a ContentError. */
export function createOnDemandStore(named: NamedStore) {
  const name = contentNameOf(storeText(named.address), named.prefix);
  /** @param unreached a sentence to add if the store was not reached */
  const visit = <T>(work: (content: Content, records: Records) => Promise<T>, unreached = '') =>
    visitStore(
      named,
      (records, content) => work(content, records),
      ({ message }, wasReached) =>
        new ContentError(`the store ${name} cannot be used: ${message}${wasReached ? '' : unreached}`),
    );
  const content: Content = {
    ...{ kind: 'store', name, nameOf: (text) => `${text} of ${name}` },
    read: (text) => visit((there) => there.read(text)),
    update: (text, change) => visit((there) => there.update(text, change), ' Nothing was changed.'),
    hasLost: () => visit((there) => there.hasLost()),
    sayLost: () => visit((there) => there.sayLost()),
    versions: (texts) => visit((there) => there.versions(texts)),
  };
  /** What was counted from this day (`YYYY-MM-DD`, UTC) on. */
  const counts = (sinceDay: string) => visit((_, records) => readPulse(records, sinceDay));
  return { content, readPulse: counts };
}
