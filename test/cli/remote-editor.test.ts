import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readLogins, storeLogin } from '../../src/cli/desk/logins.ts';
import { newEditorToken } from '../../src/server/desk/editors-document.ts';
import { runHere } from '../support/typebadge-here.ts';
import { type RunningProcess, runTypebadge, startServeProcess } from '../support/typebadge-process.ts';

let dir: string;
let server: RunningProcess;
/** Of the computer of the server, and of the editor's own. */
let serverEnv: Record<string, string>;
let env: Record<string, string>;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-remote-'));
  const homeOf = (name: string) => ({
    XDG_CONFIG_HOME: join(dir, name, 'config'),
    XDG_DATA_HOME: join(dir, name, 'data'),
    TZ: 'UTC',
    TYPEBADGE_DEBUG: '1',
  });
  await writeFile(join(dir, 'history.json'), '{"announcements":[]}');
  serverEnv = { ...homeOf('server'), TYPEBADGE_CONTENT: dir };
  server = await startServeProcess(['--verbose', '--log', 'json'], { env: serverEnv });
  env = { ...homeOf('editor'), TYPEBADGE_SERVER: server.url };
});
afterEach(async () => {
  server.child.kill('SIGKILL');
  await rm(dir, { recursive: true, force: true });
});

async function addEditor(name: string, ...more: string[]): Promise<string> {
  const { stdout, code } = await runHere(['editors', 'add', name, ...more], { env: serverEnv });
  expect(code).toBe(0);
  const lines = stdout.split('\n').filter((line) => /^tbe_[\w-]{43}$/.test(line));
  expect(lines).toHaveLength(1);
  return lines[0] as string;
}

const run = (args: readonly string[], input?: string) =>
  runHere(args, { env, ...(input === undefined ? {} : { input }) });

test('editors list creates no folder, names the content, and does not work for a remote server', async () => {
  const own = { ...env, TYPEBADGE_SERVER: '', TYPEBADGE_CONTENT: '' };
  const none = await runHere(['editors', 'list'], { env: own, cwd: dir });
  expect(none).toMatchObject({ code: 0, stderr: '' });
  expect(none.stdout).toContain('No editor has a token in ');
  expect(await readdir(join(dir, 'editor')).catch(() => [])).toEqual([]);
  const elsewhere = await runHere(['editors', 'list'], { env: { ...env, TYPEBADGE_CONTENT: '' } });
  expect(elsewhere.code).toBe(2);
  expect(elsewhere.stderr).toContain('only its own computer knows');
});

test('the same commands have the same JSON and exit codes on a server as on its folder', async () => {
  const token = await addEditor('anna');
  const twin = await mkdtemp(join(tmpdir(), 'typebadge-twin-'));
  await writeFile(join(twin, 'history.json'), '{"announcements":[]}');
  const folderEnv = { ...env, TYPEBADGE_SERVER: '', TYPEBADGE_CONTENT: twin, TYPEBADGE_EDITOR: 'anna' };
  const serverSide = { ...env, TYPEBADGE_TOKEN: token, TYPEBADGE_EDITOR: 'somebody else' };
  const commands = [
    'publish|Hello|--id|a|--expires|2999-01-01|--link|https://example.org|--severity|warning',
    'publish|Later|--id|b|--at|2998-01-01|--expires|2999-01-01|--alongside',
    `publish|${'x'.repeat(120)}|--id|c|--expires|2999-01-01|--alongside`,
    'publish|x|--expires|yesterday-ish',
    'edit|a|--no-link|--translation|de=Hallo|--path|/docs/*',
    'edit|none|--message|x',
    'expire|b',
    'expire|c|--at|2998-12-31',
    'withdraw|c',
    'undo',
    'undo|1',
    'edit|a|--message|Hi|--dry-run',
    'list',
    'show|a',
    'log',
    'stats|--days|2',
    'preview',
    'preview|--site|https://shop.example.org|--path|/docs/a|--lang|de',
    'undo|5|--dry-run',
  ].map((line) => ['announce', ...line.split('|')]);
  const origins = [
    ['origins', 'add', 'https://example.org', 'https://*.example.org'],
    ['origins', 'test', 'https://shop.example.org'],
    ['origins', 'remove', 'https://example.org'],
    ['origins', 'list'],
  ];
  // What names the place, and the clock, differ.
  const moment = /20\d\d-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ| \d\d:\d\d(?::\d\d)? \(UTC\))/g;
  const plain = (text: string) =>
    JSON.parse(text.replaceAll(moment, 'instant'), (name, part) =>
      name === 'content' || name === 'servers' ? undefined : part,
    );
  for (const args of [...commands, ...origins]) {
    const folder = await runHere([...args, '--json'], { env: folderEnv });
    const remote = await runHere([...args, '--json'], { env: serverSide });
    expect([remote.code, plain(remote.stdout)], args.join(' ')).toEqual([folder.code, plain(folder.stdout)]);
  }
  await rm(twin, { recursive: true, force: true });
}, 300_000);

