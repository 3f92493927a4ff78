import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyRecords } from '../../../src/cli/commands/store/copy-records.ts';
import { packageFile } from '../../../src/kit/package-files.ts';
import { createPulse } from '../../../src/server/stores/pulse.ts';
import { createFileRecords, recordsFolder } from '../../../src/server/stores/records/file-records.ts';
import { createMemoryRecords } from '../../../src/server/stores/records/memory-records.ts';
import type { Records } from '../../../src/server/stores/records/records.ts';
import { createRounds } from '../../../src/server/stores/rounds.ts';
import { openAddressKey } from '../../../src/server/stores/shared-text.ts';
import { parseRoundLine } from '../../../src/server/stores/stored-round.ts';
import { newStoredRound, toRoundId } from '../../server/stores/stored-rounds.ts';
import { send } from '../../support/http-client.ts';
import { hasRedis, type RedisProcess, startRedis } from '../../support/redis/redis-process.ts';
import { runHere } from '../../support/typebadge-here.ts';
import { startServeProcess } from '../../support/typebadge-process.ts';
import { createTypingClient, playRound } from '../../support/typing-client.ts';

const amounts = { sessions: 12, rounds: 1_500 };
const entry = {
  id: 'note-1',
  message: 'Hello',
  link: '',
  published: '2026-01-01T00:00:00Z',
  expires: '2999-01-01T00:00:00Z',
};
const change = {
  at: entry.published,
  by: 'ada',
  action: 'publish',
  id: entry.id,
  before: null,
  after: entry,
};

interface Folders {
  readonly data: string;
  readonly content: string;
}

let root: string;
let folders: Folders;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'typebadge-store-'));
  folders = { data: join(root, 'data'), content: join(root, 'content') };
  await mkdir(folders.content);
  await writeFile(join(folders.content, 'history.json'), JSON.stringify({ announcements: [entry] }));
  await writeFile(join(folders.content, 'changes.jsonl'), `${JSON.stringify(change)}\n`);
  await writeFile(join(folders.content, 'origins.json'), '{"origins":["https://example.org"]}');
  const server = await startServeProcess(['--data', folders.data, '--content', folders.content]);
  const client = createTypingClient(server.port);
  for (let at = 0; at < amounts.sessions; at += 1) {
    const id = await client.createSession();
    if (at % 3 === 0) await playRound(client, id);
  }
  server.child.kill('SIGTERM');
  await server.finished;
  const records = createFileRecords({ dir: recordsFolder(folders.data) });
  const options = { quota: Number.POSITIVE_INFINITY, retention: undefined, clock: Date.now };
  const rounds = createRounds(records, options);
  for (let at = 1; at <= amounts.rounds; at += 1) await rounds.add('key-a', newStoredRound(toRoundId(at)));
  const pulse = createPulse(records, () => undefined);
  const key = { day: '2026-11-21', announcement: entry.id, event: 'click', site: 'example.org' } as const;
  for (let at = 0; at < 5; at += 1) pulse.count(key);
  pulse.count({ ...key, event: 'impression' });
  await pulse.save();
  await openAddressKey(records);
  await records.close();
}, 120_000);
afterAll(() => rm(root, { recursive: true, force: true }));

