import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { atPrompt, canUseTerminal, openTerminal, type Terminal } from '../terminal/tmux.ts';

let dir: string;
let terminal: Terminal;

const clear = '\u0015';

async function openShell(columns: number, rows: number, env: Record<string, string> = {}): Promise<void> {
  terminal = await openTerminal({
    ...{ columns, rows },
    env: {
      ...{ HOME: dir, TZ: 'UTC', CI: '', NO_COLOR: '1', TYPEBADGE_PORT: '1' },
      ...{ TYPEBADGE_CONTENT: dir, TYPEBADGE_EDITOR: 'ada', ...env },
    },
  });
  const program = `'${process.execPath}' '${packageFile('bin', 'typebadge.js')}'`;
  await enter(`typebadge() { ${program} "$@"; echo "exit code $?"; }; clear`);
  await terminal.see(atPrompt);
}

async function enter(text: string): Promise<void> {
  await terminal.type(text);
  await terminal.press('Enter');
}

/** Waits for each of these, and answers it. */
async function converse(...steps: readonly (readonly [wanted: string | RegExp, answer: string])[]) {
  for (const [wanted, answer] of steps) {
    await terminal.see(wanted);
    await enter(answer);
  }
}

/** Runs a command on an empty screen. */
async function begin(command: string): Promise<void> {
  await enter('clear');
  await terminal.see(atPrompt);
  await enter(`typebadge announce ${command}`);
}

/** The same, to its end. */
async function finish(command: string): Promise<void> {
  await begin(command);
  await terminal.see(/exit code 0\s+ready>\s*$/);
}

const announcements = async () =>
  JSON.parse(await readFile(join(dir, 'history.json'), 'utf8').catch(() => '{"announcements":[]}'))
    .announcements;
const messages = async () => (await announcements()).map(({ message }: { message: string }) => message);

describe.runIf(canUseTerminal)('announcing in a real terminal', () => {
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-terminal-'));
  });
  afterEach(async () => {
    await terminal.close();
    await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  test('publish without a message asks for what it needs, names what is wrong, and publishes after a yes', async () => {
    await openShell(80, 30);
    await begin('publish');
    await converse(
      ['what visitors read', 'We have "moved"'],
      ['Link (Enter for none)', 'javascript:x'],
      ['the link starts with "javascript:"', `${clear}https://example.org/moved`],
      ['Start (Enter for now)', ''],
      ['End (Enter for +30d)', 'someday'],
      ['"someday" is not a recognised time', `${clear}2099-12-31`],
    );
    const question = await terminal.see('Publish it?');
    expect(question).toContain('│ ◆  We have "moved"  − × │');
    expect(question).toMatch(/End +2099-12-31 23:59:59 in UTC/);
    expect(await messages()).toEqual([]);
    await enter('');
    expect(await terminal.see('exit code 0')).toMatch(
      /✔ Published \d{4}-001: it is active[\s\S]*Start .*\(just now\)/,
    );
    expect(await messages()).toEqual(['We have "moved"']);
    await begin('publish --dry-run --at now --link https://example.org');
    await converse(['what visitors read', 'Only tried'], ['End', ''], ['Show what would change?', '']);
    await terminal.see('exit code 0');
    expect(await messages()).toEqual(['We have "moved"']);
  });

  test('edit --editor names the error, opens the editor again if wanted, and otherwise keeps the text', async () => {
    // Writes a severity that there is not, and the next time one that there is.
    const script = `if grep -q loud "$1"; then sed -i s/loud/critical/ "$1"; else sed -i 's/"info"/"loud"/' "$1"; fi`;
    await writeFile(join(dir, 'editor.sh'), script);
    await openShell(120, 30, { VISUAL: `sh ${join(dir, 'editor.sh')}`, TMPDIR: dir });
    await finish('publish first --id a');
    await begin('edit a --editor');
    await converse([/line \d+: severity: "loud" is not a severity[\s\S]*Open the editor again\?/, 'n']);
    const kept = await terminal.see('exit code 1');
    const [path = ''] = /\/\S+typebadge-edit-\w+\/a\.json/.exec(kept.replaceAll('\n', '')) ?? [];
    expect(await readFile(path, 'utf8')).toContain('"severity": "loud"');
    await begin('edit a');
    await converse(['Yes /', 'y']);
    await terminal.see(/✔ Changed a[\s\S]*exit code 0/);
    expect(await announcements()).toMatchObject([{ id: 'a', message: 'first', severity: 'critical' }]);
  });

  test('undo asks if somebody else made the change', async () => {
    await openShell(100, 30);
    await finish('publish first --id a --by ben');
    await begin('undo 1');
    await converse(['Change 1 was made by ben: published a. Undo it?', 'n']);
    await terminal.see(/Nothing was changed[\s\S]*exit code 1/);
    await begin('undo 1');
    await converse(['Yes /', 'y']);
    await terminal.see(/✔ Undid change 1[\s\S]*exit code 0/);
    expect(await messages()).toEqual([]);
  });

  test.each(['C-c', 'Escape'])(
    '%s leaves without publishing; what was typed stays on the screen',
    async (key) => {
      await openShell(80, 30);
      await begin('publish');
      await converse(['what visitors read', 'Nearly news']);
      await terminal.see('Link (Enter for none)');
      await terminal.press(key);
      const screen = await terminal.see('exit code 1');
      expect(screen).toContain('Nothing was published.');
      expect(screen).toContain('Nearly news');
      expect(screen).not.toContain('Error');
      expect(await messages()).toEqual([]);
    },
  );

  test('a terminal of 40 columns and 12 rows is enough', async () => {
    await openShell(40, 12);
    await begin('publish --at now --link https://example.org');
    const message = 'A message that is somewhat longer than forty columns';
    await converse(['what visitors', message], ['End', ''], ['Publish it?', '']);
    await terminal.see('exit code 0');
    expect(await messages()).toEqual([message]);
  });

  test('a token is asked for without showing it, and a wrong one is not stored', async () => {
    await openShell(80, 24);
    await enter('typebadge login http://127.0.0.1:1');
    await converse(['Your token for http://127.0.0.1:1', 'tbe_secret']);
    const screen = await terminal.see('exit code 2');
    expect(screen).toContain('is not an editor’s token');
    expect(screen).not.toContain('secret');
  });

  test('if a program or a build runs the command, nobody is asked: missing input is named', async () => {
    await openShell(80, 24, { CI: 'true' });
    await begin('publish');
    expect(await terminal.see('exit code 2')).toContain('The message is missing');
    await enter('clear; CI= typebadge announce publish --json');
    await terminal.see(/"code": "USAGE"[\s\S]*exit code 2/);
  });
});
