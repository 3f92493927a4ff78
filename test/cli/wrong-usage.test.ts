import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newCommandLine, words } from './command-line.ts';

const line = newCommandLine();

/** Runs a wrong command line: nothing is printed but the error, and nothing is written. */
async function refusalOf(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await line.run(args, { env });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).not.toMatch(/at .*\.js:\d+/);
  expect(await readdir(line.dir)).toEqual([]);
  return stderr.replaceAll('\n', ' ').toLowerCase();
}

describe('wrong usage has exit code 2, names the error, and writes nothing', () => {
  const long = 'x'.repeat(41);
  test.each([
    ['publish', 'The message is missing'],
    ['publish We have moved', 'put it in quotes: "We have moved"'],
    ['publish x --link "javascript:alert(1)"', 'only http: and https: are allowed'],
    ['publish x --expires soon', '--expires: "soon" is not a recognised time'],
    ['publish x --at never', '--at: "never" is not a recognised time'],
    ['publish x --zone Berlin', 'there is no time zone "Berlin"'],
    ['publish x --by ""', '1 to 100 characters'],
    ['publish x --bogus', "unknown option '--bogus'"],
    ['publish x --severity urgent', '"urgent" is not a severity; write info, success, warning or critical'],
    ['publish x --link-label More', '--link-label needs --link'],
    ['publish x --site example.org', 'is not an origin'],
    ['publish x --path docs', '--path: "docs" is not a path; write it like /docs/*, from the first /'],
    ['publish x --translation de=x --translated-link de=ftp://x', '--translated-link de: the link'],
    [`publish x --translation de=x --translated-link-label de=${long}`, '--translated-link-label de: '],
    ['publish x --translation Hallo=x', '"Hallo" is not a language'],
    ['publish x --translated-link de=https://a.example', '--translation de: the message is missing'],
    ['edit', 'The id of the announcement is missing'],
    ['edit x', 'there is nothing to change'],
    ['edit 2026-001 We have moved', 'too many arguments'],
    ['expire', 'The id of the announcement is missing'],
    ['withdraw', 'The id of the announcement is missing'],
    ['undo last', '"last" is not a change number'],
    ['list --limit 0', '--limit takes a whole number'],
    ['list --state gone', '--state takes active, scheduled or past'],
    ['list --all --limit 3', 'not both'],
    ['list --store redis://:secret@127.0.0.1:1', 'TYPEBADGE_STORE_PASSWORD'],
    ['list --store redis://127.0.0.1 --content .', 'not both'],
    ['list --store-prefix x', 'goes with --store'],
    ['list --store redis://127.0.0.1 --store-prefix *', 'A prefix is'],
    ['list --server https://x.example --content /tmp', 'not both'],
    ['list --server https://user:secret@x.example', 'a scheme and a host'],
    ['list --server http://192.0.2.1', 'use https://192.0.2.1'],
    ['stats --days x', '--days takes a whole number'],
    ['preview --site shop.example', 'write one like https://www.example.org'],
    ['preview --path docs', 'write one like /docs/start'],
    ['preview docs --lang de', 'leave out the id'],
    ['preview --at someday', '--at: "someday" is not a recognised time'],
    ['preview --at 2020-01-01', '--at: 2020-01-01 is in the past'],
    ['export', "missing required argument 'folder'"],
    ['export out --brand "Not A Brand"', 'A brand is'],
    ['frobnicate', "unknown command 'frobnicate'"],
  ])('announce %s', async (args, reason) => {
    const said = await refusalOf(['announce', ...words(args)]);
    expect(said).toContain(reason.toLowerCase());
    expect(said).not.toContain('secret');
  });

  test.each([
    ['--port abc', /--port.*'abc'.*0 to 65535/],
    ['-port -1', /0 to 65535/],
    ['--host [localhost]', /--host.*such as 127\.0\.0\.1/],
    ['--brand "Acme Inc"', /brand.*a-z/],
    ['--allow-origin example.org', /"example\.org" is not an origin/],
    ['--allow-host "a b/c"', /"b\/c" is not a host name/],
    ['--trust-proxy 10.0.0.0/99', /10\.0\.0\.0\/99/],
    ['--api-limit 5', /rate:burst/],
    ['--log loud', /pretty, json or off/],
    ['--session-ttl 24', /24h/],
    ['--max-sessions 0', /whole number/],
    ['--round-quota 512K', /at least 1mib/],
    ['--seed x', /seed/],
    ['--prot 1', /unknown option '--prot'.*did you mean --port/],
    ['now', /too many arguments/],
    ['--store redis://:secret@127.0.0.1:1', /typebadge_store_password/],
    ['--store http://127.0.0.1', /redis:\/\/host:port/],
  ])('serve %s', async (args, message) => {
    expect(await refusalOf(['serve', ...words(args)])).toMatch(message);
  });

  test('serve with a wrong variable', async () => {
    expect(await refusalOf(['serve'], { TYPEBADGE_PORT: 'x' })).toMatch(/typebadge_port.*0 to 65535/);
  });
});

test('what contradicts --json is wrong usage, as JSON', async () => {
  expect(await line.json('announce publish')).toMatchObject({ code: 2, value: { code: 'USAGE' } });
});

test('all errors of an announcement are named at once', async () => {
  const said = await refusalOf([
    'announce',
    'publish',
    'a\tb',
    ...words('--link ftp://x --at x --expires y'),
  ]);
  for (const reason of ['control character (u+0009)', '"ftp:"', '--at: "x"', '--expires: "y"'])
    expect(said).toContain(reason);
});

test.each([
  [`add ${'x'.repeat(101)}`, 2, 'must be 1 to 100 characters'],
  ['add "two\nlines"', 2, 'on one line'],
  ['add ANNA', 1, 'there is an editor anna already'],
  ['add ben --expires 2001-01-01', 2, '2001-01-01 is already in the past'],
  ['add ben --expires whenever', 2, 'not a recognised time'],
  ['add ben --server https://x.example', 2, 'unknown option'],
  ['remove nobody', 1, 'there is no editor nobody'],
])('editors %s is refused', async (args, code, problem) => {
  await line.run('editors add anna');
  const result = await line.run(`editors ${args}`);
  expect([result.code, result.stderr.toLowerCase()]).toEqual([code, expect.stringContaining(problem)]);
});

test('a broken editors.json is named, and not overwritten', async () => {
  await writeFile(join(line.dir, 'editors.json'), '{"version":2}');
  const result = await line.run('editors add anna');
  expect([result.code, result.stderr]).toEqual([1, expect.stringContaining('reads version 1 only')]);
  expect(await line.read('editors.json')).toEqual({ version: 2 });
});
