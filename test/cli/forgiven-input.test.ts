import { expect, test } from 'vitest';
import { newCommandLine } from './command-line.ts';

const { run: runLine } = newCommandLine({}, { forAll: true });
const run = (...args: string[]) => runLine(args);

test('an origin with the trailing slash of address bars is accepted', async () => {
  const { code, stdout } = await run('origins', 'add', 'https://news.example.org/');
  expect(stdout).toContain('https://news.example.org may use the badge now');
  expect(code).toBe(0);
});

test.each([
  ['announce publish x --sevrity critical', 'Did you mean --severity?'],
  ['announce pubish x', 'Did you mean publish?'],
])('"typebadge %s" is answered with what works', async (line, hint) => {
  const { code, stdout, stderr } = await run(...line.split(' '));
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(hint)]);
});

test.each([
  ['delete', 'withdraw', 'withdrawn'],
  ['remove', 'withdraw', 'withdrawn'],
  ['stop', 'expire', 'ended'],
  ['end', 'expire', 'ended'],
  ['update', 'edit', 'active'],
])('announce %s says that it runs announce %s, and does', async (given, meant, state) => {
  const id = `of-${given}`;
  await run('announce', 'publish', 'We have moved', '--id', id);
  const change = given === 'update' ? ['--message', 'We moved'] : [];
  const { code, stderr } = await run('announce', given, id, ...change);
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining(`"announce ${given}" runs "announce ${meant}"`),
  ]);
  const { stdout } = await run('announce', 'show', id, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ announcement: { id, state } });
});

test.each([
  [['play', '--stop-on', 'letters'], 'none, letter or word'],
  [['play', '--drill', 'bigram'], 'bigrams'],
])('%j: the answer names what the option takes', async (args, hint) => {
  const { code, stderr } = await run(...args);
  expect(stderr).toContain(hint);
  expect(code).toBe(2);
});
