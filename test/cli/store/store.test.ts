import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toJournalLine } from '../../../src/server/stores/journal-line.ts';
import { newStoredRound, toRoundId } from '../../server/stores/stored-rounds.ts';
import { send } from '../../support/http-client.ts';
import { hasRedis, type RedisProcess, startRedis } from '../../support/redis/redis-process.ts';
import { runTypebadge, startServeProcess } from '../../support/typebadge-process.ts';
import { createTypingClient, flawless, playRound } from '../../support/typing-client.ts';
import { makeFolders } from './folder-of-version-1.ts';

/** Longer than the files of version 1 will be read. */
const ttl = ['--session-ttl', '36500d'];
/** Twenty batches of rounds: an import is killed in the middle, and a scan of the store takes several steps. */
const amounts = { rounds: 10_000, announcements: 5_000, sessions: 50 };

/** Two counters of the badge, in three lines. */
const counted = [['click', 2] as const, ['click', 3] as const, ['impression', 90] as const]
  .map(([event, count]) => ({
    v: 1,
    day: '2026-11-21',
    counts: [['note-1', event, 'example.org', count]],
  }))
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

describe.skipIf(!hasRedis)('store', () => {
  let root: string;
  let redis: RedisProcess;
  let folders: { data: string; content: string };
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'typebadge-store-'));
    redis = await startRedis(join(root, 'redis'), ['--appendonly', 'yes']);
    folders = await makeFolders(root, amounts);
    await mkdir(join(folders.data, 'pulse'), { recursive: true });
    await writeFile(join(folders.data, 'pulse', '2026-11-21.jsonl'), counted);
  });
  afterAll(async () => {
    await redis?.kill();
    await rm(root, { recursive: true, force: true });
  });

  async function store(verb: string, { data, content } = folders, more: readonly string[] = []) {
    const args = ['--store', redis.url, '--data', data, '--content', content, ...ttl, '--json', ...more];
    const { code, stdout, stderr } = await runTypebadge(['store', verb, ...args]);
    if (stdout === '') throw new Error(stderr);
    return { code, stderr, report: JSON.parse(stdout) };
  }
  const none = { found: expect.any(Number), added: 0 };

  test('a folder of version 1 is imported completely, once, and served from the store', async () => {
    const before = await store('check');
    expect([before.code, before.report.same]).toEqual([1, false]);
    const { code, report, stderr } = await store('import');
    expect([code, stderr, report.kept]).toEqual([0, '', []]);
    expect(report.content).toEqual({ found: 2, added: 2 });
    expect(report.rounds.added).toBe(report.rounds.found);
    expect(report.rounds.found).toBeGreaterThan(amounts.rounds);
    expect(report.sessions.added).toBe(report.sessions.found);
    expect(report.sessions.found).toBeGreaterThan(amounts.sessions);
    expect(report.counters).toEqual({ found: 2, added: 2 });
    expect((await store('check')).report).toMatchObject({ same: true, differences: [] });

    const again = await store('import');
    expect(again.report).toMatchObject({
      content: none,
      rounds: none,
      sessions: none,
      counters: none,
      kept: [],
    });

    const server = await startServeProcess([
      ...['--store', redis.url, '--data', join(root, 'other'), '--content', folders.content, ...ttl],
    ]);
    try {
      const client = createTypingClient(server.port);
      const sessions = await client.sessions();
      expect(sessions).toHaveLength(report.sessions.found);
      const [first] = sessions;
      const { total_sessions } = await client.history(first?.id ?? '');
      expect(total_sessions).toBeGreaterThan(amounts.rounds);
    } finally {
      server.child.kill('SIGTERM');
      await server.finished;
    }
  });

  test.runIf(process.platform !== 'win32')(
    'a pipe in the place of a player’s rounds is named, and keeps no import waiting',
    async () => {
      const data = join(root, 'piped');
      const name = `key-${'a'.repeat(64)}.jsonl`;
      await mkdir(join(data, 'players', 'aa'), { recursive: true });
      execFileSync('mkfifo', [join(data, 'players', 'aa', name)]);
      const { code, report } = await store('import', { data, content: folders.content });
      expect(code).toBe(1);
      expect(JSON.stringify(report)).toContain(
        `${name} cannot be read: it is not a file with contents of its own`,
      );
    },
  );

  test('an export gives what was imported, and nothing is imported or exported twice', async () => {
    // Neither is there yet.
    const out = { data: join(root, 'out', 'data'), content: join(root, 'out', 'content') };
    const { code, report } = await store('export', out);
    expect([code, report.kept]).toEqual([0, []]);
    expect(report.rounds.added).toBeGreaterThan(amounts.rounds);
    for (const name of ['history.json', 'origins.json']) {
      expect(await readFile(join(out.content, name), 'utf8')).toBe(
        await readFile(join(folders.content, name), 'utf8'),
      );
    }
    const lines = async (dir: string) =>
      (await readFile(join(dir, 'rounds.jsonl'), 'utf8')).split('\n').filter((line) => line !== '');
    expect(new Set(await lines(out.data))).toEqual(new Set(await lines(folders.data)));
    expect((await store('check', out)).report).toMatchObject({ same: true });
    expect((await store('export', out)).report).toMatchObject({
      content: none,
      rounds: none,
      sessions: none,
      counters: none,
    });
    expect((await store('import', out)).report.counters).toEqual({ found: 2, added: 0 });
    expect((await store('check')).report).toMatchObject({ same: true });
  });

  test('rounds of a player with a key are exported to where a server finds them', async () => {
    const [from, to] = [join(root, 'players-from'), join(root, 'players-to')];
    const headers = {
      Authorization: `Bearer ${'k'.repeat(32)}`,
      'Content-Type': 'application/json',
    };
    const round = {
      id: randomUUID(),
      words: ['a'],
      mode: { type: 'text' },
      events: flawless(['a']),
      start_time_unix_ms: 1_700_000_000_000,
      end_time_unix_ms: 1_700_000_001_000,
      duration_ms: 1000,
    };
    const prefix = ['--store-prefix', 'players'];
    const serve = async (args: readonly string[], body?: string) => {
      const server = await startServeProcess(['--content', folders.content, ...args]);
      const request = body === undefined ? {} : { method: 'POST', body };
      const answer = await send(server.port, { path: '/api/rounds', headers, ...request });
      server.child.kill('SIGTERM');
      await server.finished;
      return JSON.parse(answer.body.toString());
    };
    await serve(['--store', redis.url, ...prefix, '--data', from], JSON.stringify(round));
    await mkdir(to, { recursive: true });
    const { report } = await store('export', { data: to, content: folders.content }, prefix);
    expect(report.rounds).toEqual({ found: 1, added: 1 });
    expect((await serve(['--data', to])).rounds).toMatchObject([{ id: round.id }]);
  });

  /** A data folder with rounds of one player with a key, the first the oldest. */
  async function makePlayer(name: string, key: string, times: readonly number[]) {
    const hash = createHash('sha256').update(key).digest('hex');
    const player = `key-${hash}`;
    const data = join(root, name);
    await mkdir(join(data, 'players', player.slice(-2)), { recursive: true });
    const path = join(data, 'players', player.slice(-2), `${player}.jsonl`);
    const lines = times.map((time, at) =>
      toJournalLine({
        ...newStoredRound(toRoundId(at + 1)),
        player,
        completedAt: new Date(time).toISOString(),
      }),
    );
    await writeFile(path, lines.map((line) => `\n${line}\n`).join(''));
    return { data, content: folders.content, player };
  }
  const hour = 60 * 60 * 1000;

  test('an import brings back nothing of a forgotten player, says so, and check does not ask for it', async () => {
    const prefix = ['--store-prefix', 'forgetful'];
    const key = 'f'.repeat(32);
    const times = [3, 2, 1].map((hours) => Date.now() - hours * hour);
    const folder = await makePlayer('forgetful', key, [...times, Date.now() + hour]);
    const serverFolder = join(root, 'forgetful-server');
    const server = await startServeProcess([
      ...['--store', redis.url, '--data', serverFolder, '--content', folder.content, ...prefix],
    ]);
    try {
      const headers = { Authorization: `Bearer ${key}` };
      const { status } = await send(server.port, { path: '/api/player', method: 'DELETE', headers });
      expect(status).toBe(204);
    } finally {
      server.child.kill('SIGTERM');
      await server.finished;
    }
    const { code, report } = await store('import', folder, prefix);
    expect([code, report.rounds]).toEqual([0, { found: 4, added: 1 }]);
    expect(report.leftOut).toEqual({ forgotten: 3, expired: 0, withoutRoom: 0, forgottenSessions: 0 });
    expect((await store('check', folder, prefix)).report).toMatchObject({ same: true });
    const { stdout, stderr } = await runTypebadge([
      ...[
        'store',
        'import',
        '--store',
        redis.url,
        '--data',
        folder.data,
        '--content',
        folder.content,
        ...prefix,
      ],
    ]);
    expect(stdout).toContain('0 of 4 added, 1 were there already, 3 left out');
    expect(stderr).toContain('their players have had their data deleted since: 3 rounds and 0 sessions');
  }, 240_000);

  test('imported rounds count in the quota: those without room are reported, and can follow later', async () => {
    const prefix = ['--store-prefix', 'narrow'];
    const folder = await makePlayer(
      'narrow',
      'n'.repeat(32),
      Array.from({ length: 4_000 }, (_, at) => Date.now() - (4_000 - at) * 60_000),
    );
    const { code, report } = await store('import', folder, [...prefix, '--round-quota', '1MiB']);
    expect([code, report.leftOut.withoutRoom, report.rounds.added]).toEqual([
      1,
      expect.any(Number),
      expect.any(Number),
    ]);
    expect(report.leftOut.withoutRoom).toBeGreaterThan(0);
    expect(report.rounds.added).toBeGreaterThan(0);
    expect(report.rounds.added + report.leftOut.withoutRoom).toBe(4_000);
    const total = await redis.command('HGET', 'narrow:players:{all}:bytes', 'total');
    expect(Number(total)).toBeLessThanOrEqual(1024 * 1024);
    const { code: fails, stderr } = await runTypebadge([
      ...['store', 'import', '--store', redis.url, '--data', folder.data, '--content', folder.content],
      ...[...prefix, '--round-quota', '1MiB'],
    ]);
    expect([fails, stderr]).toEqual([1, expect.stringMatching(/--round-quota allows: \d+ rounds/)]);

    const rest = await store('import', folder, prefix);
    expect([rest.code, rest.report.leftOut.withoutRoom]).toEqual([0, 0]);
    expect(rest.report.rounds.added).toBe(report.leftOut.withoutRoom);
    expect((await store('check', folder, prefix)).report).toMatchObject({ same: true });
  }, 240_000);

  test('imported rounds of strangers expire as if they had been saved when they were finished, those of local players never', async () => {
    const prefix = ['--store-prefix', 'ageing'];
    const day = 24 * hour;
    const times = [500, 300, 1].map((days) => Date.now() - days * day);
    const folder = await makePlayer('ageing', 'a'.repeat(32), times);
    const keys = `ageing:rounds:{${folder.player}}`;
    const local = await store('import', folder, [...prefix, '--keep-rounds', '400d']);
    expect(local.report.rounds).toEqual({ found: 3, added: 3 });
    expect(await redis.command('PTTL', keys)).toBe(-1);

    await redis.command('DEL', keys, `${keys}:entries`, `${keys}:bytes`, `${keys}:epoch`);
    await writeFile(join(folder.data, 'address-key'), 'a'.repeat(64));
    const open = await store('import', folder, [...prefix, '--keep-rounds', '400d']);
    expect([open.report.rounds, open.report.leftOut.expired]).toEqual([{ found: 3, added: 2 }, 1]);
    expect(Number(await redis.command('PTTL', keys))).toBeGreaterThan(300 * day);
    // The newest is a day old already; what came before it does not end the life of all of them sooner.
    expect(Number(await redis.command('PTTL', keys))).toBeLessThan(399.1 * day);
    const [first] = (await redis.command('XRANGE', keys, '-', '+')) as [string][];
    expect(Number.parseInt(first?.[0] ?? '', 10)).toBe(times[1]);
    expect((await store('check', folder, prefix)).report).toMatchObject({ same: true });
  }, 240_000);

  test('existing data in the store is never replaced, and every difference is named', async () => {
    const other = { data: join(root, 'differs', 'data'), content: join(root, 'differs', 'content') };
    await mkdir(other.content, { recursive: true });
    await writeFile(join(other.content, 'history.json'), '{"announcements":[]}');
    const { code, report } = await store('import', other);
    expect([code, report.content]).toEqual([0, { found: 1, added: 0 }]);
    expect(report.kept).toEqual([expect.stringContaining('with other content')]);
    expect((await store('check')).report.same).toBe(true);
    const compared = await store('check', other);
    expect(compared.code).toBe(1);
    expect(compared.report.differences).toContainEqual({ what: 'history.json', how: 'different' });
    expect(compared.report.differences).toContainEqual({ what: 'origins.json', how: 'only in the store' });
    const alone = join(root, 'differs', 'alone');
    await cp(folders.content, alone, { recursive: true });
    await writeFile(join(alone, 'origins.json'), '{"origins":[]}');
    const places = ['--store', redis.url, '--data', folders.data, '--content', alone, ...ttl];
    expect((await runTypebadge(['store', 'check', ...places])).stdout).toBe(
      '  origins.json: different\n✘ 1 difference.\n',
    );
  });

  test('an export copies everything but what is damaged, keeps a copy of that, names it and fails', async () => {
    const prefix = 'with-damage';
    const more = ['--store-prefix', prefix];
    const out = { data: join(root, 'damaged', 'data'), content: join(root, 'damaged', 'content') };
    const server = await startServeProcess([
      ...['--store', redis.url, ...more, '--data', join(root, 'damaged', 'server')],
      ...['--content', folders.content, ...ttl],
    ]);
    const client = createTypingClient(server.port);
    const ids = [];
    for (let opened = 0; opened < 5; opened += 1) {
      const id = await client.createSession();
      await playRound(client, id);
      expect(await client.save(id)).toEqual({ success: true });
      ids.push(id);
    }
    server.child.kill('SIGTERM');
    await server.finished;
    const [wrongType, noHeader, later, ...sound] = ids.map((id) => `${prefix}:session:{${id}}`);
    const damagedIds = ids.slice(0, 3);
    await redis.command('SET', wrongType as string, 'rubbish');
    await redis.command('HSET', noHeader as string, 'h', '{"v":2');
    await redis.command('HSET', later as string, 'h', '{"v":999}');
    await redis.command('XADD', `${prefix}:rounds:{local}`, '*', 'rubbish', 'rubbish');
    await redis.command('XADD', `${prefix}:rounds:{local}`, '*', 'id', 'x', 'line', 'rubbish');

    const { code, report, stderr } = await store('export', out, more);
    expect([code, stderr]).toEqual([1, '']);
    expect(report.sessions).toEqual({ found: sound.length, added: sound.length });
    expect(report.rounds).toEqual({ found: ids.length, added: ids.length });
    expect(report.content.added).toBeGreaterThan(0);
    const unread = report.unread as { what: string; keys: string[]; problem: string; file: string }[];
    expect(unread.map(({ what }) => what).sort()).toEqual(
      ['rounds of local', ...damagedIds.map((id) => `session ${id}`)].sort(),
    );
    expect(unread.find(({ what }) => what === 'rounds of local')?.problem).toBe('2 are damaged');

    // Nothing is lost: the store is as it was, and each copy gives its keys back.
    expect(await redis.command('GET', wrongType as string)).toBe('rubbish');
    for (const { what, keys, file } of unread) {
      const { dumps } = JSON.parse(await readFile(file, 'utf8'));
      expect(Object.keys(dumps)).toEqual(keys);
      expect(dumps[keys[0] as string], what).toMatch(/^[A-Za-z0-9+/]+=*$/);
    }

    const again = await store('export', out, more);
    expect([again.code, again.report.unread]).toEqual([1, unread]);
    const check = await store('check', out, more);
    expect(check.code).toBe(1);
    expect(check.report.differences).toEqual(
      unread.map(({ what }) => ({ what, how: 'damaged in the store' })),
    );
    const args = ['--store', redis.url, ...more, '--data', out.data, '--content', out.content, ...ttl];
    const forPeople = await runTypebadge(['store', 'export', ...args]);
    expect(forPeople.stdout).toContain('Copied in part');
    for (const { what, file } of unread) {
      expect(forPeople.stderr).toContain(what);
      expect(forPeople.stderr).toContain(file);
    }

    // A player's rounds that are no stream at all are left out too, instead of everything.
    await redis.command('SET', `${prefix}:rounds:{local}`, 'rubbish');
    const without = await store('export', { ...out, data: join(root, 'damaged', 'again') }, more);
    expect([without.code, without.report.rounds]).toEqual([1, { found: 0, added: 0 }]);
    expect(without.report.sessions.added).toBe(sound.length);
  });

  test('an export onto a folder with other content is refused, says what to do, and has copied nothing', async () => {
    const prefix = ['--store-prefix', 'other-content'];
    await store('import', { data: join(root, 'nothing'), content: folders.content }, prefix);
    const other = { data: join(root, 'occupied', 'data'), content: join(root, 'occupied', 'content') };
    await mkdir(other.content, { recursive: true });
    await writeFile(join(other.content, 'history.json'), '{"announcements":[]}');
    const { code, report } = await store('export', other, prefix);
    expect([code, report.code, report.error]).toEqual([
      ...[1, 'REFUSED'],
      expect.stringMatching(
        /other content \(history\.json\)\. Export into an empty folder.*Nothing was copied/,
      ),
    ]);
    expect(await readdir(join(root, 'occupied'))).toEqual(['content']);
    expect(await readdir(other.content)).toEqual(['history.json']);
    await rm(join(other.content, 'history.json'));
    expect((await store('export', other, prefix)).code).toBe(0);
    expect((await store('check', other, prefix)).report.same).toBe(true);
  });

  test('a missing content folder is made by export alone: import and check say that it does not exist', async () => {
    const out = { data: join(root, 'new', 'data'), content: join(root, 'new', 'deep', 'content') };
    for (const verb of ['import', 'check']) {
      const { code, report } = await store(verb, out);
      expect([code, report.error]).toEqual([1, expect.stringContaining('does not exist')]);
    }
    expect((await readdir(root)).includes('new')).toBe(false);
    const file = { ...out, content: join(folders.content, 'history.json') };
    const wrong = await store('export', file);
    expect([wrong.code, wrong.report.error]).toEqual([1, expect.stringContaining('is not a folder')]);
    expect((await store('export', out)).code).toBe(0);
    expect((await store('check', out)).report).toMatchObject({ same: true });
  });

  test('an import that was killed can be completed by another', async () => {
    const prefix = ['--store-prefix', 'resumed'];
    const { spawn } = await import('node:child_process');
    const { packageFile } = await import('../../../src/kit/package-files.ts');
    const args = [
      '--store',
      redis.url,
      '--data',
      folders.data,
      '--content',
      folders.content,
      ...ttl,
      ...prefix,
    ];
    const child = spawn(process.execPath, [packageFile('bin', 'typebadge.js'), 'store', 'import', ...args]);
    const keyCount = async () => ((await redis.command('KEYS', 'resumed:rounds:*')) as string[]).length;
    while (child.exitCode === null && (await keyCount()) === 0)
      await new Promise((next) => setTimeout(next, 5));
    child.kill('SIGKILL');
    await new Promise((resolve) => (child.exitCode === null ? child.once('exit', resolve) : resolve(0)));
    const { code, report } = await store('import', folders, prefix);
    expect([code, report.kept]).toEqual([0, []]);
    expect((await store('check', folders, prefix)).report).toMatchObject({ same: true });
  });

  test('a folder that a server uses is refused, and so is content that could not be served', async () => {
    const data = join(root, 'used');
    const server = await startServeProcess(['--data', data, '--content', folders.content]);
    try {
      await createTypingClient(server.port).createSession();
      const { code, report } = await store('import', { data, content: folders.content });
      expect([code, report.code, report.error]).toEqual([1, 'REFUSED', expect.stringContaining('Stop it')]);
    } finally {
      server.child.kill('SIGTERM');
      await server.finished;
    }
    const broken = { data: join(root, 'none'), content: join(root, 'broken') };
    await mkdir(broken.content);
    await writeFile(join(broken.content, 'history.json'), '{');
    expect((await store('import', broken)).report).toMatchObject({ code: 'CONTENT' });
  });

  test('without a store, or with one that is away, it is one clear error', async () => {
    const nothing = await runTypebadge(['store', 'check']);
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('--store')]);
    const away = await runTypebadge([
      'store',
      'check',
      '--store',
      'redis://127.0.0.1:1',
      '--content',
      folders.content,
    ]);
    expect([away.code, away.stderr]).toEqual([
      1,
      expect.stringContaining('The store cannot be reached (nothing listens at its address).'),
    ]);
    const visible = await runTypebadge(['store', 'check', '--store', 'redis://:secret@127.0.0.1:1']);
    expect([visible.code, visible.stderr]).toEqual([2, expect.not.stringContaining('secret')]);
  });
});
