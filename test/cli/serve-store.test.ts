import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { eventually, hasRedis, type RedisProcess, startRedis } from '../support/redis/redis-process.ts';
import { runTypebadge, startServeProcess } from '../support/typebadge-process.ts';
import { createTypingClient, playRound } from '../support/typing-client.ts';

describe.skipIf(!hasRedis)('serve --store', () => {
  let dir: string;
  let redis: RedisProcess;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-serve-store-'));
    redis = await startRedis(join(dir, 'redis'));
    await redis.command('CONFIG', 'SET', 'requirepass', 'p@ss word');
    await writeFile(join(dir, 'password'), 'p@ss word\n');
    await mkdir(join(dir, 'content'));
  });
  afterAll(async () => {
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });
  const args = () => ['--data', join(dir, 'data'), '--content', join(dir, 'content'), '--store', redis.url];

  test('takes the password from a file, warns of a store that forgets, and serves with several workers', async () => {
    const server = await startServeProcess([...args(), '--workers', '2'], {
      env: { TYPEBADGE_STORE_PASSWORD_FILE: join(dir, 'password') },
    });
    const client = createTypingClient(server.port);
    const id = await client.createSession();
    await playRound(client, id);
    // Any of the workers; on a busy machine the store may be too slow for one of them, which then says so.
    const stateOf = async () => (await send(server.port, { path: `/api/sessions/${id}/state` })).status;
    for (let asked = 0; asked < 20; asked += 1) {
      await eventually(async () => {
        const status = await stateOf();
        expect([200, 503]).toContain(status);
        return status === 200;
      });
    }
    server.child.kill('SIGTERM');
    const { code, stdout, stderr } = await server.finished;
    expect(code).toBe(0);
    expect(stdout).toContain('saves nothing to disk');
    expect(stdout + stderr).not.toContain('p@ss');
  });

  test('needs no content folder if the store has the content; an empty store is reported at the start and later', async () => {
    const open = await startRedis(join(dir, 'open'));
    try {
      const store = ['--store', open.url, '--data', join(dir, 'data-without-content')];
      const nowhere = ['--content', join(dir, 'nowhere'), ...store];
      const filling = await startServeProcess([...store, '--content', join(dir, 'content')]);
      filling.child.kill('SIGTERM');
      await filling.finished;
      const server = await startServeProcess(nowhere);
      const statusOf = async (path: string) => (await send(server.port, { path })).status;
      expect(await statusOf('/content/announcement.json')).toBe(200);
      await open.command('FLUSHALL');
      await server.said(/the store has no history\.json of redis:.*lost its data.*store import/);
      await eventually(async () => {
        const { status, body } = await send(server.port, { path: '/health/ready' });
        const { reasons = [] } = JSON.parse(String(body));
        return status === 503 && /^the store has no history\.json: .* lost its data/.test(reasons.join());
      });
      expect(await statusOf('/content/announcement.json')).toBe(200);
      server.child.kill('SIGTERM');
      await server.finished;
      const empty = await runTypebadge(['serve', '--port', '0', ...nowhere, '--store-prefix', 'empty']);
      expect([empty.code, empty.stderr]).toEqual([
        1,
        expect.stringContaining('The store has no history.json'),
      ]);
    } finally {
      await open.kill();
    }
  });

  test('says what is wrong with a store that cannot be used, without the password', async () => {
    const wrong = await runTypebadge(['serve', '--port', '0', ...args()], {
      env: { TYPEBADGE_STORE_PASSWORD: 'wrong-secret' },
    });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/refuses the user name or password/);
    expect(wrong.stderr).not.toContain('wrong-secret');
  });
});
