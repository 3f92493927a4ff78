import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { createPulse } from '../../../../../src/server/stores/files/pulse/pulse.ts';
import { describePulse } from '../../pulse-contract.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-pulse-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describePulse('the counts of a data folder', async () =>
  createPulse({
    dir,
    onProblem: (problem) => {
      throw problem;
    },
  }),
);