test('a token is in no log, error, output or other file', async () => {
  const token = await addEditor('anna');
  const wrong = `${token.slice(0, -4)}AAAA`;
  const listOn = (url: string) =>
    runHere(['announce', 'list', '--server', url], { env: { ...env, TYPEBADGE_TOKEN: token } });
  const outputs = [
    await run(['login', server.url], `${token}\n`),
    await run(['login', server.url], `${wrong}\n`),
    await run(['announce', 'publish', 'x', '--verbose']),
    await run(['announce', 'list', '--verbose', '--json']),
    await run(['announce', 'edit', 'none', '--message', 'x', '--verbose']),
    await runHere(['announce', 'list', '--verbose'], { env: { ...env, TYPEBADGE_TOKEN: wrong } }),
    await runHere(['announce', 'list'], { env: { ...env, TYPEBADGE_TOKEN: `${token} x` } }),
    await listOn('http://127.0.0.1:1'),
    await listOn('http://example.org'),
  ];
  expect(outputs.map(({ code }) => code)).toEqual([0, 1, 0, 0, 1, 1, 2, 1, 2]);
  server.child.kill('SIGTERM');
  const log = await server.finished;
  const secret = token.slice(4, 30);
  for (const { stdout, stderr } of [...outputs, log]) expect(stdout + stderr).not.toContain(secret);
  expect(log.stdout).toContain('anna');
  const files = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const holding: string[] = [];
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    if ((await readFile(path, 'utf8')).includes(secret)) holding.push(path);
  }
  expect(holding).toHaveLength(1);
  expect(holding[0]).toContain(join('editor', 'config', 'typebadge', 'logins.json'));
  expect((await stat(holding[0] as string)).mode & 0o777).toBe(0o600);
  expect((await stat(join(dir, 'editors.json'))).mode & 0o777).toBe(0o600);
});

test('the error of a wrong token names the variable, because logging in again would not help', async () => {
  await run(['login', server.url], await addEditor('anna'));
  const wrong = { env: { ...env, TYPEBADGE_TOKEN: `tbe_${'A'.repeat(43)}` } };
  for (const args of [
    ['announce', 'list'],
    ['login', server.url],
  ]) {
    const { code, stderr } = await runHere(args, wrong);
    expect(code).toBe(1);
    expect(stderr).toContain('does not accept your token');
    expect(stderr).toContain('If TYPEBADGE_TOKEN is set, it is used instead: correct or unset it');
  }
  expect((await run(['announce', 'list'])).code).toBe(0);
});

test('several logins at once keep every token', async () => {
  const token = await addEditor('anna');
  const folder = join(dir, 'at-once');
  const servers = Array.from({ length: 12 }, (_, at) => `https://badge-${at}.example.org`);
  await Promise.all(servers.map((server) => storeLogin({ server, editor: 'anna', token }, folder)));
  expect((await readLogins(folder)).logins.map(({ server }) => server).sort()).toEqual(servers.sort());
  expect((await readdir(folder)).sort()).toEqual(['logins.json']);
});

test('a damaged file of logins is named and kept, and nothing is changed on this computer instead', async () => {
  await run(['login', server.url], await addEditor('anna'));
  const file = join(dir, 'editor', 'config', 'typebadge', 'logins.json');
  await writeFile(file, '{"version":1,"defaultServer":"https://badge.exam');
  for (const args of [['announce', 'publish', 'Hello'], ['logout', server.url], ['login']]) {
    const { code, stderr } = await runHere(args, { env: { ...env, TYPEBADGE_SERVER: '' } });
    expect([code, stderr], args.join(' ')).toEqual([1, expect.stringContaining(`${file} is damaged`)]);
  }
  expect(await readFile(file, 'utf8')).toBe('{"version":1,"defaultServer":"https://badge.exam');
});

