import { type StoreAddress, storeText } from '../../server/settings/store-url.ts';
import type { Content } from '../../server/stores/content/content.ts';
import { ContentError } from '../../server/stores/content/content-error.ts';
import { contentNameOf, createRecordContent } from '../../server/stores/content/record-content.ts';
import { type PulseCount, readPulse } from '../../server/stores/pulse.ts';
import type { Records } from '../../server/stores/records/records.ts';
import { StoreUnavailableError } from '../../server/stores/records/records.ts';
import { createRedisRecords } from '../../server/stores/records/redis-records.ts';
import { openConnection, untilAnswering } from '../../server/stores/records/store-connection.ts';

/** A store that was named, with what its password file or variable holds. */
export interface NamedStore {
  readonly address: StoreAddress;
  readonly prefix: string;
  /** Why this one, for `--verbose`. */
  readonly reason: string;
}

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
 */
export function createVisitedStore({ address, prefix }: NamedStore): VisitedStore {
  const name = contentNameOf(storeText(address), prefix);
  const visit = async <T>(work: (records: Records) => Promise<T>, unreached = ''): Promise<T> => {
    const store = await openConnection({ address });
    try {
      await untilAnswering(store, patience).catch((error) => Promise.reject(withHint(error, unreached)));
      return await work(createRedisRecords(store, { prefix }));
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      throw new ContentError(`the store ${name} cannot be used: ${error.message}`, undefined, [], {
        cause: error,
      });
    } finally {
      await store.close();
    }
  };
  const contentOf = (records: Records) => createRecordContent(records, { name, patience: lostReplyPatience });
  return {
    content: {
      kind: 'store',
      name,
      nameOf: (text) => `${text} of ${name}`,
      read: (text) => visit((records) => contentOf(records).read(text)),
      update: (text, change) =>
        visit((records) => contentOf(records).update(text, change), ' Nothing was changed.'),
      versions: (texts) => visit((records) => contentOf(records).versions(texts)),
    },
    readPulse: (sinceDay) => visit((records) => readPulse(records, sinceDay)),
  };
}

function withHint(error: unknown, hint: string): unknown {
  if (!(error instanceof StoreUnavailableError)) return error;
  return new StoreUnavailableError(`${error.message}${hint}`, { cause: error.cause });
}
