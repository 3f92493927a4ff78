import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { createLog } from '../../../../../src/server/settings/log.ts';
import { createFileRounds } from '../../../../../src/server/stores/files/rounds/file-rounds.ts';
import { limitRounds } from '../../../../../src/server/stores/files/rounds/round-quota.ts';
import { describeRounds } from '../../rounds-contract.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'typebadge-rounds-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const log = createLog({ format: 'off' });

describeRounds('the rounds of a data folder', async () =>
  limitRounds(createFileRounds({ dataDir, log }), { dataDir, quota: 2 ** 30 }),
);
