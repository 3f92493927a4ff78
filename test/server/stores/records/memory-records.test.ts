import { describe } from 'vitest';
import { createMemoryRecords } from '../../../../src/server/stores/records/memory-records.ts';
import { recordsContract } from './records-contract.ts';

describe('records in memory are like those of every engine', () => {
  // There is no other server on the same data.
  const records = createMemoryRecords();
  recordsContract(async () => records);
});
