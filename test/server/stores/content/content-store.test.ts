import { spawn } from 'node:child_process';
import {
  appendFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Change, StoredAnnouncement } from '../../../../src/announcements/announcement.ts';
import { publish } from '../../../../src/announcements/changes/history-edit.ts';
import { type LockOptions, lockLease, withFolderLock } from '../../../../src/kit/files/folder-lock.ts';
import { processIdentity } from '../../../../src/kit/process-life.ts';
import {
  type ContentStore,
  createContentStore,
} from '../../../../src/server/stores/content/content-store.ts';
import { createFolderContent } from '../../../../src/server/stores/content/folder-content.ts';
import { parseHistory } from '../../../../src/server/stores/content/history-file.ts';
import { type BundledScript, bundleScript, finished, killed } from '../files/script-process.ts';

const openContentStore = (folder: string, options: LockOptions = {}) =>
  createContentStore(createFolderContent(folder, options));

let loop: BundledScript;
let dir: string;

beforeAll(async () => {
  loop = await bundleScript(new URL('./change-loop.ts', import.meta.url));
});
afterAll(() => loop.remove());
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-store-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

async function readIds(folder = dir): Promise<string[]> {
  const result = parseHistory(await readFile(join(folder, 'history.json'), 'utf8'));
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.history.announcements.map(({ id }) => id);
}

const files = ['changes.jsonl', 'history.json'];

function newDraft(message: string, now = Date.now()) {
  return { message, link: '', published: now, expires: now + 60_000 };
}

test('of processes killed while they publish, edit and undo, no reported change is lost, and the log always fits', async () => {
  let [reported, opens, killsWhileLocked] = [0, 0, 0];
  // Some have to die between the two files, and some with the lock.
  for (let kills = 0; kills < 20 || opens === 0 || killsWhileLocked === 0; kills += 1) {
    const { out, err } = await killed(loop.start(dir, `editor-${kills}`, 'all'), 12, 25);
    expect(err).toBe('');
    // What was being said at the moment of the kill is whole or not there at all: one write of a few bytes.
    expect(out).toMatch(/^(?:\d+\n)*$/);
    reported = Math.max(reported, ...out.trim().split('\n').map(Number));
    if (!(await readFile(join(dir, 'changes.jsonl'), 'utf8')).endsWith('\n')) opens += 1;
    if ((await readdir(dir)).includes('history.lock')) killsWhileLocked += 1;
    const { announcements, changes } = await openContentStore(dir).readHistory();
    expect(changes.length).toBeGreaterThanOrEqual(reported);
    expect(new Set(announcements.map(({ id }) => id)).size).toBe(announcements.length);
    expect(byId(announcements)).toEqual(byId(replayed(changes)));
    reported = changes.length;
  }
  // One quiet change later the killed ones' litter is gone (what is younger than a minute may still be somebody's).
  await publishOnce(openContentStore(dir), 'last');
  const litter = (await readdir(dir)).filter((entry) => ![...files].includes(entry));
  expect(litter.filter((entry) => !entry.startsWith('history.lock-'))).toEqual([]);
}, 120_000);

/** What the log says that there is. */
function replayed(changes: readonly Change[]): StoredAnnouncement[] {
  const entries = new Map<string, StoredAnnouncement>();
  for (const { id, after } of changes)
    if (after === null) entries.delete(id);
    else entries.set(id, after);
  return [...entries.values()];
}

const byId = (entries: readonly StoredAnnouncement[]) =>
  Object.fromEntries(entries.map((each) => [each.id, each]));

test('a reader beside a writer always sees announcements and log of the same moment', async () => {
  const child = loop.start(dir, 'ben', 'all');
  const whole = finished(child);
  let length = 0;
  for (let reads = 0; reads < 150 || length <= 10; reads += 1) {
    const { announcements, changes } = await openContentStore(dir).readHistory();
    expect(byId(announcements)).toEqual(byId(replayed(changes)));
    expect(changes.length).toBeGreaterThanOrEqual(length);
    length = changes.length;
  }
  child.kill('SIGKILL');
  await whole;
});

