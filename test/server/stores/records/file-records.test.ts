import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { createFileRecords } from '../../../../src/server/stores/records/file-records.ts';
import { recordsContract } from './records-contract.ts';

describe('records in files', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-records-'));
  });
  afterAll(() => rm(dir, { recursive: true }));
  recordsContract(async () => createFileRecords({ dir, maxOpen: 20 }));
});
