import { describe } from 'vitest';
import { createMemoryRecords } from '../../../../src/server/stores/records/memory-records.ts';
import { createRedisRecords } from '../../../../src/server/stores/records/redis-records.ts';
import { describeOnEveryStore } from '../../../support/redis/every-store.ts';
import { recordsContract } from './records-contract.ts';

describeOnEveryStore('records in a store', (store) => {
  recordsContract(async () => createRedisRecords(await store.connect(), { prefix: 'test' }));
});

describe('records in memory', () => {
  // There is no other server on the same data.
  const records = createMemoryRecords();
  recordsContract(async () => records);
});
