import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { NumberedChange } from '../../src/announcements/changes/change-log.ts';
import { fieldNames, presetOf } from '../../src/announcements/fields.ts';
import { packageFile } from '../../src/kit/package-files.ts';
import { newCommandLine, words } from './command-line.ts';

const line = newCommandLine();

function announce(args: string | readonly string[], input?: string) {
  const given = typeof args === 'string' ? words(args) : args;
  return line.run(['announce', ...given], input === undefined ? {} : { input });
}

async function announceJson(args: string | readonly string[]) {
  return line.json(['announce', ...(typeof args === 'string' ? words(args) : args)]);
}

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

test('an announcement with an early end shows that end, and no longer its original one', async () => {
  await announce('publish x --id early --expires 2999-01-01');
  const { stdout } = await announce('expire early --at +5d');
  expect(stdout).toContain('✔ Set the end of early: it is active, and ends in 5 days, in ');
  expect(stdout).toMatch(/^ {2}Ends +20\d\d-\d\d-\d\d .*\(in 5 days\), by an editor$/m);
  expect(stdout).not.toMatch(/ {2}End {2}|Ended/);
  const over = await announce('expire early');
  expect(over.stdout).toMatch(/✔ Ended early[\s\S]* {2}Ended +.*\(just now\), by an editor/);
});

test('publish, show and preview name the address of every link within a message', async () => {
  const words = ['publish', 'Log in at [bank](https://evil.example/)', '--markdown', '--id', 'inner'];
  const seen = [await announce([...words, '--translation', 'de=[Bank](https://evil.example/de)'])];
  for (const command of ['show inner', 'preview inner']) seen.push(await announce(command));
  for (const { stdout } of seen) {
    expect(stdout).toMatch(
      /^ *(Link:|In the text) +bank <https:\/\/evil.example\/>\n *\1 +de: Bank <https:.*\/de>$/m,
    );
    expect(stdout).not.toMatch(/none|no link/);
  }
});

test('marks of Markdown that would stay as typed are noted, with the option that formats them', async () => {
  const note = 'Note: The marks of Markdown are shown as typed; --markdown formats them.\n';
  expect((await announce(['publish', 'All is **well**', '--id', 'marks'])).stderr).toBe(note);
  expect((await announce('edit marks --markdown')).stderr).toBe('');
  expect((await announce(['publish', '2 * 3 * 4 is 24', '--id', 'sum'])).stderr).toBe('');
});

