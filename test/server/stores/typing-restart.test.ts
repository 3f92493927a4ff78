import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newServeConfig, type ServeConfig } from '../../../src/server/settings/config.ts';
import type { RunningServer } from '../../../src/server/start.ts';
import { startServer } from '../../../src/server/start.ts';
import { createTypingClient, flawless, playRound, type TypingClient } from '../../support/typing-client.ts';

let dir: string;
let data: string;
const running = new Set<RunningServer>();
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-restart-'));
  data = join(dir, 'data');
  const content = join(dir, 'content');
  await mkdir(content);
  await writeFile(join(content, 'history.json'), JSON.stringify({ announcements: [] }));
  await writeFile(join(content, 'origins.json'), JSON.stringify({ origins: [] }));
});
afterEach(async () => {
  for (const server of running) await server.close();
  running.clear();
  await rm(dir, { recursive: true, force: true });
});

async function start(
  config: Partial<ServeConfig> = {},
): Promise<{ client: TypingClient; stop(): Promise<void> }> {
  const options = { port: 0, content: join(dir, 'content'), data, log: 'off', ...config } as const;
  const server = await startServer(newServeConfig(options));
  running.add(server);
  return {
    client: createTypingClient(server.port),
    async stop() {
      running.delete(server);
      await server.close();
    },
  };
}

it('rounds near the largest size, every other key the longest character, survive a restart and count exactly', async () => {
  const first = await start();
  const id = await first.client.createSession();
  const family = '👨‍👩‍👧‍👦';
  for (let played = 0; played < 6; played++) {
    const { words } = await first.client.startRound(id);
    const flood = Array.from({ length: 700 }, (_, at) =>
      at % 2 === 0
        ? { type: 'keystroke' as const, char: family, seek_time_ms: 3_600_000 }
        : { type: 'backspace' as const },
    );
    for (let at = 0; at < flood.length; at += 350) await first.client.input(id, flood.slice(at, at + 350));
    await first.client.input(id, flawless(words));
    await first.client.timing(id, 60_000);
  }
  const before = { state: await first.client.state(id), history: await first.client.history(id) };
  expect(before.history.total_sessions).toBe(6);
  await first.stop();
  const second = await start();
  expect(await second.client.history(id)).toEqual(before.history);
  expect(await second.client.state(id)).toEqual(before.state);
});

describe('after a restart', () => {
  it('a session that expired while no server was running is gone, but not its finished rounds', async () => {
    const first = await start({ sessionTtl: 2_000 });
    const id = await first.client.createSession();
    await playRound(first.client, id);
    await first.stop();
    await sleep(2_000);
    const second = await start({ sessionTtl: 2_000 });
    expect(await second.client.sessions()).toEqual([]);
    expect((await second.client.call('GET', `/sessions/${id}/state`)).status).toBe(404);
    expect((await second.client.history(await second.client.createSession())).total_sessions).toBe(1);
  });
});

describe('servers that share a folder', () => {
  it('continue after somebody clears the data folder', async () => {
    const first = await start();
    await playRound(first.client, await first.client.createSession());
    await rm(data, { recursive: true, force: true });
    const id = await first.client.createSession();
    await playRound(first.client, id);
    expect(await first.client.save(id)).toEqual({ success: true });
    await first.stop();
    const second = await start();
    expect((await second.client.history(id)).total_sessions).toBe(1);
  });
});

it('say in one sentence that the data folder cannot be used', async () => {
  await writeFile(data, 'a file stands in the way');
  await expect(start()).rejects.toThrow(
    /^The data folder .* cannot be used: .*\. Choose another with --data\.$/,
  );
});
