import { realpathSync } from 'node:fs';
import { chown, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runHere } from '../support/typebadge-here.ts';

const manifest = '.typebadge-export.json';
let dir: string;
let content: string;
let data: string;

beforeEach(async () => {
  dir = realpathSync(await mkdtemp(join(tmpdir(), 'typebadge-target-')));
  content = join(dir, 'site', 'content');
  data = join(dir, 'data');
  await mkdir(content, { recursive: true });
  await mkdir(data);
  const published = await run('publish', 'We have moved', '--by', 'ada');
  expect(published.code).toBe(0);
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function run(...args: readonly string[]) {
  return runHere(['announce', ...args, '--content', content], {
    cwd: dir,
    env: { TYPEBADGE_DATA: data },
  });
}

const exportTo = (target: string) => run('export', target);

/** Everything below a folder: files with their text, links with where they point. */
async function pictureOf(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const picture: Record<string, string> = {};
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) picture[path.slice(root.length)] = await readFile(path, 'utf8');
    else picture[path.slice(root.length)] = entry.isSymbolicLink() ? 'a link' : 'a folder';
  }
  return picture;
}

/** Refused with exit code 1, nothing changed anywhere, and no advice that would destroy something. */
async function expectRefused(target: string, reason: string | RegExp) {
  const before = await pictureOf(dir);
  const { code, stderr } = await exportTo(target);
  expect([code, stderr]).toEqual([1, expect.stringMatching(reason)]);
  expect(await pictureOf(dir)).toEqual(before);
}

test('an export never writes into the content folder or the data folder, however they are spelt', async () => {
  const inContent = /lies in the content folder/;
  await expectRefused(content, inContent);
  await expectRefused(join(content, 'public'), inContent);
  await expectRefused(join(dir, 'site'), inContent); // its content/history.json would be the history
  await expectRefused('site/../site/content', inContent);
  await expectRefused(data, /lies in the data folder/);
  await expectRefused(join(data, 'a', 'b'), /lies in the data folder/);
  await symlink(content, join(dir, 'other-name'));
  await expectRefused('other-name', /is a symbolic link/);
  await expectRefused('other-name/public', /is a symbolic link/);
});

test('a content folder behind a link is recognised by its identity, not by its name', async () => {
  await symlink(join(dir, 'site'), join(dir, 'by-link'));
  const before = await pictureOf(dir);
  const { code, stderr } = await runHere(
    ['announce', 'export', 'site', '--content', join(dir, 'by-link', 'content')],
    { cwd: dir, env: { TYPEBADGE_DATA: data } },
  );
  expect([code, stderr]).toEqual([1, expect.stringContaining('lies in the content folder')]);
  expect(await pictureOf(dir)).toEqual(before);
});

test('no symbolic link is followed: target, parent folder, subfolder, file, list, dangling', async () => {
  await mkdir(join(dir, 'precious'));
  await writeFile(join(dir, 'precious', 'key'), 'secret');
  await symlink('precious', join(dir, 'target-link'));
  await expectRefused('target-link', /is a symbolic link/);
  await expectRefused('target-link/below', /is a symbolic link/);
  await symlink('nowhere', join(dir, 'dangling'));
  await expectRefused('dangling', /is a symbolic link/);
  await mkdir(join(dir, 'public'));
  await exportTo('public'); // so that the names are on its list
  await rm(join(dir, 'public', 'js'), { recursive: true });
  await symlink('../precious', join(dir, 'public', 'js'));
  await expectRefused('public', /public\/js is a symbolic link/);
  await rm(join(dir, 'public', 'js'));
  await rm(join(dir, 'public', 'demo.html'));
  await symlink('../precious/key', join(dir, 'public', 'demo.html'));
  await expectRefused('public', /demo\.html is a symbolic link/);
  await rm(join(dir, 'public', 'demo.html'));
  await writeFile(join(dir, 'precious', 'list'), JSON.stringify({ files: ['key'] }));
  await rm(join(dir, 'public', manifest));
  await symlink('../precious/list', join(dir, 'public', manifest));
  await expectRefused('public', /is a symbolic link/);
});

test('a file that no earlier export wrote is never replaced: it is named, and nothing is written', async () => {
  expect((await exportTo('public')).code).toBe(0);
  const list = JSON.parse(await readFile(join(dir, 'public', manifest), 'utf8'));
  const files = list.files.filter((name: string) => name !== 'demo.html');
  await writeFile(join(dir, 'public', manifest), JSON.stringify({ ...list, files }));
  await writeFile(join(dir, 'public', 'demo.html'), 'my own page');
  await expectRefused('public', /demo\.html/);
  await rm(join(dir, 'public', 'demo.html'));
  await mkdir(join(dir, 'public', 'demo.html'));
  await expectRefused('public', /demo\.html is a folder/);
});

test('a folder that holds other files is refused', async () => {
  await mkdir(join(dir, 'www'));
  await writeFile(join(dir, 'www', 'index.html'), 'my site');
  await expectRefused('www', /holds files that no export wrote/);
});

test.runIf(process.getuid?.() === 0)(
  'a list of another owner is not trusted: nothing it names is removed or replaced',
  async () => {
    await exportTo('public');
    await writeFile(join(dir, 'public', 'precious.pem'), 'secret');
    await writeFile(join(dir, 'public', manifest), JSON.stringify({ files: ['precious.pem', 'demo.html'] }));
    await chown(join(dir, 'public', manifest), 65_534, 65_534);
    await expectRefused('public', /belongs to another user/);
    expect(await readFile(join(dir, 'public', 'precious.pem'), 'utf8')).toBe('secret');
  },
);

test.each(['/etc/passwd', '../key', 'a/../../key', 'C:\\key', '..\\key', 'a/./b', '', '.', 'js'])(
  'a list that names %j removes nothing',
  async (name) => {
    await exportTo('public');
    await writeFile(join(dir, 'key'), 'secret');
    await writeFile(join(dir, 'public', manifest), JSON.stringify({ files: [name] }));
    await exportTo('public');
    expect(await readFile(join(dir, 'key'), 'utf8')).toBe('secret');
    expect((await lstat(join(dir, 'public', 'js'))).isDirectory()).toBe(true);
  },
);

test('a stale file is removed if it is a file, and left alone if it was replaced by a link', async () => {
  await exportTo('public');
  await writeFile(join(dir, 'key'), 'secret');
  const list = JSON.parse(await readFile(join(dir, 'public', manifest), 'utf8'));
  await mkdir(join(dir, 'outside'));
  await writeFile(join(dir, 'outside', 'key'), 'secret');
  await symlink('../outside', join(dir, 'public', 'old'));
  await writeFile(
    join(dir, 'public', manifest),
    JSON.stringify({ ...list, files: [...list.files, 'old/key'] }),
  );
  await expectRefused('public', /public\/old is a symbolic link/);
  expect(await readFile(join(dir, 'outside', 'key'), 'utf8')).toBe('secret');
});