test('publish, edit, expire, withdraw, undo, list, show and log have a stable JSON format', async () => {
  const published = await announceJson([
    ...['publish', 'We "moved" \\o/', '--link', 'https://example.org/moved', '--expires', '2099-12-31'],
  ]);
  const first = {
    ...Object.fromEntries(fieldNames.map((name) => [name, presetOf(name)])),
    id: expect.stringMatching(/^\d{4}-001$/),
    ...{ message: 'We "moved" \\o/', link: 'https://example.org/moved' },
    ...{ published: instant, expires: '2099-12-31T23:59:59Z', state: 'active' },
    ...{ alongside: false, severity: 'info', dismissible: true },
  };
  const plain = { dryRun: false, warnings: [], content: line.dir, servers: [] };
  expect(published).toEqual({ code: 0, value: { ...plain, announcement: first, change: 1 } });
  const { id } = published.value.announcement;

  const long = 'x'.repeat(101);
  const scheduled = await announceJson(`publish ${long} --at 2098-01-01 --id later --alongside --by ben`);
  const second = {
    ...{ ...first, id: 'later', message: long, link: '', alongside: true, state: 'scheduled' },
    ...{ published: '2098-01-01T00:00:00Z', expires: '2098-01-31T00:00:00Z' },
  };
  const warnings = [expect.stringContaining('101 characters')];
  expect(scheduled.value).toEqual({ ...plain, announcement: second, change: 2, warnings });

  const edited = await announceJson(['edit', id, '--message', 'Moved', '--link', '']);
  expect(edited.value).toMatchObject({ announcement: { message: 'Moved', link: '' }, change: 3 });
  const ended = await announceJson(['expire', id]);
  expect(ended.value).toMatchObject({ announcement: { state: 'ended', expired: instant }, change: 4 });
  const withdrawn = await announceJson('withdraw later');
  expect(withdrawn.value).toMatchObject({
    announcement: { state: 'withdrawn', withdrawn: instant },
    change: 5,
  });
  const undone = await announceJson('undo');
  expect(undone).toEqual({
    code: 0,
    value: { ...plain, announcement: second, change: 6, undone: 5, by: 'ada' },
  });
  const again = await announceJson('undo 4');
  expect(again.value).toMatchObject({
    announcement: { id, state: 'active', expired: null },
    change: 7,
    undone: 4,
  });

  const active = { ...first, message: 'Moved', link: '' };
  expect(await announceJson('list')).toEqual({
    code: 0,
    value: { announcements: [active, second], current: id, total: 2 },
  });
  const log = await announceJson('log');
  const stored = { id, message: 'Moved', link: '', published: instant, expires: '2099-12-31T23:59:59Z' };
  expect(log.value.total).toBe(7);
  expect(log.value.changes[0]).toEqual({
    ...{ number: 7, at: instant, by: 'ada', action: 'undo', id, undoes: 4, undoneBy: null },
    ...{ before: { ...stored, expired: instant }, after: stored },
  });
  const said = ({ number, by, action, undoneBy }: NumberedChange) => `${number} ${by} ${action} ${undoneBy}`;
  expect(log.value.changes.map(said)).toEqual([
    ...['7 ada undo null', '6 ada undo null', '5 ada withdraw 6', '4 ada expire 7'],
    ...['3 ada edit null', '2 ben publish null', '1 ada publish null'],
  ]);
  const shown = await announceJson('show');
  expect(shown.value.announcement).toEqual(active);
  expect(shown.value.changes.map(({ number }: { number: number }) => number)).toEqual([1, 3, 4, 7]);
  expect((await announceJson('preview')).value).toEqual({ announcement: active });
});

