import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { runTypebadge } from '../support/typebadge-process.ts';

let dir: string;
let env: Record<string, string>;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-announce-'));
  env = { TYPEBADGE_CONTENT: dir, TYPEBADGE_EDITOR: 'ada', TZ: 'UTC' };
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function announce(args: readonly string[], input?: string) {
  return runTypebadge(['announce', ...args], { env, ...(input === undefined ? {} : { input }) });
}

async function announceJson(args: readonly string[]) {
  const { stdout, code } = await announce([...args, '--json']);
  return { code, value: JSON.parse(stdout) };
}

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

test('an announcement that is to end early says when, and no longer when it was to end', async () => {
  await announce(['publish', 'x', '--id', 'early', '--expires', '2999-01-01']);
  const { stdout } = await announce(['expire', 'early', '--at', '+5d']);
  expect(stdout).toContain('✔ early will end in 5 days: it is active until then, in ');
  expect(stdout).toMatch(/^ {2}Ends +20\d\d-\d\d-\d\d .*\(in 5 days\), by an editor$/m);
  expect(stdout).not.toMatch(/ {2}End {2}|Ended/);
  const over = await announce(['expire', 'early']);
  expect(over.stdout).toMatch(/✔ Ended early[\s\S]* {2}Ended +.*\(just now\), by an editor/);
});

test('publish, edit, expire, withdraw, undo, list, show and log have a stable JSON format', async () => {
  const published = await announceJson([
    'publish',
    'We "moved" \\o/',
    '--link',
    'https://example.org/moved',
    '--expires',
    '2099-12-31',
  ]);
  const first = {
    id: expect.stringMatching(/^\d{4}-001$/),
    message: 'We "moved" \\o/',
    link: 'https://example.org/moved',
    published: instant,
    expires: '2099-12-31T23:59:59Z',
    alongside: false,
    severity: 'info',
    dismissible: true,
    linkLabel: null,
    markdown: null,
    translations: null,
    audience: null,
    state: 'active',
    expired: null,
    withdrawn: null,
  };
  expect(published).toEqual({
    code: 0,
    value: { announcement: first, change: 1, dryRun: false, warnings: [], content: dir, servers: [] },
  });
  const { id } = published.value.announcement;

  const scheduled = await announceJson([
    'publish',
    'x'.repeat(101),
    '--at',
    '2098-01-01',
    '--id',
    'later',
    '--alongside',
    '--by',
    'ben',
  ]);
  const second = {
    ...first,
    id: 'later',
    message: 'x'.repeat(101),
    link: '',
    published: '2098-01-01T00:00:00Z',
    expires: '2098-01-31T00:00:00Z',
    alongside: true,
    state: 'scheduled',
  };
  expect(scheduled.value).toEqual({
    announcement: second,
    change: 2,
    dryRun: false,
    warnings: [expect.stringContaining('101 characters')],
    content: dir,
    servers: [],
  });

  const edited = await announceJson(['edit', id, '--message', 'Moved', '--link', '']);
  expect(edited.value).toMatchObject({ announcement: { message: 'Moved', link: '' }, change: 3 });
  const ended = await announceJson(['expire', id]);
  expect(ended.value).toMatchObject({ announcement: { state: 'ended', expired: instant }, change: 4 });
  const withdrawn = await announceJson(['withdraw', 'later']);
  expect(withdrawn.value).toMatchObject({
    announcement: { state: 'withdrawn', withdrawn: instant },
    change: 5,
  });
  const undone = await announceJson(['undo']);
  expect(undone).toEqual({
    code: 0,
    value: {
      announcement: second,
      change: 6,
      undone: 5,
      by: 'ada',
      dryRun: false,
      warnings: [],
      content: dir,
      servers: [],
    },
  });
  const again = await announceJson(['undo', '4']);
  expect(again.value).toMatchObject({
    announcement: { id, state: 'active', expired: null },
    change: 7,
    undone: 4,
  });

  const active = { ...first, message: 'Moved', link: '' };
  expect(await announceJson(['list'])).toEqual({
    code: 0,
    value: { announcements: [active, second], current: id, total: 2 },
  });
  const log = await announceJson(['log']);
  const stored = { id, message: 'Moved', link: '', published: instant, expires: '2099-12-31T23:59:59Z' };
  expect(log.value.total).toBe(7);
  expect(log.value.changes[0]).toEqual({
    number: 7,
    at: instant,
    by: 'ada',
    action: 'undo',
    id,
    before: { ...stored, expired: instant },
    after: stored,
    undoes: 4,
    undoneBy: null,
  });
  expect(
    log.value.changes.map(({ number, by, action, undoneBy }: Record<string, unknown>) => [
      number,
      by,
      action,
      undoneBy,
    ]),
  ).toEqual([
    [7, 'ada', 'undo', null],
    [6, 'ada', 'undo', null],
    [5, 'ada', 'withdraw', 6],
    [4, 'ada', 'expire', 7],
    [3, 'ada', 'edit', null],
    [2, 'ben', 'publish', null],
    [1, 'ada', 'publish', null],
  ]);
  const shown = await announceJson(['show']);
  expect(shown.value.announcement).toEqual(active);
  expect(shown.value.changes.map(({ number }: { number: number }) => number)).toEqual([1, 3, 4, 7]);
  expect((await announceJson(['preview'])).value).toEqual({ announcement: active });
});