test('many processes that find the same stale lock take it over one after the other', async () => {
  for (let round = 0; round < 2; round += 1) {
    const dead = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => dead.once('close', resolve));
    await leaveLock(`process 1 on x\n${processIdentity().replace(/^\d+ \d*/, `${dead.pid} 1`)}`);
    const all = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => finished(loop.start(dir, name, 'publish', '5'))),
    );
    expect(all.map(({ err }) => err).join('')).toBe('');
    const ids = await readIds();
    expect(ids).toHaveLength((round + 1) * 20);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test.each([
  ['from another computer', 'process 1 on elsewhere.example', 'process 1 on elsewhere.example;'],
  ['that says nothing', '', 'another process'],
])('a lock %s is respected until its owner has been silent for the lease', async (_, mark, who) => {
  const lock = await leaveLock(mark);
  const attempt = publishOnce(openContentStore(dir, { wait: 100 }), 'never');
  await expect(attempt).rejects.toThrow(who);
  const longAgo = new Date(Date.now() - lockLease - 1000);
  await utimes(lock, longAgo, longAgo);
  expect(await publishOnce(openContentStore(dir, { wait: 100 }), 'now')).toHaveProperty('number', 1);
});

test('a process suspended until another took over the lock no longer writes', async () => {
  const attempt = withFolderLock(dir, async (confirm) => {
    await confirm();
    await rm(join(dir, 'history.lock'), { recursive: true });
    await leaveLock(processIdentity());
    await confirm();
  });
  await expect(attempt).rejects.toThrow('another one took over');
  expect(await readdir(join(dir, 'history.lock'))).toEqual(['f'.repeat(16)]);
});

test('a disk that becomes full in the middle of the file changes nothing, and the error says so', async () => {
  for (let count = 0; count < 15; count += 1)
    await publishOnce(openContentStore(dir), `news ${'x'.repeat(60)} ${count}`);
  const before = await readFile(join(dir, 'history.json'), 'utf8');
  const blocks = Math.floor(before.length / 1024);
  const { out, err, code } = await finished(
    loop.startUnder(`ulimit -f ${blocks}`, dir, 'ada', 'publish', '1'),
  );
  expect(out).toBe('');
  expect(err).toContain(
    'cannot be written: the file would be larger than this system allows. Nothing was changed',
  );
  expect(code).toBe(1);
  expect(await readFile(join(dir, 'history.json'), 'utf8')).toBe(before);
  expect((await readdir(dir)).sort()).toEqual(files);
});

test('a disk that becomes full in the middle of a line of the log changes nothing, and the error says so', async () => {
  await publishOnce(openContentStore(dir), 'news');
  const log = await readFile(join(dir, 'changes.jsonl'));
  // Blank lines count for nothing: the next change is cut after 50 bytes, and the announcements have room.
  await appendFile(join(dir, 'changes.jsonl'), `${' '.repeat(4 * 1024 - 51 - log.length)}\n`);
  const before = await readFile(join(dir, 'history.json'), 'utf8');
  const { out, err, code } = await finished(loop.startUnder('ulimit -f 4', dir, 'ada', 'publish', '1'));
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('Nothing was changed');
  expect(await readFile(join(dir, 'history.json'), 'utf8')).toBe(before);
  await publishOnce(openContentStore(dir), 'with room again');
  expect((await openContentStore(dir).readHistory()).changes).toHaveLength(2);
});

test('a file behind a symbolic link is replaced where it is, with its permissions', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'typebadge-shared-'));
  await writeFile(join(elsewhere, 'shared.json'), '{"announcements": []}', { mode: 0o640 });
  await symlink(join(elsewhere, 'shared.json'), join(dir, 'history.json'));
  await publishOnce(openContentStore(dir), 'through the link');
  expect(await readFile(join(elsewhere, 'shared.json'), 'utf8')).toContain('through the link');
  expect((await stat(join(elsewhere, 'shared.json'))).mode & 0o777).toBe(0o640);
  expect((await lstat(join(dir, 'history.json'))).isSymbolicLink()).toBe(true);
  await rm(elsewhere, { recursive: true });
});

async function publishOnce(store: ContentStore, message: string) {
  const at = Date.now();
  return store.updateHistory((history) => publish(history, newDraft(message, at), { by: 'editor', at }));
}

async function leaveLock(owner: string): Promise<string> {
  const file = join(dir, 'history.lock', 'f'.repeat(16));
  await mkdir(join(dir, 'history.lock'));
  await writeFile(file, owner);
  return file;
}
