import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { type RunningProcess, runTypebadge, startServeProcess } from '../support/typebadge-process.ts';

let dir: string;
let server: RunningProcess;
let env: Record<string, string>;

/** A server, and a user of another computer who is logged in there. */
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-default-'));
  const homeOf = (name: string) => ({
    XDG_CONFIG_HOME: join(dir, name, 'config'),
    XDG_DATA_HOME: join(dir, name, 'data'),
    TZ: 'UTC',
  });
  await writeFile(join(dir, 'history.json'), '{"announcements":[]}');
  const serverEnv = { ...homeOf('server'), TYPEBADGE_CONTENT: dir };
  server = await startServeProcess([], { env: serverEnv });
  const { stdout } = await runTypebadge(['editors', 'add', 'anna', '--json'], { env: serverEnv });
  env = { ...homeOf('editor'), TYPEBADGE_CONTENT: '' };
  await mkdir(join(dir, 'editor'));
  expect((await run(['login', server.url], JSON.parse(stdout).token)).code).toBe(0);
});
afterEach(async () => {
  server.child.kill('SIGKILL');
  await rm(dir, { recursive: true, force: true });
});

const run = (args: readonly string[], input?: string, more: Record<string, string> = {}) =>
  runTypebadge(args, {
    env: { ...env, ...more },
    cwd: join(dir, 'editor'),
    ...(input === undefined ? {} : { input }),
  });

async function messagesOnServer(): Promise<string[]> {
  const { body } = await send(server.port, { path: '/content/history.json' });
  return JSON.parse(String(body)).announcements.map(({ message }: { message: string }) => message);
}

async function total(args: readonly string[], more: Record<string, string> = {}): Promise<number> {
  const { stdout } = await run(['announce', 'list', '--json', ...args], undefined, more);
  return JSON.parse(stdout).total;
}

test('after a login, announcements and origins are changed on that server, and the report says where', async () => {
  const published = await run(['announce', 'publish', 'We have moved']);
  expect([published.code, published.stdout]).toEqual([0, expect.stringContaining(server.url)]);
  expect(await messagesOnServer()).toEqual(['We have moved']);
  await run(['origins', 'add', 'https://example.org']);
  const { stdout } = await run(['origins', 'list', '--json']);
  expect(stdout).toContain('https://example.org');
  expect(await run(['announce', 'list', '--verbose'])).toMatchObject({
    stderr: expect.stringContaining('typebadge login'),
  });
});

test('a folder that an option or a variable names comes before the login, and so does another server', async () => {
  await run(['announce', 'publish', 'We have moved']);
  const folder = join(dir, 'own');
  await mkdir(folder);
  await writeFile(join(folder, 'history.json'), '{"announcements":[]}');
  for (const message of ['one', 'two'])
    expect((await run(['announce', 'publish', message, '--content', folder])).code).toBe(0);
  expect(await messagesOnServer()).toEqual(['We have moved']);
  expect(await total(['--content', folder])).toBe(2);
  expect(await total([], { TYPEBADGE_CONTENT: folder })).toBe(2);
  expect(await total([])).toBe(1);
  const other = await run(['announce', 'list', '--server', 'http://127.0.0.1:9']);
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('http://127.0.0.1:9')]);
  const named = await run(['announce', 'list'], undefined, { TYPEBADGE_SERVER: 'http://127.0.0.1:9' });
  expect([named.code, named.stderr]).toEqual([1, expect.stringContaining('http://127.0.0.1:9')]);
});

test('login lists which server is the default; logout goes back to the folder of this computer', async () => {
  expect((await run(['login'])).stdout).toMatch(new RegExp(`^${server.url} .*default`, 'm'));
  const { stdout } = await run(['logout', server.url]);
  expect(stdout).toContain('on this computer again');
  const published = await run(['announce', 'publish', 'Only here'], undefined, { HOME: dir });
  expect([published.code, published.stdout]).toEqual([0, expect.not.stringContaining(server.url)]);
  expect(await readFile(join(dir, 'history.json'), 'utf8')).not.toContain('Only here');
});

test('an editor who is logged in to a server elsewhere makes no token for a folder that nobody serves', async () => {
  const folder = join(dir, 'editor', 'config', 'typebadge', 'servers');
  const login = {
    version: 1,
    server: 'https://badge.example.org',
    editor: 'anna',
    token: `tbe_${'A'.repeat(43)}`,
  };
  await writeFile(join(folder, `${encodeURIComponent(login.server)}.json`), JSON.stringify(login));
  await writeFile(join(folder, 'default'), login.server);
  const { code, stderr } = await run(['editors', 'add', 'ben']);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`work on ${login.server} (typebadge login)`)]);
  expect((await run(['editors', 'add', 'ben', '--content', dir])).code).toBe(0);
});

test.skipIf(process.platform === 'win32')('only its owner may read the token', async () => {
  const folder = join(dir, 'editor', 'config', 'typebadge', 'servers');
  const { mode } = await stat(join(folder, `${encodeURIComponent(server.url)}.json`));
  expect(mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});