describe('wrong usage has exit code 2, names the error, and writes nothing', () => {
  test.each([
    [['publish'], 'The message is missing'],
    [['publish', 'We', 'have', 'moved'], 'put it in quotes: "We have moved"'],
    [['publish', ''], 'the message is empty'],
    [['publish', 'two\nlines'], 'line break'],
    [['publish', 'x', '--link', 'javascript:alert(1)'], 'only http: and https: are allowed'],
    [['publish', 'x', '--expires', 'soon'], '--expires: "soon" is not a recognised time'],
    [['publish', 'x', '--at', '2026-02-30'], '--at: 2026-02-30 does not exist'],
    [['publish', 'x', '--zone', 'Berlin'], 'there is no time zone "Berlin"'],
    [['publish', 'x', '--by', ''], '1 to 100 characters'],
    [['publish', 'x', '--bogus'], "unknown option '--bogus'"],
    [['edit'], 'The id of the announcement is missing'],
    [['edit', 'x'], 'Nothing to change was given'],
    [['expire'], 'The id of the announcement is missing'],
    [['withdraw'], 'The id of the announcement is missing'],
    [['undo', 'last'], '"last" is not a change number'],
    [['list', '--limit', '0'], '--limit takes a whole number'],
    [['stats', '--days', 'x'], '--days takes a whole number'],
    [['preview', 'x', '--message', 'y'], 'an id or --message, not both'],
    [['export'], "missing required argument 'folder'"],
    [['export', 'out', '--brand', 'Not A Brand'], 'A brand is'],
    [['frobnicate'], "unknown command 'frobnicate'"],
  ])('announce %j', async (args, reason) => {
    const { code, stdout, stderr } = await announce(args);
    expect(stderr.toLowerCase()).toContain(reason.toLowerCase());
    expect([code, stdout]).toEqual([2, '']);
    expect(await readdir(dir)).toEqual([]);
  });
});

test('all errors of an announcement are named at once', async () => {
  const { stderr } = await announce(['publish', 'a\tb', '--link', 'ftp://x', '--at', 'x', '--expires', 'y']);
  for (const reason of ['control character (U+0009)', '"ftp:"', '--at: "x"', '--expires: "y"']) {
    expect(stderr).toContain(reason);
  }
});