describe.skipIf(!hasRedis)('store', () => {
  let redis: RedisProcess;
  beforeAll(async () => {
    redis = await startRedis(join(root, 'redis'), ['--appendonly', 'yes']);
  });
  afterAll(() => redis?.kill());

  const argsOf = ({ data, content }: Folders, more: readonly string[] = []) =>
    ['--store', redis.url, '--data', data, '--content', content, ...more] as const;
  async function store(verb: string, places = folders, more: readonly string[] = []) {
    const args = ['store', verb, ...argsOf(places, more), '--json'];
    const { code, stdout, stderr } = await runHere(args);
    if (stdout === '') throw new Error(stderr);
    return { code, stderr, report: JSON.parse(stdout) };
  }
  const none = { found: expect.any(Number), added: 0 };
  const nothing = { content: none, rounds: none, sessions: none, counters: none, kept: [] };

  test('an import that leaves out rounds, because a file of them is missing, copies the others and fails', async () => {
    const data = join(root, 'damaged');
    await cp(folders.data, data, { recursive: true });
    const names = await readdir(data, { recursive: true });
    await rm(join(data, names.find((name) => name.endsWith('/rounds/key-a.1')) as string));
    const { code, report } = await store('import', { data, content: folders.content }, [
      '--store-prefix',
      'damaged',
    ]);
    const { found, added, unreadable } = report.rounds;
    expect([code, added, found + unreadable]).toEqual([1, found, amounts.rounds + 4]);
    expect(unreadable).toBeGreaterThan(0);
    expect(report.kept).toEqual([
      expect.stringMatching(/^A data file is missing.*key-a\.1$/),
      expect.stringMatching(/^\d+ rounds could not be read.* missing$/),
    ]);
  });

  test('folders are imported completely, once, and served from the store', async () => {
    expect((await store('check')).report.same).toBe(false);
    const { code, report, stderr } = await store('import');
    expect([code, stderr, report.kept]).toEqual([0, '', []]);
    expect(report).toMatchObject({
      content: { found: 2, added: 2 },
      sessions: { found: amounts.sessions, added: amounts.sessions },
      rounds: { found: amounts.rounds + 4, added: amounts.rounds + 4 },
      counters: { found: 2, added: 2 },
    });
    const check = await store('check');
    expect([check.code, check.report]).toEqual([0, expect.objectContaining({ same: true, differences: [] })]);
    expect((await store('import')).report).toMatchObject(nothing);

    const other = { data: join(root, 'other'), content: folders.content };
    const server = await startServeProcess([...argsOf(other)]);
    const client = createTypingClient(server.port);
    const sessions = await client.sessions();
    expect(sessions).toHaveLength(amounts.sessions);
    expect((await client.history(sessions[0]?.id ?? '')).total_sessions).toBe(4);
    const current = await send(server.port, { path: '/content/announcement.json' });
    expect(JSON.parse(current.body.toString())).toMatchObject({ id: entry.id });
    server.child.kill('SIGTERM');
    await server.finished;
  });

  test('an export gives what was imported, and nothing is imported or exported twice', async () => {
    const out = { data: join(root, 'out', 'data'), content: join(root, 'out', 'content') };
    const { code, report } = await store('export', out);
    expect([code, report.kept, report.rounds.added]).toEqual([0, [], amounts.rounds + 4]);
    for (const name of ['history.json', 'origins.json', 'changes.jsonl'])
      expect(await readFile(join(out.content, name), 'utf8')).toBe(
        await readFile(join(folders.content, name), 'utf8'),
      );
    expect((await store('check', out)).report).toMatchObject({ same: true });
    expect((await store('export', out)).report).toMatchObject(nothing);
    expect((await store('import', out)).report).toMatchObject(nothing);
  });

  test('later rounds and counters are added to the copied ones', async () => {
    const prefix = ['--store-prefix', 'later'];
    const data = join(root, 'later');
    await cp(folders.data, data, { recursive: true });
    const places = { data, content: folders.content };
    await store('import', places, prefix);
    const records = createFileRecords({ dir: recordsFolder(data) });
    const options = { quota: Number.POSITIVE_INFINITY, retention: undefined, clock: Date.now };
    const late = newStoredRound(toRoundId(amounts.rounds + 1));
    await createRounds(records, options).add('key-a', late);
    const pulse = createPulse(records, () => undefined);
    pulse.count({ day: '2026-11-21', announcement: entry.id, event: 'click', site: 'example.org' });
    await pulse.save();
    await records.close();
    expect((await store('check', places, prefix)).report.differences).toEqual([
      { what: 'rounds/key-a', how: 'different' },
      { what: expect.stringMatching(/^pulse.2026-11./), how: 'only in the folder' },
    ]);
    expect((await store('import', places, prefix)).report).toMatchObject({
      rounds: { added: 1 },
      counters: { added: 1 },
    });
    expect((await store('check', places, prefix)).report).toMatchObject({ same: true });
  });

  test('existing data in the store is never replaced, and every difference is named', async () => {
    const other = { data: join(root, 'differs', 'data'), content: join(root, 'differs', 'content') };
    await mkdir(other.content, { recursive: true });
    await writeFile(join(other.content, 'history.json'), '{"announcements":[]}');
    const records = createFileRecords({ dir: recordsFolder(other.data) });
    await openAddressKey(records);
    await records.close();
    const { code, report } = await store('import', other);
    expect([code, report.content]).toEqual([0, { found: 1, added: 0 }]);
    expect(report.kept).toEqual([
      expect.stringContaining('with other content'),
      expect.stringContaining('another secret'),
    ]);
    expect((await store('check')).report.same).toBe(true);
    const compared = await store('check', other);
    expect(compared.code).toBe(1);
    for (const difference of [
      { what: 'history.json', how: 'different' },
      { what: 'origins.json', how: 'only in the store' },
      { what: 'text/address-key', how: 'different' },
    ])
      expect(compared.report.differences).toContainEqual(difference);
  });

  test('an export onto a folder with other content is refused, says what to do, and has copied nothing', async () => {
    const other = { data: join(root, 'occupied', 'data'), content: join(root, 'occupied', 'content') };
    await mkdir(other.content, { recursive: true });
    await writeFile(join(other.content, 'history.json'), '{"announcements":[]}');
    const { code, report } = await store('export', other);
    expect([code, report.code, report.error]).toEqual([
      ...[1, 'REFUSED'],
      expect.stringMatching(
        /other content \(history\.json\)\. Export into an empty folder.*Nothing was copied/,
      ),
    ]);
    expect(await readdir(join(root, 'occupied'))).toEqual(['content']);
    expect(await readdir(other.content)).toEqual(['history.json']);
  });

  test('a missing content folder is created by export only: import and check say that it does not exist', async () => {
    const out = { data: join(root, 'new', 'data'), content: join(root, 'new', 'deep', 'content') };
    for (const verb of ['import', 'check']) {
      const { code, report } = await store(verb, out);
      expect([code, report.error]).toEqual([1, expect.stringContaining('does not exist')]);
    }
    expect((await readdir(root)).includes('new')).toBe(false);
    const wrong = await store('export', { ...out, content: join(folders.content, 'history.json') });
    expect([wrong.code, wrong.report.error]).toEqual([1, expect.stringContaining('is not a folder')]);
    expect((await store('export', out)).code).toBe(0);
    expect((await store('check', out)).report).toMatchObject({ same: true });
  });

  test('a store or folders in which nothing is found are not copied, nor is a data folder that does not exist', async () => {
    const out = { data: join(root, 'empty', 'data'), content: join(root, 'empty', 'content') };
    const refusal = async (verb: string, places: Folders) => {
      const { code, report } = await store(verb, places, ['--store-prefix', 'misspelt']);
      return [code, report.error];
    };
    const nothing = (options: string) =>
      expect.stringMatching(`nothing to copy in .*: check ${options}. Nothing was copied`);
    expect(await refusal('export', out)).toEqual([1, nothing('--store and --store-prefix')]);
    expect((await readdir(root)).includes('empty')).toBe(false);
    const missing = expect.stringContaining('data does not exist. Nothing was copied');
    expect(await refusal('import', { ...out, content: folders.content })).toEqual([1, missing]);
    await mkdir(out.data, { recursive: true });
    await mkdir(out.content);
    expect(await refusal('import', out)).toEqual([1, nothing('--data and --content')]);
    expect(await redis.command('KEYS', 'misspelt:*')).toEqual([]);
  });

  test('rounds without any announcement are copied there and back', async () => {
    const prefix = ['--store-prefix', 'rounds-only'];
    const places = { data: folders.data, content: join(root, 'rounds-only') };
    await mkdir(places.content);
    expect((await store('import', places, prefix)).report.rounds).toMatchObject({
      added: amounts.rounds + 4,
    });
    const out = { data: join(root, 'rounds-back'), content: join(root, 'no-content') };
    expect((await store('export', out, prefix)).report.rounds).toMatchObject({ added: amounts.rounds + 4 });
  });

  test('an import that was killed can be completed by another', async () => {
    const prefix = ['--store-prefix', 'resumed'];
    const program = packageFile('bin', 'typebadge.js');
    const child: ChildProcess = spawn(process.execPath, [
      ...[program, 'store', 'import', ...argsOf(folders, prefix)],
    ]);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const keyCount = async () => ((await redis.command('KEYS', 'resumed:*')) as string[]).length;
    while (child.exitCode === null && (await keyCount()) < 5)
      await new Promise((next) => setTimeout(next, 1));
    child.kill('SIGKILL');
    await ended;
    const { code, report } = await store('import', folders, prefix);
    expect([code, report.kept]).toEqual([0, []]);
    expect((await store('check', folders, prefix)).report).toMatchObject({ same: true });
  });

  test('content that could not be served is not imported', async () => {
    const broken = { data: folders.data, content: join(root, 'broken') };
    await mkdir(broken.content);
    await writeFile(join(broken.content, 'history.json'), '{');
    const { code, report } = await store('import', broken, ['--store-prefix', 'broken']);
    expect([code, report.code]).toEqual([1, 'CONTENT']);
    expect(await redis.command('KEYS', 'broken:*')).toEqual([]);
  });

  test('an export beside servers that change the store is consistent', async () => {
    const prefix = ['--store-prefix', 'busy'];
    const places = { data: join(root, 'busy', 'data'), content: join(root, 'busy', 'content') };
    const serving = { data: join(root, 'busy', 'server'), content: folders.content };
    const server = await startServeProcess([...argsOf(serving, prefix)]);
    const typing = await typeAlong(server.port);
    for (let copies = 0; copies < 3; copies += 1)
      expect((await store('export', places, prefix)).code).toBe(0);
    const { saved } = await typing.stop();
    server.child.kill('SIGTERM');
    await server.finished;
    expect((await store('export', places, prefix)).code).toBe(0);
    expect(await roundsServedFrom(places)).toEqual(saved);
  });

  test('without a store, or with one that is away, it is one clear error', async () => {
    const none = await runHere(['store', 'check']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('--store')]);
    const places = ['--data', folders.data, '--content', folders.content];
    const away = await runHere(['store', 'check', '--store', 'redis://127.0.0.1:1', ...places]);
    expect([away.code, away.stderr]).toEqual([
      1,
      expect.stringContaining('The store cannot be reached (nothing listens at its address).'),
    ]);
    const visible = await runHere(['store', 'check', '--store', 'redis://:secret@127.0.0.1:1']);
    expect([visible.code, visible.stderr]).toEqual([2, expect.not.stringContaining('secret')]);
  });
});

