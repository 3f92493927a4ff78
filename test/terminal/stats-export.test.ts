import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { canUseTerminal, openTerminal } from './tmux.ts';

test.skipIf(!canUseTerminal)(
  'stats --export on a terminal says how its rounds come into a file, and into a file says nothing',
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'typebadge-export-'));
    const terminal = await openTerminal({ columns: 120 });
    try {
      const program = `node ${packageFile('bin', 'typebadge.js')}`;
      await terminal.type(`${program} stats --export --data ${data}\n`);
      await terminal.see('To keep this in a file: typebadge stats --export > rounds.jsonl');
      await terminal.type(`clear; ${program} stats --csv --data ${data}\n`);
      await terminal.see('To keep this in a file: typebadge stats --csv > rounds.csv');
      await terminal.type(`clear; ${program} stats --export --data ${data} > ${data}/rounds; echo over-$?\n`);
      expect(await terminal.see('over-0')).not.toContain('To keep');
    } finally {
      await terminal.close();
      await rm(data, { recursive: true, force: true });
    }
  },
);