test('a refusal has exit code 1 and a reason, as JSON if requested', async () => {
  await announce(['publish', 'first', '--id', 'a']);
  const before = await readFile(join(dir, 'history.json'), 'utf8');
  const refusals = [
    [['publish', 'x', '--id', 'a'], 'The id a is taken; every id is used once.'],
    [
      ['publish', 'x', '--at', '+2d', '--expires', '2001-01-01'],
      /^The expiry 2001-01-01 23:59:59 \(UTC\) is in the past; write a later one, such as \+30d\.$/,
    ],
    [['publish', 'x', '--expires', '2001-01-01'], /^The expiry 2001-01-01 23:59:59 \(UTC\) is in the past/],
    [
      ['publish', 'x', '--at', '2999-01-02', '--expires', '2999-01-01'],
      /^The expiry .* is not after the start/,
    ],
    [['publish', 'x', '--at', '2001-01-01'], /is in the past/],
    [['edit', 'nope', '--message', 'x'], 'There is no announcement nope.'],
    [['undo', '7'], 'There is no change 7; the log has 1.'],
    [['show', 'nope'], /^There is no announcement nope/],
    [['log', 'nope'], /^There is no announcement nope; typebadge announce list shows/],
  ] as const;
  for (const [args, reason] of refusals) {
    const { code, value } = await announceJson(args);
    expect([code, value]).toEqual([1, { error: expect.stringMatching(reason), code: 'REFUSED' }]);
  }
  expect(await readFile(join(dir, 'history.json'), 'utf8')).toBe(before);
  const { code, stderr } = await announce(['publish', 'x', '--id', 'a']);
  expect([code, stderr]).toEqual([1, 'Error: The id a is taken; every id is used once.\n']);
});

test('a message can come from standard input, whatever it contains', async () => {
  const message = `"It's" \\n \${HOME} $(id) \`ls\` — שלום 👨‍👩‍👧‍👦`;
  expect(await announce(['publish', '-'], `${message}\n`)).toMatchObject({ code: 0 });
  expect((await announceJson(['show'])).value.announcement.message).toBe(message);
  const notText = await announce(
    ['publish', '-'],
    Buffer.from([0x41, 0xff]).toString('latin1').repeat(40_000),
  );
  expect(notText).toMatchObject({
    code: 2,
    stderr: 'Error: Standard input is longer than any message may be.\n',
  });
});

test('a dry run shows the result and writes nothing', async () => {
  const { code, stdout } = await announce(['publish', 'Nearly', '--id', 'a', '--dry-run']);
  expect(code).toBe(0);
  expect(stdout).toContain('nothing was changed. a would be like this; it is active:');
  expect(await readdir(dir)).toEqual([]);
  await announce(['publish', 'Really', '--id', 'a']);
  expect((await announceJson(['undo', '--dry-run'])).value).toMatchObject({
    change: null,
    undone: 1,
    announcement: null,
  });
  expect((await announceJson(['log'])).value.total).toBe(1);
});

test('--verbose says which content folder is used, and --content takes precedence over TYPEBADGE_CONTENT', async () => {
  const other = await mkdtemp(join(tmpdir(), 'typebadge-other-'));
  const { stderr } = await announce(['publish', 'elsewhere', '--content', other, '--verbose']);
  expect(stderr).toContain(`Content folder: ${other} (--content)`);
  expect(await readdir(dir)).toEqual([]);
  expect((await readdir(other)).sort()).toEqual(['changes.jsonl', 'history.json']);
  const nowhere = join(dir, 'nowhere');
  expect((await announce(['publish', 'first', '--content', nowhere])).stderr).toContain(
    'is new and holds a sample',
  );
  await rm(other, { recursive: true });
});