const openRounds = (records: Records, retention?: { maxRounds: number; age: number }) =>
  createRounds(records, { quota: 1e9, retention, clock: Date.now });
/** Adds the round of a day in 2024, whose id has its number. */
function addRound(records: Records, day: number) {
  const completedAt = new Date(Date.UTC(2024, 0, day)).toISOString();
  return openRounds(records).add('key-a', { ...newStoredRound(toRoundId(day)), completedAt });
}
async function idsIn(records: Records) {
  const { first, last } = await records.read('rounds/key-a');
  const lines = await records.lines('rounds/key-a', first, last);
  return lines.filter((line) => line !== '').map((line) => parseRoundLine(line)?.id);
}
const copyAll = (source: Records, target: Records) =>
  copyRecords({ source, target, sessionTtl: 1, keepRounds: 1, now: 1, onProgress: () => undefined });

test('rounds imported beside later ones take their places in time, so the oldest are removed first', async () => {
  const [source, target] = [createMemoryRecords(), createMemoryRecords()];
  for (let day = 1; day <= 450; day += 1) await addRound(source, day);
  // Of a damaged file.
  await target.commit('rounds/key-a', { push: [''] });
  let changes = 0;
  /** A server that adds a round before the second change, and one that is killed after each. */
  const watched: Records = {
    ...target,
    async commit(id, change) {
      if (id === 'rounds/key-a' && ++changes === 2) await addRound(target, 451);
      const done = await target.commit(id, change);
      const ids = await idsIn(target);
      expect(ids).toEqual([...ids].sort());
      return done;
    },
  };
  expect((await copyAll(source, watched)).rounds).toEqual({ found: 450, added: 450 });
  expect((await copyAll(source, watched)).rounds).toEqual({ found: 450, added: 0 });
  const [first, ...later] = Array.from({ length: 451 }, (_, at) => toRoundId(at + 1));
  expect(await idsIn(target)).toEqual([first, ...later]);
  const listed = await openRounds(target, { maxRounds: 450, age: 1e13 }).list('key-a', {
    limit: 1000,
    after: undefined,
  });
  expect(listed?.rounds[0]?.id).toEqual(toRoundId(451));
  expect(listed?.rounds.map(({ id }) => id)).not.toContain(first);
});