test('after a login, that server is the place of all commands, and each change says where it was made', async () => {
  const token = await addEditor('anna');
  await run(['login', server.url], token);
  const folder = join(dir, 'elsewhere');
  await mkdir(folder);
  await writeFile(join(folder, 'history.json'), '{"announcements":[]}');
  const here = { ...env, TYPEBADGE_SERVER: '', TYPEBADGE_CONTENT: '' };
  const local = (...args: string[]) => runHere(args, { env: here, cwd: folder });
  const first = async (...args: string[]) => (await local(...args)).stdout.split('\n')[0];
  expect(await first('announce', 'publish', 'x', '--id', 'a')).toBe(
    `✔ Published a: it is active, on ${server.url}.`,
  );
  expect(await first('announce', 'undo', '1')).toMatch(`, on ${server.url}.`);
  expect(await first('origins', 'add', 'https://example.org')).toMatch(`, on ${server.url}.`);
  expect(await first('announce', 'publish', 'x', '--id', 'b', '--content', '.')).toBe(
    `✔ Published b: it is active, in ${folder}; no running server of this data folder was found.`,
  );
  const ids = async (...args: string[]) =>
    JSON.parse((await local('announce', 'list', '--json', ...args)).stdout).announcements.map(
      ({ id }: { id: string }) => id,
    );
  expect([await ids(), await ids('--content', folder)]).toEqual([[], ['b']]);
  const withVariable = { env: { ...here, TYPEBADGE_CONTENT: folder } };
  expect((await runHere(['announce', 'list', '--json'], withVariable)).stdout).toContain('"b"');
  for (const [args, more] of [
    [['--server', 'http://127.0.0.1:9'], {}],
    [[], { TYPEBADGE_SERVER: 'http://127.0.0.1:9' }],
  ] as const) {
    const other = await runHere(['announce', 'list', ...args], { env: { ...here, ...more } });
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('http://127.0.0.1:9')]);
  }
  expect((await local('login')).stdout).toMatch(new RegExp(`^${server.url} .*default`, 'm'));
  expect((await local('announce', 'list', '--verbose')).stderr).toContain('typebadge login');
  expect((await local('logout', server.url)).stdout).toContain('on this computer again');
  expect(await first('announce', 'publish', 'Only here')).not.toContain(server.url);
});

