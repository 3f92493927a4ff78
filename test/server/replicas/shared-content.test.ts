import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publish } from '../../../src/announcements/changes/history-edit.ts';
import { parseTrustProxy } from '../../../src/server/settings/config-parsers.ts';
import { parseStoreUrl } from '../../../src/server/settings/store-url.ts';
import { createContentStore } from '../../../src/server/stores/content/content-store.ts';
import { createRecordContent } from '../../../src/server/stores/content/record-content.ts';
import { createRedisRecords } from '../../../src/server/stores/records/redis-records.ts';
import { openConnection, waitForAnswer } from '../../../src/server/stores/records/store-connection.ts';
import { callDesk, newEditors } from '../../support/editors.ts';
import { send } from '../../support/http-client.ts';
import { eventually, hasRedis, type RedisProcess, startRedis } from '../../support/redis/redis-process.ts';
import {
  lasting,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../../support/test-server.ts';
import { runTypebadge } from '../../support/typebadge-process.ts';

describe.skipIf(!hasRedis)('the content of servers with one store', () => {
  let dir: string;
  let redis: RedisProcess;
  const servers: TestServer[] = [];
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-content-'));
    redis = await startRedis(join(dir, 'redis'));
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });

  const start = async (options: TestServerOptions = {}) => {
    const server = await startTestServer({ store: parseStoreUrl(redis.url), ...options });
    servers.push(server);
    return server;
  };
  const saying = (message: string) => ({ 'history.json': { announcements: [{ ...lasting, message }] } });
  const shownBy = async ({ port }: TestServer) => {
    const { status, body } = await send(port, { path: '/content/announcement.json' });
    return status === 200 ? JSON.parse(body.toString()).message : status;
  };
  const readinessOf = async ({ port }: TestServer) => (await send(port, { path: '/health/ready' })).status;
  const edit = async (message: string) => {
    const store = await openConnection(parseStoreUrl(redis.url));
    await waitForAnswer(store, 10_000);
    const content = createRecordContent(createRedisRecords(store, { prefix: 'typebadge' }), redis.url);
    const draft = { message, link: '', published: Date.now(), expires: Date.now() + 1_000_000 };
    await createContentStore(content).updateHistory((history) =>
      publish(history, draft, { by: 'ada', at: Date.now() }),
    );
    await store.close();
  };

  test('the first server fills an empty store, and the others serve what is there', async () => {
    const first = await start({ files: saying('of the first') });
    const second = await start({ files: saying('of the second') });
    expect([await shownBy(first), await shownBy(second)]).toEqual(['of the first', 'of the first']);
  });

  test('if three servers start at once, one fills the store, and all serve the same', async () => {
    const all = await Promise.all(['a', 'b', 'c'].map((name) => start({ files: saying(name) })));
    const shown = await Promise.all(all.map(shownBy));
    expect(new Set(shown).size).toBe(1);
  });

  test('a change shows on every server, without a restart', async () => {
    const all = [await start(), await start(), await start()];
    await edit('We have moved');
    // One after the other: each limits this client, and all might never answer at once.
    for (const server of all) await eventually(async () => (await shownBy(server)) === 'We have moved');
  });

  test('a folder that cannot be served is not put into the store', async () => {
    await expect(start({ files: { 'history.json': '{"announcements": [' } })).rejects.toThrow(
      /history\.json/,
    );
    const server = await start({ files: saying('whole') });
    expect(await shownBy(server)).toBe('whole');
  });

  test.each([
    ['that only this machine reaches', {}],
    ['that strangers reach', { trustProxy: parseTrustProxy('127.0.0.1') }],
  ])(
    'while the store is away a server %s starts with its last good copy, and catches up when it is back',
    async (_, config) => {
      const data = join(dir, 'data');
      const server = await start({ ...config, data, files: saying('before') });
      await edit('the last one');
      await eventually(async () => (await shownBy(server)) === 'the last one');
      await server.close();
      servers.splice(0);
      await redis.command('SAVE');
      await redis.kill();

      const again = await start({ ...config, data, files: saying('of its folder') });
      expect(await shownBy(again)).toBe('the last one');
      expect(await readinessOf(again)).toBe(503);
      await redis.start();
      await eventually(async () => (await readinessOf(again)) === 200);
      expect(await shownBy(again)).toBe('the last one');
      await edit('back again');
      await eventually(async () => (await shownBy(again)) === 'back again');
    },
  );

  test('a store that lost everything is not filled by itself: the badge stays, also after a restart, and an import mends it', async () => {
    const data = join(dir, 'data');
    const files = { ...saying('long ago'), 'origins.json': { origins: ['https://example.org'] } };
    const running = await start({ files, data: join(dir, 'other') });
    const restarting = await start({ files, data });
    await edit('Live');
    await eventually(async () => (await shownBy(restarting)) === 'Live');
    await eventually(async () => (await shownBy(running)) === 'Live');
    const [copy = ''] = await readdir(join(data, 'content-copies'));
    expect((await stat(join(data, 'content-copies', copy))).mode & 0o777).toBe(0o600);

    await redis.command('FLUSHALL');
    await eventually(async () => (await readinessOf(running)) === 503);
    await restarting.close();
    const again = await start({ files, data });
    await eventually(async () => (await readinessOf(again)) === 503);
    const allowed = async ({ port }: TestServer) =>
      (await send(port, { path: '/content/announcement.json', headers: { Origin: 'https://example.org' } }))
        .headers['access-control-allow-origin'];
    for (const server of [running, again])
      expect([await shownBy(server), await allowed(server)]).toEqual(['Live', 'https://example.org']);
    // A new server does not fill it either, and a publish does not replace what was lost.
    const fresh = startTestServer({ files, data: join(dir, 'new'), store: parseStoreUrl(redis.url) });
    await expect(fresh).rejects.toThrow('it has lost its data');
    await expect(edit('Too early')).rejects.toThrow(/was lost\. Nothing was changed: restore the backup/);
    expect(await redis.command('EXISTS', 'typebadge:record:content/history')).toBe(0);
    for (const command of [
      ['announce', 'list'],
      ['doctor', '--data', data],
    ]) {
      const { code, stdout, stderr } = await runTypebadge([...command, '--store', redis.url]);
      expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(/(?:was|were)\s+lost\./)]);
    }

    const places = ['--store', redis.url, '--data', data, '--content', again.contentDir];
    expect((await runTypebadge(['store', 'import', ...places])).code).toBe(0);
    for (const server of [running, again]) {
      await eventually(async () => (await readinessOf(server)) === 200);
      await eventually(async () => (await shownBy(server)) === 'long ago');
    }
  });

  test('after a store has lost everything, a restarted server hashes addresses as the others still do', async () => {
    const config = {
      trustProxy: parseTrustProxy('127.0.0.1'),
      files: saying('Live'),
      data: join(dir, 'data'),
    };
    const keyIn = () => redis.command('HGET', 'typebadge:record:text/address-key', '.text');
    const server = await start(config);
    const key = await keyIn();
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    await server.close();
    await redis.command('FLUSHALL');
    await start(config);
    expect(await keyIn()).toBe(key);
  });

  test('strangers read neither the address of the store nor a folder in the reasons of /health/ready', async () => {
    const server = await start({ files: saying('Live') });
    const reasons = async () =>
      JSON.parse(String((await send(server.port, { path: '/health/ready' })).body)).reasons;
    await redis.command('HSET', 'typebadge:record:content/history', '.text', '[', 'v', 'x');
    await eventually(async () => String(await reasons()).startsWith('history.json:1: '));
    expect(String(await reasons())).not.toContain('redis');
    await redis.command('FLUSHALL');
    await eventually(async () => String(await reasons()).startsWith('the store has no history.json: '));
    expect(String(await reasons())).not.toContain('redis');
  });

  test('editors get a 503, not a 401, while the store has lost their list or it cannot be read', async () => {
    const { tokens, text } = newEditors('anna');
    const server = await start({ files: { ...saying('Live'), 'editors.json': text } });
    const list = async (token: string) => {
      const { status, json } = await callDesk(server.port, token, 'GET', '/announcements');
      return [status, json.code];
    };
    expect([await list(tokens.anna), await list('wrong')]).toEqual([
      [200, undefined],
      [401, 'UNAUTHENTICATED'],
    ]);
    await redis.command('HSET', 'typebadge:record:content/editors', '.text', 'rubbish');
    expect(await list(tokens.anna)).toEqual([503, 'STORE_UNAVAILABLE']);
    await redis.command('FLUSHALL');
    // More often than a client may be wrong.
    for (let times = 0; times < 8; times += 1)
      expect(await list(tokens.anna)).toEqual([503, 'STORE_UNAVAILABLE']);
    const { json, headers } = await callDesk(server.port, tokens.anna, 'GET', '/announcements');
    expect([json.error, headers['retry-after']]).toEqual([
      expect.stringMatching(/list of editors cannot be read .* your token may be right/),
      '60',
    ]);
    const unnamed = await send(server.port, { path: '/api/announcements' });
    expect(unnamed.status).toBe(401);
  });

  test('a store that never had editors answers 401 to every token', async () => {
    const server = await start();
    const { status } = await callDesk(server.port, newEditors('anna').tokens.anna, 'GET', '/announcements');
    expect(status).toBe(401);
  });

  test('a server that has no copy yet does not start without its store', async () => {
    await redis.kill();
    await expect(start()).rejects.toThrow(/The store redis:.* cannot be used: The store cannot be reached/);
  });
});
