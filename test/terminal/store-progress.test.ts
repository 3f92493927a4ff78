import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { newStoredRound, toRoundId, withRounds } from '../server/stores/stored-rounds.ts';
import { hasRedis, startRedis } from '../support/redis/redis-process.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { canUseTerminal, openTerminal } from './tmux.ts';

test.skipIf(!hasRedis || !canUseTerminal)(
  'store import shows on a terminal how many rounds are copied so far, and then replaces that by the totals',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'typebadge-progress-'));
    const redis = await startRedis(join(root, 'redis'));
    const line = await startTcpProxy(redis.port);
    const terminal = await openTerminal();
    try {
      // Slow enough to be seen, whatever the machine does.
      line.delay(40);
      const [data, content] = [join(root, 'data'), join(root, 'content')];
      await mkdir(content);
      await writeFile(join(content, 'history.json'), '{"announcements":[]}');
      await withRounds(data, async (rounds) => {
        for (let at = 1; at <= 500; at += 1)
          await rounds.add(`key-${at % 250}`, newStoredRound(toRoundId(at)));
      });
      const program = `node ${packageFile('bin', 'typebadge.js')}`;
      const places = `--data ${data} --content ${content}`;
      await terminal.type(`${program} store import --store redis://127.0.0.1:${line.port} ${places}\n`);
      await terminal.see(/rounds: \d+ of 500/);
      line.mend();
      const screen = await terminal.see(/counters +\d+ of \d+ added/);
      expect(screen).not.toMatch(/ of 500\s*$/m);
    } finally {
      await terminal.close();
      await line.close();
      await redis.kill();
      await rm(root, { recursive: true, force: true });
    }
  },
);