test('an editor who is logged in to a server elsewhere creates no token for a folder that nobody serves', async () => {
  await run(['login', server.url], await addEditor('anna'));
  const file = join(dir, 'editor', 'config', 'typebadge', 'logins.json');
  const url = 'https://badge.example.org';
  const login = { server: url, editor: 'anna', token: newEditorToken() };
  await writeFile(file, JSON.stringify({ version: 1, defaultServer: url, logins: [login] }));
  const add = (...more: string[]) =>
    runHere(['editors', 'add', 'ben', ...more], { env: { ...env, TYPEBADGE_SERVER: '' } });
  const refused = await add();
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(`work on ${url} (typebadge login)`);
  expect((await add('--content', dir)).code).toBe(0);
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

test.runIf(hasOpenssl)(
  'a certificate of a private authority is reported, with the variable that makes it trusted',
  async () => {
    const [key, cert] = [join(dir, 'key.pem'), join(dir, 'ca.pem')];
    const algorithm = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
    const subject = '-subj /CN=localhost -addext subjectAltName=DNS:localhost';
    const request = `req -x509 -days 2 ${algorithm} ${subject}`.split(' ');
    spawnSync('openssl', [...request, '-keyout', key, '-out', cert]);
    let asked = 0;
    const secure = createServer({ key: await readFile(key), cert: await readFile(cert) }, (_, reply) => {
      asked += 1;
      reply.writeHead(401).end('{"code":"UNAUTHENTICATED","error":"No."}');
    });
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const { port } = secure.address() as AddressInfo;
    const publish = (host: string, more: Record<string, string> = {}) =>
      runTypebadge(['announce', 'publish', 'x'], {
        env: {
          ...env,
          ...more,
          TYPEBADGE_SERVER: `https://${host}:${port}`,
          TYPEBADGE_TOKEN: `tbe_${'A'.repeat(43)}`,
        },
      });
    const unknown = await publish('localhost');
    expect([unknown.code, unknown.stderr, asked]).toEqual([
      1,
      expect.stringContaining('NODE_EXTRA_CA_CERTS='),
      0,
    ]);
    expect(unknown.stderr).not.toContain('is not known');
    const other = await publish('127.0.0.1', { NODE_EXTRA_CA_CERTS: cert });
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID')]);
    secure.close();
    const plain = await runHere(['announce', 'list'], {
      env: {
        ...env,
        TYPEBADGE_SERVER: server.url.replace('http:', 'https:'),
        TYPEBADGE_TOKEN: `tbe_${'A'.repeat(43)}`,
      },
    });
    expect([plain.code, plain.stderr]).toEqual([
      1,
      expect.stringContaining('behind a TLS proxy, it is that of the proxy'),
    ]);
  },
);

describe('typebadge editors', () => {
  test('shows a token once, lists names and ends, and removes', async () => {
    const token = await addEditor('Newsroom Berlin', '--expires', '2999-01-01');
    const list = await runHere(['editors', 'list', '--json'], { env: serverEnv });
    expect(JSON.parse(list.stdout).editors).toEqual([
      { name: 'Newsroom Berlin', added: expect.any(String), expires: '2999-01-01T23:59:59Z', expired: false },
    ]);
    expect(list.stdout).not.toContain(token.slice(4));
    expect(await run(['login', server.url], token)).toMatchObject({ code: 0 });
    expect(await run(['announce', 'list'])).toMatchObject({ code: 0, stderr: '' });
    expect((await runHere(['editors', 'remove', 'newsroom berlin'], { env: serverEnv })).code).toBe(0);
    const late = await run(['announce', 'list']);
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('does not accept your token')]);
  });

  test('the content of a new token is named, and an expired token is called expired', async () => {
    const { stdout } = await runHere(['editors', 'add', 'anna', '--expires', '90d'], { env: serverEnv });
    expect(stdout).toContain(`The token works on every server that serves ${dir}.`);
    const file = join(dir, 'editors.json');
    const { editors, ...rest } = JSON.parse(await readFile(file, 'utf8'));
    const late = editors.map((editor: object) => ({ ...editor, expires: '2026-01-02T00:00:00Z' }));
    await writeFile(file, JSON.stringify({ ...rest, editors: late }));
    expect((await runHere(['editors', 'list'], { env: serverEnv })).stdout).toMatch(
      /2026-01-02 .*\(expired\)/,
    );
    const token = /^tbe_.*$/m.exec(stdout)?.[0] ?? '';
    const login = await run(['login', server.url], token);
    expect([login.code, login.stderr]).toEqual([
      1,
      `Error: ${server.url} does not accept your token: it has expired. With a new one: typebadge login ${server.url}. If TYPEBADGE_TOKEN is set, it is used instead: correct or unset it.\n`,
    ]);
    const wrong = await run(['login', server.url], newEditorToken());
    expect(wrong.stderr).toContain('it is wrong or was removed');
  });
});

describe('typebadge login', () => {
  test('stores only a token that works, lists where you are logged in, and logout deletes it', async () => {
    const token = await addEditor('anna');
    const bad = [
      await run(['login', server.url], 'tbe_short'),
      await run(['login', server.url], ''),
      await run(['login', server.url], `tbe_${'A'.repeat(43)}`),
      await run(['login', 'http://badge.example.org'], token),
      await run(['login', `${server.url}/demo`], token),
    ];
    expect(bad.map(({ code }) => code)).toEqual([2, 2, 1, 2, 1]);
    expect((await run(['login'])).stdout).toContain('not logged in anywhere');
    await run(['login', server.url], token);
    expect((await run(['login', '--json'])).stdout).toContain('"editor": "anna"');
    expect((await run(['logout', server.url])).code).toBe(0);
    expect((await run(['logout', server.url])).code).toBe(1);
    const after = await run(['announce', 'list']);
    expect([after.code, after.stderr]).toEqual([1, expect.stringContaining('typebadge login')]);
  });

  test('logout alone deletes the login of the server that commands work on', async () => {
    const token = await addEditor('anna');
    const other = server.url.replace('127.0.0.1', 'localhost');
    await run(['login', other], token);
    await run(['login', server.url], token);
    expect((await run(['logout'])).stdout).toContain(`for ${server.url} was deleted`);
    const none = await run(['logout']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('Name the server')]);
    expect((await run(['logout', other])).code).toBe(0);
  });
});
