import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../src/cli/commands/doctor/checks.ts';
import { unknownVariables } from '../../src/cli/serving/serve-options.ts';
import { packageFile } from '../../src/kit/package-files.ts';
import { formatLimit, limitTable } from '../../src/server/settings/limits.ts';
import { findFullDisks } from '../support/full-disk.ts';
import { hasRedis, startRedis } from '../support/redis/redis-process.ts';
import { canBeSecondUser, secondUserCommand } from '../support/second-user.ts';
import { lasting } from '../support/test-server.ts';
import { runHere } from '../support/typebadge-here.ts';
import { type ProcessOptions, runTypebadge, startServeProcess } from '../support/typebadge-process.ts';
import { until } from '../support/until.ts';

let dir: string;
let content: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-doctor-'));
  content = join(dir, 'content');
  await mkdir(content);
  await writeFile(join(content, 'history.json'), JSON.stringify({ announcements: [lasting] }));
  await writeFile(join(content, 'origins.json'), JSON.stringify({ origins: ['https://example.org'] }));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** The command with a free port and folders that are well, unless others are given. */
async function doctor(args: readonly string[] = [], options: ProcessOptions = {}) {
  const own = ['--port', '0', '--content', content, '--data', join(dir, 'data')];
  const start = options.under === undefined ? runHere : runTypebadge;
  const { code, stdout, stderr } = await start(['doctor', '--json', ...own, ...args], {
    cwd: dir,
    ...options,
  });
  const report = JSON.parse(stdout);
  const findings = report.findings as Finding[];
  return {
    ...{ code, stdout, stderr, report, findings },
    settings: new Map(report.settings.map((setting: { name: string }) => [setting.name, setting])),
    problems: findings.filter(({ state }) => state === 'problem'),
    about: (name: string) => findings.filter(({ about }) => about === name),
  };
}

