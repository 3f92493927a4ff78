import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlayCommand } from '../../src/cli/commands/play/play-command.ts';
import { modeOf, type PracticeFlags, practiceOptions } from '../../src/cli/commands/play/practice-flags.ts';
import { Invocation, newProcessIo } from '../../src/cli/program/command-io.ts';
import { findId } from '../../src/cli/typist/practice-names.ts';
import { packageFile } from '../../src/kit/package-files.ts';
import { themeNames } from '../../src/tui/look/themes.ts';
import { defaultOptions } from '../../src/tui/record/options.ts';
import { newState, sessionSetup } from '../../src/tui/state/state.ts';
import { modeTypes } from '../../src/typing/modes/mode.ts';
import { runHere } from '../support/typebadge-here.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'typebadge-flags-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

/** The mode that a server is asked for. */
function asked(...args: string[]): unknown {
  const command = createPlayCommand(new Invocation(newProcessIo())).exitOverride();
  command.parseOptions(args);
  const mode = modeOf(command.opts<PracticeFlags>());
  return sessionSetup(newState({ ...defaultOptions, ...(mode && { mode }) })).mode;
}

test.each([
  [['--words', '30'], { type: 'words', count: 30 }],
  [['--numbers'], { type: 'words', count: 30, numbers: true }],
  [['--words', '50', '--numbers'], { type: 'words', count: 50, numbers: true }],
  [['--guided'], { type: 'guided' }],
  [['--target-wpm', '50'], { type: 'guided', target_wpm: 50 }],
  [['--drill', 'letters'], { type: 'drill', on: 'letters' }],
  [['--drill', 'letters=bjb'], { type: 'drill', on: 'letters', targets: ['b', 'j'] }],
  [['--drill', 'letters=b,j'], { type: 'drill', on: 'letters', targets: ['b', 'j'] }],
  [['--drill', 'bigrams=th,he'], { type: 'drill', on: 'bigrams', targets: ['th', 'he'] }],
])('play %s asks for %j', (args, mode) => {
  expect(asked(...args)).toEqual(mode);
});

test.each(['letters=', 'letters=1', 'letters=abcdefghijk', 'bigrams=t', 'bigrams=the', 'words=a', 'weak'])(
  '--drill %s is refused with what would be right',
  (given) => {
    expect(() => asked('--drill', given)).toThrow('such as letters=bj or bigrams=th,he');
  },
);

test('the page of play names every flag, and the page of the API every mode', () => {
  const page = (name: string) => readFileSync(packageFile('docs', name), 'utf8');
  expect(practiceOptions().filter(({ long }) => !page('playing.md').includes(`${long}`))).toEqual([]);
  expect(modeTypes.filter((type) => !page('typing-api.md').includes(`{"type":"${type}"`))).toEqual([]);
});

const run = (...args: string[]) =>
  runHere(['play', ...args], { env: { XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir, TZ: 'UTC' } });

test.each([
  ['--time 30 --numbers', 'cannot be used with'],
  ['--words 30 --target-wpm 40', 'cannot be used with'],
  ['--target-wpm 9', '10 to 200'],
  ['--words 5', 'It takes 10 to 200, such as --words 50.'],
  ['--quote huge', 'short, medium, long or any'],
  ['--advance tab', 'It takes space, enter or either.'],
  ['--theme neon', `It takes ${themeNames.join(', ')}, or a JSON file`],
  ['--theme no-such.json', '"no-such.json" cannot be read: there is no such file'],
  ['--stop-on word --no-backspace', '--stop-on word needs Backspace'],
  ['--language germen', '--language "germen" is not known; "typebadge play --language list" shows all'],
  ['--layout dvork', '--layout "dvork" is not known'],
  ['--code typscript', '--code "typscript" is not known'],
  ['--server ftp://typing.example.org', 'Give the address of a server, such as https://'],
  ['--server https://user:secret@typing.example.org', 'Give the address of a server, such as https://'],
  ['-port 99999', 'A port is a whole number from 0 to 65535.'],
  ['--drill letters=ß', 'No English word has ß'],
  ['. --guided', 'leave the other mode out'],
  ['no-such-folder/', 'types a text file, a folder'],
  ['constructor', 'there is no file "constructor".\n'],
  ['a\u001b[2J', 'there is no file "a\\u001b[2J".'],
  ['a b', 'too many arguments'],
  ['--layuot dvorak', 'Did you mean --layout?'],
  ['--xyzzy', "unknown option '--xyzzy'"],
  ['--offline -p 8787', '--offline uses no server, and --port names one: leave one of them out.'],
])('"play %s" is wrong usage, and answered with what works', async (line, message) => {
  const { code, stderr } = await run(...line.split(' '));
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test('languages, layouts and code languages are listed by their ids and names', async () => {
  const { code, stdout } = await run('--language', 'list', '--layout', 'list', '--code', 'list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^de +German +Deutsch$/m);
  expect(stdout).toMatch(/^colemak-dh +Colemak-DH$/im);
  expect(stdout).toMatch(/^typescript +ts$/m);
});

test('a file may be given without a flag, but not together with another mode', async () => {
  const file = join(dir, 'text.txt');
  writeFileSync(file, 'some words');
  expect((await run(file)).stderr).toContain('Play needs a terminal');
  expect(await run(file, '--time', '15')).toMatchObject({ code: 2 });
});

test('languages, layouts and code are also recognised by name', () => {
  expect(['PY', 'shell'].map((name) => findId('code', name))).toEqual(['python', 'bash']);
  expect(['german', 'Deutsch', 'de', 'FRANÇAIS'].map((name) => findId('language', name))).toEqual([
    'de',
    'de',
    'de',
    'fr',
  ]);
  expect(['Dvorak', 'colemak dh'].map((name) => findId('layout', name))).toEqual(['dvorak', 'colemak-dh']);
});
