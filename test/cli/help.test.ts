import { expect, test } from 'vitest';
import { runHere } from '../support/typebadge-here.ts';

test.each([[[]], [['help']], [['--help']], [['-h']], [['-help']]])(
  'typebadge %j prints its help to standard output, and that is no error',
  async (args) => {
    const { code, stdout, stderr } = await runHere(args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: typebadge /);
  },
);

test('common commands come first, each command is under one heading, and internal ones are not shown', async () => {
  const { stdout } = await runHere([]);
  const [first = '', ...others] = stdout.split(/^[A-Z].*:\n(?= {2}[a-z])/m).slice(1);
  const namesIn = (text: string) => [...text.matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, name]) => name);
  expect(namesIn(first)).toEqual(expect.arrayContaining(['serve', 'announce', 'play']));
  const all = [first, ...others].flatMap(namesIn);
  expect(all).toEqual(expect.arrayContaining(['login', 'doctor', 'completion']));
  expect(new Set(all).size).toBe(all.length);
  expect(stdout).not.toContain('__complete');
});

test.each([['serve'], ['announce'], ['announce publish'], ['store import'], ['play']])(
  'help %s is %s --help',
  async (path) => {
    const words = path.split(' ');
    const [asked, given] = await Promise.all([runHere(['help', ...words]), runHere([...words, '--help'])]);
    expect(asked).toEqual(given);
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining(`Usage: typebadge ${path} `) });
  },
);

test('the help of every command fits into 80 columns, examples included', async () => {
  const namesIn = (help: string) =>
    [...help.matchAll(/^ {2}([a-z]+) (?=.* {2})/gm)].map(([, name]) => name ?? '');
  const { stdout } = await runHere([]);
  const helps = [stdout];
  for (const name of namesIn(stdout)) {
    const { stdout: help } = await runHere(['help', name]);
    const below = ['announce', 'origins', 'editors', 'store'].includes(name) ? namesIn(help) : [];
    const ofBelow = await Promise.all(below.map((child) => runHere([name, child, '--help'])));
    helps.push(help, ...ofBelow.map((done) => done.stdout));
  }
  expect(helps.length).toBeGreaterThan(30);
  expect(helps.flatMap((help) => help.split('\n')).filter((line) => line.length > 80)).toEqual([]);
});

test.each([['announce'], ['origins'], ['editors'], ['store']])(
  '%s without a command prints its help, and that is no error',
  async (name) => {
    const { code, stdout } = await runHere([name]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(`^Usage: typebadge ${name} `)]);
  },
);

test.each([[['help', 'nonsense']], [['help', 'announce', 'nonsense']], [['nonsense']]])(
  '%j is wrong usage',
  async (args) => {
    const { code, stdout, stderr } = await runHere(args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining("unknown command 'nonsense'")]);
  },
);
