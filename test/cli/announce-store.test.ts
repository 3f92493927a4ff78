import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { eventually, hasRedis, type RedisProcess, startRedis } from '../support/redis/redis-process.ts';
import { runHere } from '../support/typebadge-here.ts';
import { startServeProcess } from '../support/typebadge-process.ts';
import { until } from '../support/until.ts';

const password = 'p@ss word';

describe.skipIf(!hasRedis)('commands with --store', () => {
  let dir: string;
  let redis: RedisProcess;
  let prefix = '';
  let number = 0;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-announce-store-'));
    redis = await startRedis(join(dir, 'redis'));
    await redis.command('CONFIG', 'SET', 'requirepass', password);
  });
  afterAll(async () => {
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });
  beforeEach(() => {
    prefix = `test-${++number}`;
  });

  const env = () => ({
    TYPEBADGE_EDITOR: 'ada',
    TYPEBADGE_DATA: join(dir, `data-${prefix}`),
    TZ: 'UTC',
  });
  const storeEnv = () => ({
    ...env(),
    TYPEBADGE_STORE_PASSWORD: password,
    TYPEBADGE_STORE: redis.url,
    TYPEBADGE_STORE_PREFIX: prefix,
  });
  const onStore = (args: readonly string[]) => runHere([...args], { env: storeEnv() });
  const storeName = () => `${redis.url}/0 (${prefix})`;

  test('a running server shows the change, and the command says so; its counts are read from the store', async () => {
    const content = join(dir, 'served');
    await mkdir(content);
    const server = await startServeProcess(['--data', env().TYPEBADGE_DATA, '--content', content], {
      env: storeEnv(),
    });
    await until(() => existsSync(join(env().TYPEBADGE_DATA, 'servers', `${server.child.pid}.json`)));
    const { code, stdout } = await onStore(['announce', 'publish', 'Hello from a store', '--json']);
    expect(code).toBe(0);
    const { announcement, servers, content: name } = JSON.parse(stdout);
    expect(name).toBe(storeName());
    expect(servers).toEqual([{ url: `http://127.0.0.1:${server.port}`, content: storeName(), shows: true }]);
    const shown = await send(server.port, { path: '/content/announcement.json' });
    expect(JSON.parse(shown.body.toString()).message).toBe('Hello from a store');
    for (let at = 0; at < 3; at += 1)
      await send(server.port, { path: `/pulse?event=click&id=${announcement.id}` });
    server.child.kill('SIGTERM');
    await server.finished;
    const stats = await onStore(['announce', 'stats', announcement.id, '--json']);
    expect(JSON.parse(stats.stdout).total.clicks).toBe(3);
  });

  test('a store that is away, silent or refuses the password is exit code 1 with a sentence, and changes nothing', async () => {
    const wrong = await runHere(['announce', 'publish', 'x', '--json'], {
      env: { ...storeEnv(), TYPEBADGE_STORE_PASSWORD: 'not this one' },
    });
    expect([wrong.code, JSON.parse(wrong.stdout)]).toEqual([
      1,
      {
        error: expect.stringMatching(/refuses the user name or password\. Nothing was changed\./),
        code: 'CONTENT',
      },
    ]);
    expect(wrong.stdout + wrong.stderr).not.toContain('not this one');
    redis.freeze();
    const silent = await onStore(['announce', 'publish', 'x']);
    redis.thaw();
    expect([silent.code, silent.stderr]).toEqual([1, expect.stringContaining('Nothing was changed')]);
    const away = await runHere(['origins', 'list', '--store', 'redis://127.0.0.1:1'], { env: env() });
    expect([away.code, away.stderr]).toEqual([
      1,
      expect.stringMatching(
        /The store redis:\/\/127\.0\.0\.1:1\/0 \(typebadge\) cannot be used: The store cannot be reached/,
      ),
    ]);
    await eventually(async () => (await onStore(['announce', 'list'])).code === 0);
    expect((await onStore(['announce', 'list'])).stdout).toContain('No announcements yet');
  });
});