describe('doctor', () => {
  test('says so if all is well, exits with 0, and changes nothing', async () => {
    const { code, report, problems } = await doctor();
    expect([code, report.ok, problems]).toEqual([0, true, []]);
    expect(await readdir(dir)).toEqual(['content']);
    expect((await readdir(content)).sort()).toEqual(['history.json', 'origins.json']);
  });

  test('each setting has its value and where it comes from; an option wins over the environment', async () => {
    const { settings } = await doctor(['--brand', 'acme', '--allow-origin', 'https://a.example'], {
      env: { TYPEBADGE_BRAND: 'other', TYPEBADGE_SESSION_TTL: '2h' },
    });
    expect(settings.get('brand')).toMatchObject({ value: 'acme', source: 'option' });
    expect(settings.get('allow-origin')).toMatchObject({ value: 'https://a.example', source: 'option' });
    expect(settings.get('session-ttl')).toEqual({
      ...{ name: 'session-ttl', value: '2h', source: 'environment', variable: 'TYPEBADGE_SESSION_TTL' },
    });
    expect(settings.get('keep-rounds')).toMatchObject({ value: '400d', source: 'default' });
    expect(settings.get('typing')).toMatchObject({ value: 'on', source: 'default' });
  });

  test('shows the limits that no option changes, each with its unit and reason', async () => {
    const { report } = await doctor();
    const fixed = Object.entries(limitTable).filter(([, { option }]) => option === undefined);
    expect(report.limits).toEqual(
      fixed.map(([name, { value, unit, reason }]) => ({ name, value, unit, reason })),
    );
    const { stdout } = await runHere(['doctor', '--port', '0', '--content', content], { cwd: dir });
    for (const [, limit] of fixed) expect(stdout).toContain(formatLimit(limit));
  });

  test.each([
    [['--public-url', 'https://badge.example.org'], '--public-url https://badge.example.org'],
    [['--allow-host', 'localhost:8080,badge.example.org'], '--allow-host badge.example.org'],
  ])(
    '%j without --trust-proxy is a problem on loopback: all visitors would be one player',
    async (args, named) => {
      const { code, problems } = await doctor(args);
      const message = expect.stringMatching(
        new RegExp(`^${named} .*everybody sees everybody's sessions\\.$`),
      );
      const fix = "Give --trust-proxy with the proxy's address.";
      expect([code, problems]).toEqual([1, [{ about: 'access', state: 'problem', fix, message }]]);
      for (const more of [
        ['--trust-proxy', '127.0.0.1'],
        ['--host', '0.0.0.0'],
      ])
        expect((await doctor([...args, ...more])).problems).toEqual([]);
    },
  );

  test('a name of this machine needs no proxy', async () => {
    const names = ['--allow-host', 'localhost:8080,127.0.0.1,[::1]:80,badge.localhost'];
    for (const url of ['http://localhost:8080', 'http://[::1]:8080'])
      expect((await doctor(['--public-url', url, ...names])).problems).toEqual([]);
  });

  test('a server that strangers reach, and that no site may embed, gets a note', async () => {
    const bare = join(dir, 'bare');
    await mkdir(bare);
    await writeFile(join(bare, 'history.json'), JSON.stringify({ announcements: [lasting] }));
    const notes = async (...args: string[]) =>
      (await doctor(['--content', bare, ...args])).findings.flatMap(({ about, state, fix = '' }) =>
        about === 'content' && state === 'note' ? [fix] : [],
      );
    expect(await notes('--host', '0.0.0.0')).toEqual([expect.stringContaining('typebadge origins add')]);
    expect(await notes('--host', '0.0.0.0', '--allow-origin', 'https://example.org')).toEqual([]);
    expect(await notes()).toEqual([]);
    await rm(bare, { recursive: true });
  });

  test('a misspelt variable is named with the intended one, a foreign one is a note', async () => {
    const { code, problems, findings } = await doctor([], {
      env: {
        TYPEBADGE_ALLOW_ORIGNS: 'https://example.org',
        TYPEBAGDE_PORT: '1',
        TYPE_BADGE_HOST: '::1',
        TYPEBADGE_SOMETHING_ELSE_ENTIRELY: '1',
      },
    });
    expect(code).toBe(1);
    expect(problems.map(({ message, fix }) => `${message} ${fix}`)).toEqual([
      'TYPEBADGE_ALLOW_ORIGNS is not a variable that typebadge reads. Did you mean TYPEBADGE_ALLOW_ORIGIN?',
      'TYPEBAGDE_PORT is not a variable that typebadge reads. Did you mean TYPEBADGE_PORT?',
      'TYPE_BADGE_HOST is not a variable that typebadge reads. Did you mean TYPEBADGE_HOST?',
    ]);
    expect(findings).toContainEqual({
      ...{ about: 'settings', state: 'note' },
      message: 'TYPEBADGE_SOMETHING_ELSE_ENTIRELY is not a variable that typebadge reads.',
    });
  });

  test('no password is shown, wherever it was given, and one on the command line is a problem', async () => {
    for (const [store, code] of [
      ['redis://ann:very-secret@127.0.0.1:1', 1],
      ['redis://ann:very/secret,one@127.0.0.1:1', 2],
    ] as const) {
      const env = { TYPEBADGE_STORE_PASSWORD: 'hidden-too' };
      const shown = await runHere(['doctor', '--store', store], { cwd: dir, env });
      expect(shown.code).toBe(code);
      expect(shown.stdout + shown.stderr).not.toMatch(/secret|hidden-too|ann:/);
    }
    const password = await doctor(['--store', 'redis://:pass@127.0.0.1:1']);
    expect(password.problems.map(({ message }) => message).join()).toContain('TYPEBADGE_STORE_PASSWORD');
    const file = await doctor(['--store', 'redis://127.0.0.1:1'], {
      env: { TYPEBADGE_STORE_PASSWORD_FILE: join(dir, 'nowhere') },
    });
    expect(file.problems.map(({ message }) => message).join()).toContain('TYPEBADGE_STORE_PASSWORD_FILE');
  });

  test('content that a server would refuse is named with file and line, and a missing folder is not created', async () => {
    const broken = join(dir, 'broken');
    await mkdir(broken);
    await writeFile(join(broken, 'history.json'), '{\n  "announcements": [\n    {"id": 7}\n  ]\n}');
    await writeFile(join(broken, 'origins.json'), '{"origins":["example.org"]}');
    const { code, problems } = await doctor(['--content', broken]);
    expect(code).toBe(1);
    const text = problems.map(({ message }) => message).join('\n');
    expect(text).toMatch(/history\.json:3: /);
    expect(text).toMatch(/origins\.json:1: /);
    const empty = join(dir, 'empty');
    await mkdir(empty);
    for (const content of [empty, join(dir, 'missing')]) {
      const { code, about } = await doctor(['--content', content]);
      expect([code, about('content')[0]?.message]).toEqual([
        0,
        expect.stringContaining('the first start fills it'),
      ]);
    }
    expect(await readdir(empty)).toEqual([]);
  });

  test('a data folder that is a file, or that this user may not write to, is a problem', async () => {
    const file = join(dir, 'file');
    await writeFile(file, '');
    expect((await doctor(['--data', join(file, 'data')])).problems[0]).toMatchObject({
      about: 'data',
      message: expect.stringContaining(`${file} cannot be written to`),
    });
    await rm(file);
    if (!canBeSecondUser) return;
    const { problems, code } = await doctor(['--data', join(dir, 'data')], {
      under: secondUserCommand,
    });
    expect(code).toBe(1);
    expect(problems.map(({ about }) => about)).toContain('data');
    expect(problems.find(({ about }) => about === 'data')?.message).toContain('permission denied');
  });

  test('a full disk is a problem, not a note', async () => {
    const disk = (await findFullDisks(dir)).find(({ name }) => name.includes('file system'));
    if (disk === undefined) return;
    const folder = await disk.open(dir);
    try {
      const { code, problems } = await doctor(['--data', join(folder, 'data')]);
      expect([code, problems[0]?.message]).toEqual([
        1,
        expect.stringContaining('cannot be written to: the disk is full.'),
      ]);
    } finally {
      await disk.close(folder);
    }
  });

  test('an invalid logo, webhooks without a secret and a host of another machine are found before the start', async () => {
    const { code, problems } = await doctor([
      ...['--logo', join(dir, 'none.svg'), '--webhook', 'https://hooks.example.org/x'],
      ...['--host', '203.0.113.9', '--port', '0'],
    ]);
    expect(code).toBe(1);
    expect(problems.map(({ about, message, fix }) => `${about}: ${message} ${fix}`)).toEqual([
      expect.stringMatching(
        /^settings: The logo .*none\.svg cannot be used: there is no such file\. Correct --logo/,
      ),
      expect.stringMatching(/^settings: --webhook needs a secret .*TYPEBADGE_WEBHOOK_SECRET/),
      'port: 203.0.113.9 is not an address of this machine: choose another with --host. undefined',
    ]);
  });

  test('a port may be used by a server of this data folder, but by no other program', async () => {
    const data = join(dir, 'served');
    const server = await startServeProcess(['--content', content, '--data', data], { cwd: dir });
    const stranger = await listen();
    try {
      await until(() => existsSync(join(data, 'servers', `${server.child.pid}.json`)));
      const port = String(server.port);
      const own = await doctor(['--port', port, '--data', data]);
      const message = expect.stringContaining(`this data folder (process ${server.child.pid}`);
      expect([own.code, own.about('port')]).toMatchObject([0, [{ message }]]);
      const taken = String((stranger.address() as { port: number }).port);
      const foreign = await doctor(['--port', taken]);
      const choose = { state: 'problem', message: expect.stringContaining('--port') };
      expect([foreign.code, foreign.about('port')]).toMatchObject([1, [choose]]);
    } finally {
      server.child.kill('SIGTERM');
      await server.finished;
      stranger.close();
      await rm(data, { recursive: true });
    }
  });

  test.skipIf(!hasRedis)(
    'a store is tried: its warnings are notes, and being away is a problem',
    async () => {
      const redis = await startRedis(join(dir, 'redis'));
      try {
        const there = await doctor(['--store', redis.url]);
        expect(there.code).toBe(0);
        expect(there.about('store').map(({ state, message }) => `${state} ${message}`)).toEqual([
          expect.stringMatching(/^ok redis:\/\/127\.0\.0\.1:\d+\/0 answers\.$/),
          expect.stringMatching(/^note .*appendonly yes/),
        ]);
        await redis.command('CONFIG', 'SET', 'requirepass', 'wanted');
        const refused = await doctor(['--store', redis.url]);
        expect([refused.code, refused.problems[0]?.message]).toEqual([
          1,
          expect.stringContaining('asks for a password'),
        ]);
        const env = { TYPEBADGE_STORE_PASSWORD: 'wanted' };
        const known = await doctor(['--store', redis.url], { env });
        expect(known.code).toBe(0);
        const wrong = await doctor(['--store', redis.url], { env: { TYPEBADGE_STORE_PASSWORD: 'other' } });
        expect(wrong.problems[0]?.fix).toContain('correct --store and its password');
        await runHere(['announce', 'publish', 'We have moved', '--store', redis.url], { env });
        const unread = join(dir, 'unread');
        await mkdir(unread);
        await writeFile(join(unread, 'history.json'), '{ broken');
        const filled = await doctor(['--store', redis.url, '--content', unread], { env });
        expect([filled.code, filled.about('content').map(({ message }) => message)]).toEqual([
          0,
          [expect.stringContaining('is valid: 1 announcement, 0 allowed origins')],
        ]);
      } finally {
        await redis.kill();
        await rm(join(dir, 'redis'), { recursive: true });
      }
    },
  );

  test('people get a table with fixes, and it has the options of serve', async () => {
    const { code, stdout } = await runHere(['doctor', '-port', '0', '--data', join(dir, 'data')], {
      cwd: dir,
      env: { TYPEBADGE_CONTENT: content, TYPEBADGE_BRANDS: 'x' },
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {2}port +0 +option$/m);
    expect(stdout).toMatch(/^ {2}content +\S+ +environment \(TYPEBADGE_CONTENT\)$/m);
    expect(stdout).toContain('→ Did you mean TYPEBADGE_BRAND?');
    expect(stdout).toContain('1 thing is wrong.');
    const options = (text: string) =>
      [...text.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name);
    const [serve, own] = await Promise.all(
      ['serve', 'doctor'].map(async (name) => options((await runHere([name, '--help'])).stdout)),
    );
    expect(own?.filter((name) => name !== '--json')).toEqual(serve);
    expect((await runHere(['doctor', '--nonsense'])).code).toBe(2);
  });
});

test('doctor knows every variable that the program or its documents name', async () => {
  const text = execFileSync(
    'grep',
    ['-rhoE', '(process\\.env\\.|env\\.|`)TYPEBADGE_[A-Z_]+', packageFile('src'), packageFile('docs')],
    { encoding: 'utf8' },
  );
  const named = [...new Set(text.match(/TYPEBADGE_[A-Z_]+/g))].filter((name) => !name.endsWith('_'));
  expect(named.length).toBeGreaterThan(3);
  const unknown = unknownVariables(Object.fromEntries(named.map((name) => [name, ''])));
  const ofTests = (message: string) => /TYPEBADGE_(?:REQUIRE|NEWCOMER)/.test(message);
  expect(unknown.filter(({ message }) => !ofTests(message))).toEqual([]);
});

function listen(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.end('220 hello\r\n'));
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
