import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { lasting } from '../support/test-server.ts';
import { runHere } from '../support/typebadge-here.ts';
import { runTypebadge, startServeProcess } from '../support/typebadge-process.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-special-'));
  await writeFile(join(dir, 'history.json'), JSON.stringify({ announcements: [lasting] }));
  await writeFile(join(dir, 'origins.json'), '{"origins":[]}');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const makePipe = (path: string) => execFileSync('mkfifo', [path]);
const notAFile = /cannot be read: it is a pipe or a device, not a regular file/;
const attacks = [
  ['a pipe', makePipe, notAFile],
  ['a link to a device that never ends', (path: string) => symlink('/dev/zero', path), notAFile],
  [
    'a file of 3 MiB',
    async (path: string) => {
      await writeFile(path, '');
      await truncate(path, 3 * 1024 * 1024);
    },
    /cannot be read: it is larger than 2 MiB/,
  ],
  ['a folder', (path: string) => mkdir(path), /cannot be read: it is a folder/],
] as const;
const commands = {
  'history.json': [
    ['announce', 'list'],
    ['announce', 'publish', 'x'],
    ['announce', 'validate'],
    ['announce', 'export', 'out', '--public-url', 'https://b.example'],
    ['serve', '--port', '0'],
  ],
  'origins.json': [
    ['origins', 'add', 'https://example.org'],
    ['announce', 'export', 'out', '--public-url', 'https://b.example'],
    ['serve', '--port', '0'],
  ],
} as const;

describe.runIf(process.platform !== 'win32').each(attacks)('%s in the place of', (_, put, sentence) => {
  test.each(['history.json', 'origins.json'] as const)('%s is refused by every command', async (name) => {
    await rm(join(dir, name));
    await put(join(dir, name));
    const env = { TYPEBADGE_CONTENT: dir, TYPEBADGE_DATA: join(dir, 'data') };
    for (const command of commands[name]) {
      // One start of a server is enough: it reads as the commands do.
      if (command[0] === 'serve' && sentence !== notAFile) continue;
      const start = command[0] === 'serve' ? runTypebadge : runHere;
      const { code, stderr } = await start(command, { cwd: dir, env });
      expect([command, code]).toEqual([command, 1]);
      expect(stderr).toContain(name);
      expect(stderr).toMatch(sentence);
    }
    expect(await readdir('/dev')).toContain('zero');
  });
});

test.runIf(process.platform !== 'win32')(
  'a running server whose file becomes a pipe, and whose logo is one, keeps what it has',
  async () => {
    await mkdir(join(dir, 'badge'));
    makePipe(join(dir, 'badge', 'logo.svg'));
    const { child, finished, port } = await startServeProcess([
      '--content',
      dir,
      '--data',
      join(dir, 'data'),
    ]);
    expect((await send(port, { path: '/images/logo.svg' })).status).toBeLessThan(500);
    await rm(join(dir, 'history.json'));
    makePipe(join(dir, 'history.json'));
    const ready = async () => (await send(port, { path: '/health/ready' })).status;
    await expect.poll(ready, { timeout: 120_000 }).toBe(503);
    expect((await send(port, { path: '/content/announcement.json' })).status).toBe(200);
    child.kill('SIGTERM');
    expect((await finished).code).toBe(0);
  },
);

describe.runIf(process.platform !== 'win32')("a pipe in the place of a user's own file", () => {
  test.each([
    ['config', 'logins.json', ['announce', 'list'], 1, notAFile],
    ['config', 'options.json', ['play'], 1, /Play needs a terminal/],
    ['data', 'typist/imported.jsonl', ['stats'], 1, notAFile],
    ['data', 'servers/1.json', ['announce', 'publish', 'x', '--alongside'], 0, /^$/],
  ] as const)('is not waited for: %s/typebadge/%s', async (folder, name, command, code, sentence) => {
    const path = join(dir, folder, 'typebadge', name);
    await mkdir(dirname(path), { recursive: true });
    makePipe(path);
    const homes = { XDG_CONFIG_HOME: join(dir, 'config'), XDG_DATA_HOME: join(dir, 'data') };
    const TYPEBADGE_CONTENT = name === 'logins.json' ? '' : dir;
    const done = await runHere(command, { cwd: dir, env: { ...homes, TYPEBADGE_CONTENT } });
    expect(done).toMatchObject({ code, stderr: expect.stringMatching(sentence) });
  });
});