test('a misspelt name of a content folder is refused, and only a first change makes the folder', async () => {
  const nowhere = join(dir, 'nowhere');
  for (const args of [
    ['list'],
    ['show'],
    ['log'],
    ['stats'],
    ['validate'],
    ['preview', 'https://example.org/'],
    ['undo'],
    ['publish', 'x', '--dry-run'],
  ]) {
    const { code, stderr } = await announce([...args, '--content', nowhere]);
    expect([args, code, stderr]).toEqual([args, 1, expect.stringMatching(/nowhere .*does not exist\. /)]);
  }
  for (const command of ['origins', 'editors']) {
    const { code, stderr } = await runTypebadge([command, 'list', '--content', nowhere], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not exist')]);
  }
  expect(await readdir(dir)).toEqual([]);
});

test('moments are read and shown in the editor’s zone', async () => {
  env.TZ = 'America/New_York';
  const { value } = await announceJson(['publish', 'x', '--expires', '2099-07-04']);
  expect(value.announcement.expires).toBe('2099-07-05T03:59:59Z');
  expect((await announce(['show'])).stdout).toMatch(/End +2099-07-04 23:59:59/);
  expect((await announce(['show', '--zone', 'Asia/Tokyo'])).stdout).toMatch(/End +2099-07-05 12:59:59/);
  env.TZ = 'Nowhere/Land';
  const lost = await announce(['publish', 'x']);
  // Some systems take an unknown TZ for UTC, and then it is UTC.
  if (lost.code !== 0)
    expect(lost.stderr).toContain('TZ names a time zone that does not exist (Nowhere/Land)');
});

test('times in refusals are in the zone that the editor means, which is named', async () => {
  env.TZ = 'America/New_York';
  const saidOf = async (...args: string[]) => (await announceJson(args)).value.error;
  expect(await saidOf('publish', 'x', '--expires', '2001-07-04')).toMatch(
    /^The expiry 2001-07-04 23:59:59 \(America\/New_York\) is in the past; write a later one/,
  );
  const inTokyo = ['--zone', 'Asia/Tokyo'];
  expect(
    await saidOf('publish', 'x', '--at', '2099-01-02', '--expires', '2099-01-01 18:00', ...inTokyo),
  ).toMatch(
    /^The expiry 2099-01-01 18:00 \(Asia\/Tokyo\) is not after the start 2099-01-02 00:00 \(Asia\/Tokyo\)/,
  );
  await announce(['publish', 'later', '--id', 'later', '--at', '2099-01-01 00:00', ...inTokyo]);
  expect(await saidOf('expire', 'later', '--at', '2098-06-01')).toContain(
    'it starts at 2098-12-31 10:00 (America/New_York)',
  );
  expect(await saidOf('publish', 'x', '--expires', 'yesterday')).toMatch(
    /^The expiry 20\d\d-\d\d-\d\d 23:59:59 \(America\/New_York\) is in the past/,
  );
  expect(await saidOf('publish', 'x', '--at', 'yesterday')).toMatch(
    /^The start .* is in the past; leave it out/,
  );
});

test('validate names each problem with file and line, and has exit code 1', async () => {
  await writeFile(
    join(dir, 'history.json'),
    '{"announcements": [\n{"id": "a", "message": "x", "link": "ftp://x",\n"published": "2026-01-01T00:00:00Z", "expires": "soon"}\n]}',
  );
  await writeFile(join(dir, 'origins.json'), '{"origins": [\n"https://example.org",\n"example.com"\n]}');
  const { code, value } = await announceJson(['validate']);
  expect(code).toBe(1);
  expect(value).toEqual({
    valid: false,
    hints: [],
    content: dir,
    problems: [
      {
        file: join(dir, 'history.json'),
        line: 2,
        path: 'announcements[0].link',
        message: expect.stringContaining('"ftp:"'),
      },
      {
        file: join(dir, 'history.json'),
        line: 3,
        path: 'announcements[0].expires',
        message: expect.stringContaining('"soon" is not a time'),
      },
      {
        file: join(dir, 'origins.json'),
        line: 3,
        path: 'origins[1]',
        message: expect.stringContaining('"example.com" is not an origin'),
      },
    ],
  });
  const broken = await announce(['publish', 'x']);
  expect(broken).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('history.json:2: announcements[0].link: the link starts with "ftp:"'),
  });
});

test('validate says that the editors cannot be read', async () => {
  await writeFile(join(dir, 'editors.json'), '{"version": 1, "editors": [{"name": "ada"}]}');
  const { code, value } = await announceJson(['validate']);
  expect([code, value.valid]).toEqual([1, false]);
  expect(value.problems).toContainEqual({
    file: join(dir, 'editors.json'),
    message: expect.stringMatching(/^editors\[0\]\.added: .*nobody may edit from another computer$/),
  });
});

test('validate checks each of 20,000 origins once, even wrong and repeated ones', async () => {
  const origins = Array.from({ length: 20_000 }, (_, at) => `https://${at % 15_000}.example.org`);
  await writeFile(join(dir, 'origins.json'), JSON.stringify({ origins }, null, 1));
  const repeated = (await announceJson(['validate'])).value.hints.filter(({ path = '' }: { path?: string }) =>
    path.startsWith('origins'),
  );
  expect(repeated).toHaveLength(5_000);
  expect(repeated[0]).toMatchObject({
    line: 15_003,
    message: 'https://0.example.org is already on line 3',
  });
  await writeFile(
    join(dir, 'origins.json'),
    JSON.stringify({ origins: origins.map((_, at) => `no ${at}`) }, null, 1),
  );
  const { value } = await announceJson(['validate']);
  const wrong = value.problems.filter(({ path = '' }: { path?: string }) => path.startsWith('origins'));
  expect(wrong).toHaveLength(20_000);
  expect(wrong[19_999]).toMatchObject({ line: 20_002, path: 'origins[19999]' });
});