test('a refusal has exit code 1 and a reason, as JSON if requested', async () => {
  await announce('publish first --id a');
  const before = await readFile(join(line.dir, 'history.json'), 'utf8');
  const refusals = [
    [['publish', 'x', '--id', 'a'], 'The id a is taken; every id is used once.'],
    [
      ['publish', 'x', '--expires', '2001-01-01'],
      /^The expiry 2001-01-01T23:59:59Z is in the past; write a later one, such as \+30d\.$/,
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
  expect(await readFile(join(line.dir, 'history.json'), 'utf8')).toBe(before);
  const { code, stderr } = await announce('publish x --id a');
  expect([code, stderr]).toEqual([1, 'Error: The id a is taken; every id is used once.\n']);
  const late = await announce('publish x --at 2020-01-01 --zone Europe/Berlin');
  expect(late.stderr).toBe(
    'Error: The start 2020-01-01 00:00 is in the past; leave it out to publish now.\n',
  );
});

test('a message can come from standard input, whatever it contains', async () => {
  const message = `"It's" \\n \${HOME} $(id) \`ls\` — שלום 👨‍👩‍👧‍👦`;
  expect(await announce(['publish', '-'], `${message}\n`)).toMatchObject({ code: 0 });
  expect((await announceJson('show')).value.announcement.message).toBe(message);
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
  const { code, stdout } = await announce('publish Nearly --id a --dry-run');
  expect(code).toBe(0);
  expect(stdout).toContain('nothing was changed. a would be like this; it is active:');
  expect(await readdir(line.dir)).toEqual([]);
  await announce('publish Really --id a');
  expect((await announceJson('undo --dry-run')).value).toMatchObject({
    change: null,
    undone: 1,
    announcement: null,
  });
  expect((await announceJson('log')).value.total).toBe(1);
});

test('--verbose says which content folder is used, and --content takes precedence over TYPEBADGE_CONTENT', async () => {
  const other = await mkdtemp(join(tmpdir(), 'typebadge-other-'));
  const { stderr } = await announce(['publish', 'elsewhere', '--content', other, '--verbose']);
  expect(stderr).toContain(`Content folder: ${other} (--content)`);
  expect(await readdir(line.dir)).toEqual([]);
  expect((await readdir(other)).sort()).toEqual(['changes.jsonl', 'history.json']);
  const nowhere = join(line.dir, 'nowhere');
  expect((await announce(['publish', 'first', '--content', nowhere])).stderr).toContain(
    'is new and holds a sample',
  );
  await rm(other, { recursive: true });
});

test('a misspelt name of a content folder is refused, and only a first change makes the folder', async () => {
  const nowhere = join(line.dir, 'nowhere');
  for (const command of ['announce list', 'announce validate', 'announce undo', 'editors list']) {
    const { code, stderr } = await line.run([...words(command), '--content', nowhere]);
    expect([command, code]).toEqual([command, 1]);
    expect(stderr).toMatch(/nowhere .*does not exist\. /);
  }
  const tried = await announce(['publish', 'x', '--dry-run', '--content', nowhere]);
  expect([tried.code, tried.stdout]).toEqual([0, expect.stringContaining('nothing was changed')]);
  expect(await readdir(line.dir)).toEqual([]);
});

test('validate names each problem with file and line, and has exit code 1', async () => {
  await writeFile(
    join(line.dir, 'history.json'),
    '{"announcements": [\n{"id": "a", "message": "x", "link": "ftp://x",\n"published": "2026-01-01T00:00:00Z", "expires": "soon"}\n]}',
  );
  await writeFile(join(line.dir, 'origins.json'), '{"origins": [\n"https://example.org",\n"example.com"\n]}');
  const { code, value } = await announceJson('validate');
  expect(code).toBe(1);
  expect(value).toEqual({
    valid: false,
    hints: [],
    content: line.dir,
    problems: [
      {
        file: join(line.dir, 'history.json'),
        line: 2,
        path: 'announcements[0].link',
        message: expect.stringContaining('"ftp:"'),
      },
      {
        file: join(line.dir, 'history.json'),
        line: 3,
        path: 'announcements[0].expires',
        message: expect.stringContaining('"soon" is not a time'),
      },
      {
        file: join(line.dir, 'origins.json'),
        line: 3,
        path: 'origins[1]',
        message: expect.stringContaining('"example.com" is not an origin'),
      },
    ],
  });
  const broken = await announce('publish x');
  expect(broken).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('history.json:2: announcements[0].link: the link starts with "ftp:"'),
  });
});

/** What a script prints to standard error, in which `typebadge` runs the program. */
async function inShell(script: string) {
  const program = `typebadge() { '${process.execPath}' '${packageFile('bin', 'typebadge.js')}' "$@"; }`;
  const child = spawn('bash', ['-c', `${program}; ${script}`], { env: { ...process.env, ...line.env } });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = await once(child, 'close');
  return { code, err };
}

test.each([
  ['--help', 'head -c 1'],
  ['announce list --json', 'true'],
])('typebadge %s | %s ends silently', async (args, reader) => {
  const { err } = await inShell(`typebadge ${args} | ${reader}; echo "code \${PIPESTATUS[0]}" >&2`);
  expect(err).toBe('code 0\n');
});

test.skipIf(!existsSync('/dev/full'))('output that cannot be written is a failure', async () => {
  await announce('publish x');
  const full = await inShell('typebadge announce list > /dev/full');
  expect(full).toEqual({ code: 1, err: expect.stringContaining('The output could not be written') });
});