test('a copy beside an import into its source has every round that was there before', async () => {
  const [source, older, target] = [createMemoryRecords(), createMemoryRecords(), createMemoryRecords()];
  for (let day = 1; day <= 40; day += 1) await addRound(day <= 30 ? older : source, day);
  let isImported = false;
  const changing: Records = {
    ...source,
    async lines(...asked) {
      if (!isImported) await copyAll(older, source);
      isImported = true;
      return source.lines(...asked);
    },
  };
  await copyAll(changing, target);
  expect(await idsIn(target)).toEqual(Array.from({ length: 40 }, (_, at) => toRoundId(at + 1)));
});

test('a copy of the data folder made under load is a backup: a server started on it has all rounds', async () => {
  const data = join(root, 'copied', 'data');
  const server = await startServeProcess(['--data', data, '--content', folders.content]);
  const typing = await typeAlong(server.port);
  for (let copies = 0; copies < 5; copies += 1) {
    const known = typing.saved();
    const restored = { data: join(root, 'copied', `copy-${copies}`), content: folders.content };
    await cp(data, restored.data, { recursive: true });
    const atMost = typing.saved().length + 1;
    const ids = await roundsServedFrom(restored);
    expect(ids.slice(0, known.length)).toEqual(known);
    expect(ids.length).toBeLessThanOrEqual(atMost);
  }
  await typing.stop();
  server.child.kill('SIGTERM');
  await server.finished;
}, 120_000);

/** Plays and saves one round after the other until it is stopped. */
async function typeAlong(port: number) {
  const client = createTypingClient(port);
  const id = await client.createSession();
  const saved: string[] = [];
  let isOver = false;
  const play = async () => {
    while (!isOver) {
      await playRound(client, id);
      expect(await client.save(id)).toEqual({ success: true });
      const [newest] = await roundIds(port);
      saved.push(newest ?? '');
    }
  };
  const playing = play();
  while (saved.length < 3) await new Promise((next) => setTimeout(next, 5));
  return {
    saved: () => [...saved],
    async stop() {
      isOver = true;
      await playing;
      return { saved };
    },
  };
}

/** Newest first. */
async function roundIds(port: number): Promise<string[]> {
  const { body } = await send(port, { path: '/api/rounds?limit=1000' });
  return JSON.parse(body.toString()).rounds.map(({ id }: { id: string }) => id);
}

/** Oldest first. */
async function roundsServedFrom({ data, content }: Folders): Promise<string[]> {
  const server = await startServeProcess(['--data', data, '--content', content]);
  const ids = await roundIds(server.port);
  server.child.kill('SIGTERM');
  await server.finished;
  return ids.reverse();
}