test('validate hints at what is allowed but perhaps not intended', async () => {
  await writeFile(
    join(dir, 'history.json'),
    JSON.stringify(
      {
        announcements: [
          {
            id: 'a',
            message: 'x'.repeat(150),
            link: 'http://example.org',
            published: '2026-01-01T00:00:00Z',
            expires: '2026-01-02T00:00:00Z',
            expired_by: 'ada',
          },
        ],
      },
      null,
      2,
    ),
  );
  const { code, value } = await announceJson(['validate']);
  expect([code, value.valid]).toEqual([0, true]);
  expect(
    value.hints.map(({ line, path, message }: Record<string, unknown>) => [line, path, message]),
  ).toEqual([
    [5, 'announcements[0].message', '150 characters; over 100 few visitors read to the end'],
    [6, 'announcements[0].link', 'the link is not encrypted; write https: if that site has it'],
    [9, 'announcements[0].expired_by', '"expired_by" means nothing here; it is kept, but has no effect'],
    [undefined, undefined, 'no announcement is shown now: the badge shows only its logo'],
    [undefined, undefined, expect.stringContaining('only pages on this computer may use the badge')],
  ]);
});

test('validate names the command to use instead of an "active" that was written by hand', async () => {
  const entry = { message: 'x', published: '2026-01-01T00:00:00Z', expires: '2999-01-01T00:00:00Z' };
  const announcements = [
    { ...entry, id: 'over', expires: '2026-01-02T00:00:00Z', active: false },
    { ...entry, id: 'b', active: false },
  ];
  await writeFile(join(dir, 'history.json'), JSON.stringify({ announcements }, null, 1));
  const { value } = await announceJson(['validate']);
  expect(value.hints).toEqual([
    {
      file: join(dir, 'history.json'),
      line: 15,
      path: 'announcements[1].active',
      message: expect.stringMatching(/b is active; to end it: typebadge announce expire b;.*withdraw b/),
    },
    expect.anything(),
  ]);
});

test.each([
  ['--help', 'head -1'],
  ['--help', 'head -c 1'],
  ['announce --help', 'true'],
  ['announce list --json', 'true'],
  ['--version', 'true'],
  ['stats', 'true'],
])('typebadge %s | %s ends silently', async (args, reader) => {
  const bin = packageFile('bin', 'typebadge.js');
  const script = `"$0" "$1" ${args} | (${reader}); echo "code \${PIPESTATUS[0]}" >&3`;
  const child = spawn('bash', ['-c', script, process.execPath, bin], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdio[2], child.stdio[3]]) stream?.on('data', (text) => (said += text));
  await once(child, 'close');
  expect(said).toBe('code 0\n');
});

test.each([
  ['announce show nope', 1],
  ['announce list --limit x', 2],
  ['frobnicate', 2],
])('typebadge %s keeps its exit code if nobody reads its errors', async (args, code) => {
  const bin = packageFile('bin', 'typebadge.js');
  const script = `"$0" "$1" ${args} 2> >(exec 0<&-; true)`;
  const child = spawn('bash', ['-c', script, process.execPath, bin], { env: { ...process.env, ...env } });
  const [ended] = await once(child, 'close');
  expect(ended).toBe(code);
});

test('a closed pipe is not a failure, but output that cannot be written is', async () => {
  await announce(['publish', 'x']);
  const bin = packageFile('bin', 'typebadge.js');
  const inShell = async (script: string) => {
    const child = spawn('bash', ['-c', script, process.execPath, bin], { env: { ...process.env, ...env } });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const [code] = await once(child, 'close');
    return { code, err };
  };
  expect(await inShell('set -o pipefail; "$0" "$1" announce list | true')).toEqual({ code: 0, err: '' });
  if (existsSync('/dev/full')) {
    const full = await inShell('"$0" "$1" announce list > /dev/full');
    expect(full).toEqual({ code: 1, err: expect.stringContaining('The output could not be written') });
  }
});
