import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { eventually, hasRedis, type RedisProcess, startRedis } from '../support/redis/redis-process.ts';
import { runHere } from '../support/typebadge-here.ts';
import { runTypebadge, startServeProcess } from '../support/typebadge-process.ts';

const password = 'p@ss word';

describe.skipIf(!hasRedis)('commands with --store', () => {
  let dir: string;
  let redis: RedisProcess;
  let prefix = '';
  let number = 0;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-announce-store-'));
    redis = await startRedis(join(dir, 'redis'));
    await redis.command('CONFIG', 'SET', 'requirepass', password);
  });
  afterAll(async () => {
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });
  beforeEach(() => {
    prefix = `test-${++number}`;
  });

  const env = () => ({
    TYPEBADGE_EDITOR: 'ada',
    TYPEBADGE_DATA: join(dir, `data-${prefix}`),
    TZ: 'UTC',
  });
  const storeEnv = () => ({
    ...env(),
    TYPEBADGE_STORE_PASSWORD: password,
    TYPEBADGE_STORE: redis.url,
    TYPEBADGE_STORE_PREFIX: prefix,
  });
  const onStore = (args: readonly string[]) => runHere([...args], { env: storeEnv() });
  const storeName = () => `${redis.url}/0 (${prefix})`;

  test('edit --editor changes what is in the store', async () => {
    await onStore(['announce', 'publish', 'Words', '--id', 'a']);
    const editor = {
      EDITOR: "sed -i -e 's/^Message.*/Message: Other words/' -e 's/^Severity.*/Severity: warning/'",
      VISUAL: '',
    };
    const edited = await runHere(['announce', 'edit', 'a', '--editor'], {
      env: { ...storeEnv(), ...editor },
    });
    expect([edited.code, edited.stdout]).toEqual([0, expect.stringContaining('warning · Other words')]);
    expect(
      JSON.parse((await onStore(['announce', 'show', 'a', '--json'])).stdout).announcement,
    ).toMatchObject({
      message: 'Other words',
      severity: 'warning',
    });
  });

  test('print the same, with the same exit codes and JSON, as with a folder', async () => {
    const folder = join(dir, 'content');
    await mkdir(folder);
    const commands = [
      'announce publish We-have-moved --link https://example.org/moved --expires 2099-12-31 --json',
      'announce publish Later --at 2098-01-01 --expires 2098-02-01 --id later --json',
      'announce edit later --message Later-still --severity warning',
      'announce edit nobody --message x --json',
      'announce publish --json',
      'announce list --json',
      'announce list',
      'announce show later --json',
      'announce withdraw later --json',
      'announce undo --json',
      'announce expire later --at 2098-01-15 --dry-run --json',
      'announce log --json',
      'announce validate --json',
      'announce preview later --json',
      'announce preview --at 2098-01-01 --json',
      'announce stats --days 2 --json',
      'announce stats nobody --json',
      'origins add https://example.org https://*.example.net --json',
      'origins add https://example.org',
      'origins list --json',
      'origins test https://example.org --json',
      'origins test https://elsewhere.example --json',
      'origins remove https://elsewhere.example --json',
      'origins remove https://example.org --json',
      'announce validate --json',
    ];
    const normal = (text: string, name: string) =>
      text
        .replaceAll(name, 'PLACE')
        .replaceAll(/PLACE\/(\w+\.json)/g, '$1 of PLACE')
        .replaceAll(/"2\d{3}-\d\d-\d\dT[\d:.]+Z"/g, '"INSTANT"');
    for (const command of commands) {
      const words = command.split(' ').map((word) => word.replaceAll(/(?<=\w)-(?=\w)/g, '-'));
      const here = await runHere(words, { env: { ...env(), TYPEBADGE_CONTENT: folder } });
      const there = await onStore(words);
      const told = ({ code, stdout, stderr }: typeof here, name: string) => ({
        command,
        code,
        stdout: normal(stdout, name),
        stderr: normal(stderr, name),
      });
      const expected = told(here, folder);
      // What people read names a folder as one.
      const asStore = { ...expected, stdout: expected.stdout.replace('Content folder: ', 'Content: ') };
      const actual = told(there, storeName());
      expect([expected, asStore]).toContainEqual({
        ...actual,
        stdout: actual.stdout.replace('uses this store', 'uses this folder'),
      });
    }
  }, 300_000);

  test('every change of four simultaneous editors is made once', async () => {
    const publish = (at: number) =>
      runTypebadge(['announce', 'publish', `news ${at}`, '--alongside', '--by', `editor ${at}`, '--json'], {
        env: storeEnv(),
      });
    const results = await Promise.all([0, 1, 2, 3].map(publish));
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(results.map(() => [0, '']));
    const { announcements } = JSON.parse((await onStore(['announce', 'list', '--json'])).stdout);
    expect(announcements.map(({ message }: { message: string }) => message).sort()).toEqual(
      [0, 1, 2, 3].map((at) => `news ${at}`),
    );
  });

  test('a running server shows the change, and the command says so; its counts are read from the store', async () => {
    const content = join(dir, 'served');
    await mkdir(content);
    const server = await startServeProcess(['--data', env().TYPEBADGE_DATA, '--content', content], {
      env: storeEnv(),
    });
    const { code, stdout } = await onStore(['announce', 'publish', 'Hello from a store', '--json']);
    expect(code).toBe(0);
    const { announcement, servers, content: name } = JSON.parse(stdout);
    expect(name).toBe(storeName());
    expect(servers).toEqual([{ url: `http://127.0.0.1:${server.port}`, content: storeName(), shows: true }]);
    const shown = await send(server.port, { path: '/content/announcement.json' });
    expect(JSON.parse(shown.body.toString()).message).toBe('Hello from a store');
    for (let at = 0; at < 3; at += 1)
      await send(server.port, { path: `/pulse?event=click&id=${announcement.id}` });
    server.child.kill('SIGTERM');
    await server.finished;
    const stats = await onStore(['announce', 'stats', announcement.id, '--json']);
    expect(JSON.parse(stats.stdout).total.clicks).toBe(3);
  });

  test('a store that is away, silent or refuses the password is exit code 1 with a sentence, and changes nothing', async () => {
    const wrong = await runHere(['announce', 'publish', 'x', '--json'], {
      env: { ...storeEnv(), TYPEBADGE_STORE_PASSWORD: 'not this one' },
    });
    expect([wrong.code, JSON.parse(wrong.stdout)]).toEqual([
      1,
      {
        error: expect.stringMatching(/refuses the user name or password\. Nothing was changed\./),
        code: 'CONTENT',
      },
    ]);
    expect(wrong.stdout + wrong.stderr).not.toContain('not this one');
    redis.freeze();
    const silent = await onStore(['announce', 'publish', 'x']);
    redis.thaw();
    expect([silent.code, silent.stderr]).toEqual([1, expect.stringContaining('Nothing was changed')]);
    const away = await runHere(['origins', 'list', '--store', 'redis://127.0.0.1:1'], { env: env() });
    expect([away.code, away.stderr]).toEqual([
      1,
      expect.stringMatching(
        /The store redis:\/\/127\.0\.0\.1:1\/0 \(typebadge\) cannot be used: The store cannot be reached/,
      ),
    ]);
    await eventually(async () => (await onStore(['announce', 'list'])).code === 0);
    expect((await onStore(['announce', 'list'])).stdout).toContain('No announcements yet');
  });

  test('takes the password from a file', async () => {
    const file = join(dir, 'password');
    await writeFile(file, `${password}\n`);
    const { code } = await runHere(['announce', 'list', '--store', redis.url, '--store-prefix', prefix], {
      env: { ...env(), TYPEBADGE_STORE_PASSWORD_FILE: file },
    });
    expect(code).toBe(0);
  });
});
