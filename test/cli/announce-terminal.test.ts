import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { canUseTerminal } from '../terminal/tmux.ts';

const run = promisify(execFile);

/** A real terminal, in a tmux server of its own. */
interface Terminal {
  keys(...keys: string[]): Promise<void>;
  screen(): Promise<string>;
  /** Waits until the screen holds a text; a test that waits in vain fails by its time limit. */
  until(text: string | RegExp): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  close(): Promise<void>;
}

let dir: string;
let terminal: Terminal;

async function openTerminal(
  columns: number,
  rows: number,
  env: Record<string, string> = {},
): Promise<Terminal> {
  const socket = join(dir, 'tmux');
  const tmux = (...args: string[]) => run('tmux', ['-S', socket, '-f', '/dev/null', ...args]);
  const bin = packageFile('bin', 'typebadge.js');
  const variables = {
    PATH: process.env.PATH ?? '',
    HOME: dir,
    TERM: 'tmux-256color',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TYPEBADGE_CONTENT: dir,
    TYPEBADGE_EDITOR: 'ada',
    TYPEBADGE_PORT: '1',
    PS1: 'ready> ',
    HISTFILE: '',
    ...env,
  };
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  await tmux(
    'new-session',
    '-d',
    '-x',
    String(columns),
    '-y',
    String(rows),
    'env',
    '-i',
    ...settings,
    'bash',
    '--norc',
    '--noprofile',
  );
  await tmux('set', '-g', 'status', 'off');
  const screen = async () => (await tmux('capture-pane', '-p')).stdout;
  const opened: Terminal = {
    keys: async (...keys) => {
      for (const key of keys) await tmux('send-keys', '--', key);
    },
    screen,
    async until(text) {
      for (;;) {
        const now = await screen();
        if (typeof text === 'string' ? now.includes(text) : text.test(now)) return now;
        await sleep(50);
      }
    },
    async resize(newColumns, newRows) {
      await tmux('resize-window', '-x', String(newColumns), '-y', String(newRows));
    },
    async close() {
      await tmux('kill-server');
    },
  };
  await opened.until('ready>');
  await opened.keys(
    `typebadge() { '${process.execPath}' '${bin}' "$@"; echo "exit code $?"; }; clear`,
    'Enter',
  );
  await opened.until(/^ready>\s*$/);
  return opened;
}

async function readMessages(): Promise<string[]> {
  const text = await readFile(join(dir, 'history.json'), 'utf8').catch(() => '{"announcements":[]}');
  return JSON.parse(text).announcements.map(({ message }: { message: string }) => message);
}

