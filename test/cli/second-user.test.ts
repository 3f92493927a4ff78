import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFileRecords, recordsFolder } from '../../src/server/stores/records/file-records.ts';
import { send } from '../support/http-client.ts';
import { canBeSecondUser, secondUser, secondUserCommand } from '../support/second-user.ts';
import { lasting } from '../support/test-server.ts';
import { runTypebadge, startServeProcess } from '../support/typebadge-process.ts';

let dir: string;
let content: string;
let history: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-user-'));
  content = join(dir, 'content');
  history = join(content, 'history.json');
  await chown(dir, secondUser, secondUser);
  await mkdir(content, { mode: 0o750 });
  await writeFile(history, JSON.stringify({ announcements: [lasting] }), { mode: 0o600 });
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const ownership = async (path: string) => {
  const { uid, gid, mode } = await stat(path);
  return { uid, gid, mode: (mode & 0o777).toString(8) };
};

describe.runIf(canBeSecondUser)('root, in the content folder of a service', () => {
  beforeEach(async () => {
    await chown(content, secondUser, secondUser);
    await chown(history, secondUser, secondUser);
  });
  const serve = () =>
    startServeProcess(['--content', content, '--data', join(dir, 'data')], { under: secondUserCommand });

  test('publishes, and the service shows it, restarts and reads it', async () => {
    const running = await serve();
    const { code, stderr } = await runTypebadge(['announce', 'publish', 'From root', '--content', content]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await ownership(history)).toEqual({ uid: secondUser, gid: secondUser, mode: '600' });
    const shown = async (port: number) =>
      String((await send(port, { path: '/content/announcement.json' })).body);
    while (!(await shown(running.port)).includes('From root'));
    running.child.kill();
    expect((await running.finished).code).toBe(0);

    const again = await serve();
    expect(await shown(again.port)).toContain('From root');
    again.child.kill();
    await again.finished;
  });

  test('adds records to its data folder, which the service can use', async () => {
    const data = join(dir, 'data');
    const records = createFileRecords({ dir: recordsFolder(data), maxFileSize: 100 });
    for (const line of ['first', 'second', 'third'])
      await records.commit('rounds/local', { push: [line.repeat(20)] });
    await records.close();
    const files = await readdir(data, { recursive: true });
    expect(files.length).toBeGreaterThan(4);
    for (const entry of files)
      expect(await ownership(join(data, entry))).toMatchObject({ uid: secondUser, gid: secondUser });
  });

  test('creates new files that belong to the service', async () => {
    expect(await runTypebadge(['origins', 'add', 'https://a.example', '--content', content])).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await ownership(join(content, 'origins.json'))).toMatchObject({
      uid: secondUser,
      gid: secondUser,
    });
  });

  test('leaves no lock behind that the service could not remove', async () => {
    await runTypebadge(['announce', 'publish', 'From root', '--content', content]);
    const under = secondUserCommand;
    const next = await runTypebadge(['announce', 'publish', 'From the service', '--content', content], {
      under,
    });
    expect(next).toMatchObject({ code: 0, stderr: '' });
  });
});

describe.runIf(canBeSecondUser)('a user who may write to the folder, but not change owners', () => {
  test('publishes, and the file stays readable', async () => {
    await chmod(content, 0o777);
    await chmod(history, 0o644);
    const result = await runTypebadge(['announce', 'publish', 'From a guest', '--content', content], {
      under: secondUserCommand,
    });
    expect(result.code).toBe(0);
    expect(await readFile(history, 'utf8')).toContain('From a guest');
    expect(await ownership(history)).toEqual({ uid: secondUser, gid: secondUser, mode: '644' });
  });
});
