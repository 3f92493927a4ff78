import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { makeFolders } from '../cli/store/folder-of-version-1.ts';
import { hasRedis, startRedis } from '../support/redis/redis-process.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { canUseTerminal, openTerminal } from './tmux.ts';

test.skipIf(!hasRedis || !canUseTerminal)(
  'store import shows on a terminal how many of all rounds are copied, and then replaces that by the sums',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'typebadge-progress-'));
    const redis = await startRedis(join(root, 'redis'));
    const line = await startTcpProxy(redis.port);
    const terminal = await openTerminal();
    try {
      // Slow enough to be seen, whatever the machine does.
      line.delay(40);
      const folders = await makeFolders(root, { rounds: 5_000, announcements: 1, sessions: 1 });
      const program = `node ${packageFile('bin', 'typebadge.js')}`;
      const places = `--data ${folders.data} --content ${folders.content} --session-ttl 36500d`;
      await terminal.type(`${program} store import --store redis://127.0.0.1:${line.port} ${places}\n`);
      await terminal.see(/rounds +█+░+ [\d,]+ of 5,0\d\d/);
      line.mend();
      const screen = await terminal.see(/counters +\d+ of \d+ added/);
      expect(screen).not.toMatch(/[█░]/);
    } finally {
      await terminal.close();
      await line.close();
      await redis.kill();
      await rm(root, { recursive: true, force: true });
    }
  },
);