describe.runIf(canUseTerminal)('announcing in a real terminal', () => {
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-terminal-'));
  });
  afterEach(async () => {
    await terminal.close();
    await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  test('publish without a message asks for everything, previews it while you type, and publishes after a yes', async () => {
    terminal = await openTerminal(80, 24);
    await terminal.keys('typebadge announce publish', 'Enter');
    await terminal.until('what visitors read');
    await terminal.keys('We have "moved"');
    expect(await terminal.until('│ ◆  We have "moved"  − × │')).toContain('15 of 280 characters');
    await terminal.keys('Tab', 'javascript:x');
    await terminal.until('! the link starts with "javascript:"');
    await terminal.keys('C-u', 'https://example.org/moved', 'Enter');
    await terminal.until('a click on the badge leads there');
    await terminal.keys('Enter');
    await terminal.until('› Expiry');
    await terminal.keys('2020-01-01');
    await terminal.until('that is already over');
    await terminal.keys('C-u', '2099-12-31', 'Enter');
    await terminal.until('Space asks for these too; Enter goes on without');
    await terminal.keys('Enter');
    const question = await terminal.until('Publish it?');
    expect(question).toContain('Until     2099-12-31 23:59:59 in UTC');
    expect(await readMessages()).toEqual([]);
    await terminal.keys('y');
    expect(await terminal.until('exit code 0')).toMatch(/✔ Published \d{4}-001: it is active\./);
    expect(await readMessages()).toEqual(['We have "moved"']);
  });

  test('the form has all other fields behind one line; they can be published, shown and edited again', async () => {
    terminal = await openTerminal(90, 30, { NO_COLOR: '1' });
    await terminal.keys('typebadge announce publish --link https://example.org/status', 'Enter');
    await terminal.until('what visitors read');
    await terminal.keys('The docs are down', 'Up', 'Space');
    await terminal.until(/› Severity +‹info›/);
    await terminal.keys('c', 'Down', 'n');
    // The drawing follows: the word, and no button that closes it.
    await terminal.until('│ ◆  critical · The docs are down  − │');
    await terminal.keys('Down', 'Status', 'Down', 'de');
    await terminal.until('Message de');
    await terminal.keys('Down', 'Die Doku ist weg', 'Down', 'Down');
    await terminal.until('› Link label de');
    await terminal.keys('Zum Stand');
    await terminal.until('│    Zum Stand');
    await terminal.keys('Down', 'shop.example.org');
    await terminal.until('! "shop.example.org" is not an origin');
    await terminal.keys(
      'C-u',
      'https://shop.example.org',
      'Down',
      '/docs/* /pricing',
      'Down',
      'y',
      'Down',
      'docs-down',
    );
    await terminal.until(/› Id +docs-down/);
    await terminal.keys('Enter');
    const question = await terminal.until('Publish it?');
    for (const part of ['Severity', 'critical', 'Message de', 'Die Doku ist weg', '/docs/* /pricing'])
      expect(question).toContain(part);
    await terminal.keys('y');
    await terminal.until('exit code 0');
    const { announcements } = JSON.parse(await readFile(join(dir, 'history.json'), 'utf8'));
    expect(announcements).toMatchObject([
      {
        id: 'docs-down',
        message: 'The docs are down',
        link: 'https://example.org/status',
        severity: 'critical',
        dismissible: false,
        linkLabel: 'Status',
        alongside: true,
        translations: { de: { message: 'Die Doku ist weg', linkLabel: 'Zum Stand' } },
        audience: { sites: ['https://shop.example.org'], paths: ['/docs/*', '/pricing'] },
      },
    ]);
    await terminal.keys('clear; typebadge announce edit docs-down', 'Enter');
    await terminal.until(/More +Severity: critical · Closable: no/);
    await terminal.keys('Up', 'Space');
    await terminal.until(/› Severity/);
    await terminal.keys('i', 'Down', 'Down', 'Down', 'C-u', 'fr');
    await terminal.until('Message fr');
    await terminal.keys('Down', 'Plus de docs', 'Escape');
    await terminal.until(/› More/);
    await terminal.keys('Enter');
    await terminal.until('Change it?');
    await terminal.keys('y');
    await terminal.until(/✔ Changed docs-down[\s\S]*exit code 0/);
    const { announcements: after } = JSON.parse(await readFile(join(dir, 'history.json'), 'utf8'));
    const { severity: _, ...unchanged } = announcements[0];
    expect(after).toEqual([{ ...unchanged, translations: { fr: { message: 'Plus de docs' } } }]);
  });

  test('if the form is left or the announcement refused, the input is printed as a command', async () => {
    terminal = await openTerminal(200, 30, { NO_COLOR: '1' });
    await terminal.keys('typebadge announce publish taken --id taken; clear', 'Enter');
    await terminal.until(/^ready>\s*$/);
    await terminal.keys(
      `typebadge announce publish --link-label More --path /docs --content '${dir}' --by 'Jo Li'`,
      'Enter',
    );
    await terminal.until('what visitors read');
    await terminal.keys("It's news", 'Up', 'Space', 'w', 'Up', 'Up', 'Up', 'Up', 'Up');
    await terminal.until(/› Id/);
    await terminal.keys('taken', 'Enter');
    await terminal.until('Publish it?');
    await terminal.keys('y');
    const screen = await terminal.until('exit code 1');
    expect(screen).toContain('The id taken is taken; every id is used once; what you typed, as a command:');
    const command = `typebadge announce publish 'It'\\''s news' --severity warning --link-label More --path /docs --id taken --content ${dir} --by 'Jo Li'`;
    expect(screen.replaceAll('\n', '')).toContain(command);
    expect(await readMessages()).toEqual(['taken']);
  });

  test('the command of a form that was left is one line that publishes to the same place when pasted', async () => {
    const elsewhere = join(dir, 'other news');
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'history.json'), '{"announcements":[]}');
    terminal = await openTerminal(60, 30, { NO_COLOR: '1' });
    await terminal.keys(
      `typebadge announce publish --link https://example.org --content '${elsewhere}' 2> '${dir}/said'`,
      'Enter',
    );
    await terminal.until('what visitors read');
    await terminal.keys("-- it's news", 'C-c');
    await terminal.until('exit code 1');
    const [said, command = ''] = (await readFile(join(dir, 'said'), 'utf8')).split('\n');
    expect(said).toBe('Nothing was published; what you typed, as a command:');
    await terminal.keys(`clear; ${command}`, 'Enter');
    await terminal.until(/✔ Published[\s\S]*exit code 0/);
    const { announcements } = JSON.parse(await readFile(join(elsewhere, 'history.json'), 'utf8'));
    expect(announcements).toMatchObject([{ message: "-- it's news", link: 'https://example.org' }]);
    expect(await readMessages()).toEqual([]);
  });

  test('edit --editor names the error, opens the editor again if wanted, and otherwise keeps the text', async () => {
    // Writes a severity that there is not, and the next time one that there is.
    const script = `if grep -q loud "$1"; then sed -i s/loud/critical/ "$1"; else sed -i 's/^Severity.*/Severity: loud/' "$1"; fi`;
    await writeFile(join(dir, 'editor.sh'), script);
    terminal = await openTerminal(120, 30, {
      NO_COLOR: '1',
      VISUAL: `sh ${join(dir, 'editor.sh')}`,
      TMPDIR: dir,
    });
    await terminal.keys('typebadge announce publish first --id a; clear', 'Enter');
    await terminal.until(/^ready>\s*$/);
    await terminal.keys('typebadge announce edit a --editor', 'Enter');
    await terminal.until(/line \d+: Severity: "loud" is none of[\s\S]*Open the editor again\? \(y\/n\)/);
    await terminal.keys('n', 'Enter');
    const kept = await terminal.until('exit code 1');
    const [path = ''] = /\/\S+typebadge-edit-\w+\/a\.txt/.exec(kept.replaceAll('\n', '')) ?? [];
    expect(await readFile(path, 'utf8')).toContain('Severity: loud');
    await terminal.keys('clear; typebadge announce edit a --editor', 'Enter');
    await terminal.until('(y/n)');
    await terminal.keys('y', 'Enter');
    await terminal.until(/✔ Changed a[\s\S]*exit code 0/);
    const { announcements } = JSON.parse(await readFile(join(dir, 'history.json'), 'utf8'));
    expect(announcements).toMatchObject([{ id: 'a', message: 'first', severity: 'critical' }]);
  });

  test('edit without an id shows a list and the chosen announcement, and after a yes changes only what was edited', async () => {
    terminal = await openTerminal(100, 30, { NO_COLOR: '1' });
    await terminal.keys(
      'typebadge announce publish first --id a --expires 2099-01-01; typebadge announce publish second --id b; printf %s-%s both out',
      'Enter',
    );
    await terminal.until('both-out');
    await terminal.keys('typebadge announce edit', 'Enter');
    await terminal.until('Which announcement to change?');
    await terminal.keys('Down', 'Enter');
    expect(await terminal.until('Change a')).toContain('2099-01-01 23:59:59');
    await terminal.keys(' one', 'Enter', 'Enter', 'Enter', 'Enter');
    await terminal.until('Change it?');
    await terminal.keys('y');
    await terminal.until(/✔ Changed a[\s\S]*exit code 0/);
    expect(await readMessages()).toEqual(['first one', 'second']);
    const { changes } = JSON.parse(await readFile(join(dir, 'history.json'), 'utf8'));
    expect(changes.at(-1)).toMatchObject({ action: 'edit', by: 'ada' });
    expect(changes.at(-1).after).toEqual({ ...changes.at(-1).before, message: 'first one' });
  });

  test('expire and withdraw show a list, and undo asks if somebody else made the change', async () => {
    terminal = await openTerminal(100, 30, { NO_COLOR: '1' });
    await terminal.keys(
      'typebadge announce publish first --id a --by ben; typebadge announce publish second --id b; printf %s-%s both out; clear',
      'Enter',
    );
    await terminal.until(/^ready>\s*$/);
    await terminal.keys('typebadge announce expire', 'Enter');
    await terminal.until('Which announcement to end?');
    await terminal.keys('Enter');
    await terminal.until(/✔ Ended b[\s\S]*exit code 0/);
    await terminal.keys('clear', 'Enter');
    await terminal.until(/^ready>\s*$/);
    await terminal.keys('typebadge announce withdraw', 'Enter');
    await terminal.until('Which announcement to withdraw?');
    await terminal.keys('Escape');
    expect(await terminal.until(/Nothing was changed\.\s*exit code 1/)).not.toContain('Error');
    await terminal.keys('clear; typebadge announce undo 1', 'Enter');
    await terminal.until('Change 1 was made by ben: published a. Undo it? (y/n)');
    await terminal.keys('n', 'Enter');
    await terminal.until(/Nothing was changed[\s\S]*exit code 1/);
    await terminal.keys('clear; typebadge announce undo 1', 'Enter');
    await terminal.until('(y/n)');
    await terminal.keys('y', 'Enter');
    await terminal.until(/✔ Undid change 1[\s\S]*exit code 0/);
    expect(await readMessages()).toEqual(['second']);
  });

  test('Ctrl+C leaves without publishing, and prints the input', async () => {
    terminal = await openTerminal(80, 24);
    await terminal.keys('typebadge announce publish', 'Enter');
    await terminal.until('what visitors read');
    await terminal.keys('Nearly news');
    await terminal.until('│ ◆  Nearly news');
    await terminal.keys('C-c');
    const screen = await terminal.until('exit code 1');
    expect(screen).toContain('Nothing was published; the message was: “Nearly news”.');
    expect(screen).not.toContain('│ ◆');
    expect(await readMessages()).toEqual([]);
  });

  test('the form follows the terminal from large to tiny and back', async () => {
    terminal = await openTerminal(200, 60);
    await terminal.keys('typebadge announce publish', 'Enter');
    await terminal.until('what visitors read');
    await terminal.keys('A message that is somewhat longer than forty columns');
    await terminal.until('52 of 280 characters');
    await terminal.resize(40, 8);
    await terminal.until(/longer than forty columns\s/);
    expect((await terminal.screen()).split('\n').every((line) => line.length <= 40)).toBe(true);
    await terminal.resize(80, 24);
    await terminal.until('Publish an announcement');
    await terminal.keys('Enter', 'Enter', 'Enter', 'Enter', 'Enter');
    await terminal.until('Publish it?');
    await terminal.keys('n');
    await terminal.until('› More');
    await terminal.keys('C-c');
    await terminal.until('exit code 1');
  });

  test('if a program or a build runs the command, nobody is asked: missing input is named', async () => {
    terminal = await openTerminal(80, 24, { CI: 'true' });
    await terminal.keys('typebadge announce publish', 'Enter');
    expect(await terminal.until('exit code 2')).toContain('The message is missing');
    await terminal.keys('clear; CI= typebadge announce publish --json', 'Enter');
    await terminal.until(/"code": "USAGE"[\s\S]*exit code 2/);
  });
});
