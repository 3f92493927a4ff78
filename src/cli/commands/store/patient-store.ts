import { type RedisAddress, storeText } from '../../../server/settings/store-url.ts';
import type { Content } from '../../../server/stores/content/content.ts';
import { contentNameOf, createRecordContent } from '../../../server/stores/content/record-content.ts';
import type { Records } from '../../../server/stores/records/records.ts';
import { StoreUnavailableError } from '../../../server/stores/records/records.ts';
import { createRedisRecords } from '../../../server/stores/records/redis-records.ts';
import { openConnection, untilAnswering } from '../../../server/stores/records/store-connection.ts';
import { RefusedError } from '../../program/command-io.ts';

export interface PatientStore {
  /** What people know it by. */
  readonly name: string;
  readonly records: Records;
  readonly content: Content;
  close(): Promise<void>;
}

/** Milliseconds that the store has to answer, and how often it is asked. */
const patience = 3_000;
const maxAttempts = 5;

/**
 * A store for a command, which asks again where a busy store did not answer in time. A change that was made though its reply was
 * lost is then refused, because the record has changed. Rejects with a RefusedError if the store does not answer.
 */
export async function openPatientStore(options: {
  readonly address: RedisAddress;
  readonly prefix: string;
}): Promise<PatientStore> {
  const { address, prefix } = options;
  const name = storeText(address);
  const store = await openConnection({ address });
  const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      // One that was silent for a moment is connected again by then.
      await untilAnswering(store, patience).catch((error) => Promise.reject(refusal(error, name)));
      try {
        return await work();
      } catch (error) {
        if (attempt === maxAttempts || !(error instanceof StoreUnavailableError)) throw refusal(error, name);
      }
    }
  };
  await patiently(async () => undefined).catch(async (error) => {
    await store.close();
    throw error;
  });
  const hasty = createRedisRecords(store, { prefix });
  const records: Records = {
    ...hasty,
    read: (...given) => patiently(() => hasty.read(...given)),
    fields: (id) => patiently(() => hasty.fields(id)),
    lines: (...given) => patiently(() => hasty.lines(...given)),
    commit: (...given) => patiently(() => hasty.commit(...given)),
    remove: (id) => patiently(() => hasty.remove(id)),
  };
  return {
    name: contentNameOf(name, prefix),
    records,
    content: createRecordContent(records, { name: contentNameOf(name, prefix) }),
    close: () => store.close(),
  };
}

function refusal(error: unknown, name: string): unknown {
  if (!(error instanceof StoreUnavailableError)) return error;
  return new RefusedError(
    `the store ${name} cannot be used: ${error.message} Run it again to continue from here`,
  );
}
