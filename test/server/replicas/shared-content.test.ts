import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publish } from '../../../src/announcements/changes/history-edit.ts';
import { parseStoreUrl, type RedisAddress } from '../../../src/server/settings/store-url.ts';
import { createContentStore } from '../../../src/server/stores/content/content-store.ts';
import { openConnection, untilAnswering } from '../../../src/server/stores/redis/connection/connection.ts';
import { createDocuments } from '../../../src/server/stores/redis/content/documents.ts';
import { createRedisContent } from '../../../src/server/stores/redis/content/redis-content.ts';
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
    const server = await startTestServer({ store: parseStoreUrl(redis.url) as RedisAddress, ...options });
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
    const store = await openConnection({ address: parseStoreUrl(redis.url) as RedisAddress });
    await untilAnswering(store, 10_000);
    const content = createRedisContent(createDocuments(store, 'typebadge'), { name: redis.url });
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
    await eventually(async () =>
      (await Promise.all(all.map(shownBy))).every((text) => text === 'We have moved'),
    );
  });

  test('a folder that cannot be served is not put into the store', async () => {
    await expect(start({ files: { 'history.json': '{"announcements": [' } })).rejects.toThrow(
      /history\.json/,
    );
    const server = await start({ files: saying('whole') });
    expect(await shownBy(server)).toBe('whole');
  });

  test('while the store is away a server starts with its last good copy, and catches up when it is back', async () => {
    const data = join(dir, 'data');
    const server = await start({ data, files: saying('before') });
    await edit('the last one');
    await eventually(async () => (await shownBy(server)) === 'the last one');
    await server.close();
    servers.splice(0);
    await redis.kill();

    const again = await start({ data, files: saying('of its folder') });
    expect(await shownBy(again)).toBe('the last one');
    expect(await readinessOf(again)).toBe(503);
    await redis.start();
    // Nothing was on disk, so this server fills the store again, from its copy.
    await eventually(async () => (await readinessOf(again)) === 200);
    expect(await shownBy(again)).toBe('the last one');
    await edit('back again');
    await eventually(async () => (await shownBy(again)) === 'back again');
  });

  const copiesIn = async (data: string) => {
    const [mark = ''] = await readdir(join(data, 'store-copies'));
    const folder = join(data, 'store-copies', mark);
    return { folder, lost: (await readdir(folder)).filter((name) => name.startsWith('lost-')).sort() };
  };

  test('a store that lost everything gets announcements, allow-list and editors back from the copy of a server that restarts', async () => {
    const data = join(dir, 'data');
    const files = {
      ...saying('long ago'),
      'origins.json': { origins: ['https://example.org'] },
      'editors.json': { version: 1, editors: [] },
    };
    const running = await start({ files, data: join(dir, 'other') });
    const restarting = await start({ files, data });
    await edit('Live');
    await eventually(async () => (await shownBy(restarting)) === 'Live');
    const { folder } = await copiesIn(data);
    await eventually(async () => (await readdir(folder)).length === 3);
    expect((await stat(join(folder, 'editors.json'))).mode & 0o777).toBe(0o600);

    await redis.command('FLUSHALL');
    await eventually(async () => (await readinessOf(running)) === 503);
    const allowed = async ({ port }: TestServer) =>
      (await send(port, { path: '/content/announcement.json', headers: { Origin: 'https://example.org' } }))
        .headers['access-control-allow-origin'];
    expect([await shownBy(running), await allowed(running)]).toEqual(['Live', 'https://example.org']);
    await restarting.close();
    const again = await start({ files, data });
    await eventually(async () => (await readinessOf(running)) === 200);
    expect([await shownBy(running), await shownBy(again)]).toEqual(['Live', 'Live']);
    expect(await allowed(again)).toBe('https://example.org');
    expect(await redis.command('HKEYS', '{typebadge:documents}')).toContain('editors.json:text');
    expect((await copiesIn(data)).lost).toEqual([]);
  });

  test('strangers read neither the address of the store nor a folder in the reasons of /health/ready', async () => {
    const server = await start({ files: saying('Live') });
    const reasons = async () =>
      JSON.parse(String((await send(server.port, { path: '/health/ready' })).body)).reasons;
    const until = async (wanted: unknown) =>
      eventually(async () => isDeepStrictEqual(await reasons(), wanted));
    await redis.command(
      'HSET',
      '{typebadge:documents}',
      'history.json:text',
      '[',
      'history.json:version',
      'x',
    );
    await eventually(async () => String(await reasons()).startsWith('history.json:1: '));
    expect(String(await reasons())).not.toContain('redis');
    await redis.command('FLUSHALL');
    await until(['the store has lost its announcements']);
  });

  test('editors get a 503, not a 401, while the store has lost their list or it cannot be read', async () => {
    const { tokens, text } = newEditors('anna');
    const data = join(dir, 'data');
    const server = await start({ files: { ...saying('Live'), 'editors.json': text }, data });
    const list = async (token: string, { port }: TestServer = server) => {
      const { status, json } = await callDesk(port, token, 'GET', '/announcements');
      return [status, json.code];
    };
    expect([await list(tokens.anna), await list('wrong')]).toEqual([
      [200, undefined],
      [401, 'UNAUTHENTICATED'],
    ]);
    const { folder } = await copiesIn(data);
    await eventually(async () => (await readdir(folder)).includes('editors.json'));

    await redis.command('HSET', '{typebadge:documents}', 'editors.json:text', 'rubbish');
    expect(await list(tokens.anna)).toEqual([503, 'STORE_UNAVAILABLE']);
    await redis.command('HDEL', '{typebadge:documents}', 'editors.json:text', 'editors.json:version');
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

    const again = await start({ data });
    expect([await list(tokens.anna), await list(tokens.anna, again)]).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
  });

  test('a store that never had editors answers 401 to every token', async () => {
    const server = await start();
    const { status } = await callDesk(server.port, newEditors('anna').tokens.anna, 'GET', '/announcements');
    expect(status).toBe(401);
  });

  test('on a machine with a copy, editors cannot change a store that lost everything until its content is back', async () => {
    const data = join(dir, 'data');
    const server = await start({ files: saying('first'), data });
    await edit('Live');
    await eventually(async () => (await shownBy(server)) === 'Live');
    const env = { TYPEBADGE_DATA: data, TYPEBADGE_STORE: redis.url, TYPEBADGE_EDITOR: 'ada' };
    await redis.command('FLUSHALL');
    for (const command of [
      ['announce', 'publish', 'Too early'],
      ['origins', 'add', 'https://example.org'],
    ]) {
      const refused = await runTypebadge(command, { env });
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(
          /has lost its content, and .*store-copies.* is a copy .*Restart the server .*Nothing was changed/s,
        ),
      ]);
    }
    for (const command of [
      ['announce', 'list'],
      ['origins', 'list'],
      ['editors', 'list'],
    ]) {
      const refused = await runTypebadge(command, { env });
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toMatch(
        /has lost its content, and .*store-copies.* is a copy .*Restart the server/s,
      );
      expect(refused.stderr).not.toContain('Nothing was changed');
    }
    expect(await redis.command('EXISTS', '{typebadge:documents}')).toBe(0);
    await server.close();
    const again = await start({ files: saying('first'), data });
    expect(await shownBy(again)).toBe('Live');
    expect((await runTypebadge(['announce', 'publish', 'In time'], { env })).code).toBe(0);
    await eventually(async () => (await shownBy(again)) === 'In time');
    const history = JSON.parse((await send(again.port, { path: '/content/history.json' })).body.toString());
    expect(history.announcements.map(({ message }: { message: string }) => message)).toEqual([
      'In time',
      'Live',
      'first',
    ]);
  });

  test('other texts written into a store that lost everything stay, and do not prevent filling it', async () => {
    const data = join(dir, 'data');
    const files = { ...saying('long ago'), 'origins.json': { origins: ['https://old.example'] } };
    const server = await start({ files, data });
    await edit('Live');
    await eventually(async () => (await shownBy(server)) === 'Live');
    const { folder } = await copiesIn(data);
    await eventually(async () => (await readdir(folder)).includes('origins.json'));
    await redis.command('FLUSHALL');
    const elsewhere = { TYPEBADGE_DATA: join(dir, 'elsewhere'), TYPEBADGE_STORE: redis.url };
    expect((await runTypebadge(['origins', 'add', 'https://new.example'], { env: elsewhere })).code).toBe(0);
    await server.close();
    const again = await start({ files, data });
    expect(await shownBy(again)).toBe('Live');
    const allowed = async (origin: string) =>
      (await send(again.port, { path: '/content/announcement.json', headers: { Origin: origin } })).headers[
        'access-control-allow-origin'
      ];
    expect([await allowed('https://new.example'), await allowed('https://old.example')]).toEqual([
      'https://new.example',
      undefined,
    ]);
    const [lost = ''] = (await copiesIn(data)).lost;
    expect(await readFile(join(folder, lost, 'origins.json'), 'utf8')).toContain('https://old.example');
    expect(await readFile(join(folder, lost, 'history.json'), 'utf8')).toContain('Live');
    expect(await readFile(join(folder, 'history.json'), 'utf8')).toContain('Live');
  });

  test('a copy is set aside if the store has other announcements, and the last five such copies are kept', async () => {
    const data = join(dir, 'data');
    const server = await start({ files: saying('first'), data });
    for (let turn = 1; turn <= 7; turn += 1) {
      await edit(`Live ${turn}`);
      await eventually(async () => (await shownBy(server)) === `Live ${turn}`);
      await redis.command('FLUSHALL');
      await edit(`begun again ${turn}`);
      await eventually(async () => (await shownBy(server)) === `begun again ${turn}`);
      await eventually(async () => (await copiesIn(data)).lost.length === Math.min(turn, 5));
    }
    const { folder, lost } = await copiesIn(data);
    const kept = await Promise.all(
      lost.map((name) => readFile(join(folder, name, 'history.json'), 'utf8').then(JSON.parse)),
    );
    expect(kept.map(({ announcements }) => announcements.at(-1).message)).toEqual(
      [3, 4, 5, 6, 7].map((turn) => `Live ${turn}`),
    );
  });

  test('a server that was off while the store was filled from elsewhere sets its copy aside', async () => {
    const data = join(dir, 'data');
    const server = await start({ files: saying('first'), data });
    await edit('Live');
    await eventually(async () => (await shownBy(server)) === 'Live');
    await server.close();
    await redis.command('FLUSHALL');
    await start({ files: saying('of another') });
    const again = await start({ data });
    expect(await shownBy(again)).toBe('of another');
    const { folder, lost } = await copiesIn(data);
    expect(await readFile(join(folder, lost[0] ?? '', 'history.json'), 'utf8')).toContain('Live');
  });

  test('a server that has no copy yet does not start without its store', async () => {
    await redis.kill();
    await expect(start()).rejects.toThrow(/The store redis:.* cannot be used: The store cannot be reached/);
  });
});
