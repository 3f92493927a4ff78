import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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

  test('publish without a message asks for what it needs, names what is wrong, and publishes after a yes', async () => {
    terminal = await openTerminal(80, 30);
    await terminal.keys('typebadge announce publish', 'Enter');
    await terminal.until('what visitors read');
    await terminal.keys('We have "moved"', 'Enter');
    await terminal.until(/Link: none/);
    await terminal.keys('javascript:x', 'Enter');
    await terminal.until('the link starts with "javascript:"');
    await terminal.keys('C-u', 'https://example.org/moved', 'Enter');
    await terminal.until(/Start: /);
    await terminal.keys('Enter');
    await terminal.until(/End: /);
    await terminal.keys('2020-01-01', 'Enter');
    await terminal.until('that is already over');
    await terminal.keys('C-u', '2099-12-31', 'Enter');
    const question = await terminal.until('Publish it?');
    expect(question).toContain('│ ◆  We have "moved"  − × │');
    expect(question).toMatch(/End +2099-12-31 23:59:59 in UTC/);
    expect(await readMessages()).toEqual([]);
    await terminal.keys('Enter');
    expect(await terminal.until('exit code 0')).toMatch(/✔ Published \d{4}-001: it is active/);
    expect(await readMessages()).toEqual(['We have "moved"']);
  });

  test('all other fields can be chosen before it is published, and edited again', async () => {
    terminal = await openTerminal(90, 50, { NO_COLOR: '1' });
    const choose = async (label: string) => {
      for (let turn = 0; turn < 20; turn += 1) {
        if (new RegExp(`● ${label}: `).test(await terminal.screen())) break;
        await terminal.keys('Down');
        await sleep(100);
      }
      await terminal.keys('Enter');
      await terminal.until(new RegExp(`◆ +${label}: `));
    };
    const answer = async (label: string, ...keys: string[]) => {
      await choose(label);
      await terminal.keys(...keys, 'Enter');
      await terminal.until(/◆ +(?:Publish|Change) it\?/);
    };
    await terminal.keys('typebadge announce publish --link https://example.org/status', 'Enter');
    await terminal.until('what visitors read');
    await terminal.keys('The docs are down', 'Enter');
    await terminal.until(/◆ +Start: /);
    await terminal.keys('Enter');
    await terminal.until(/◆ +End: /);
    await terminal.keys('Enter');
    await terminal.until(/◆ +Publish it\?/);
    await answer('Severity', 'Down', 'Down', 'Down');
    await answer('Dismissible', 'Down');
    await answer('Link label', 'Status');
    await answer('Languages', 'de');
    await answer('Message de', 'Die Doku ist weg');
    await answer('Sites', 'https://shop.example.org');
    await answer('Pages', '/docs/* /pricing');
    await answer('Id', 'docs-down');
    const question = await terminal.screen();
    expect(question).toContain('│ ◆  critical · The docs are down  − │');
    expect(question).toMatch(/Message de +Die Doku ist weg/);
    await terminal.until('● Yes, publish it');
    await terminal.keys('Enter');
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
        translations: { de: { message: 'Die Doku ist weg' } },
        audience: { sites: ['https://shop.example.org'], paths: ['/docs/*', '/pricing'] },
      },
    ]);
    await terminal.keys('clear; typebadge announce edit docs-down', 'Enter');
    await terminal.until('What do you want to change?');
    await answer('Severity', 'Up', 'Up', 'Up');
    await answer('Languages', 'C-u', 'fr');
    // A language without its message is asked for after the yes.
    await terminal.keys('Enter');
    await terminal.until(/◆ +Message fr: /);
    await terminal.keys('Plus de docs', 'Enter');
    await terminal.until(/◆ +Change it\?/);
    await terminal.keys('Enter');
    await terminal.until(/✔ Changed docs-down[\s\S]*exit code 0/);
    const { announcements: after } = JSON.parse(await readFile(join(dir, 'history.json'), 'utf8'));
    const { severity: _, ...unchanged } = announcements[0];
    expect(after).toEqual([{ ...unchanged, translations: { fr: { message: 'Plus de docs' } } }]);
  }, 60_000);

  test('a refusal after the questions repeats the message', async () => {
    terminal = await openTerminal(120, 40, { NO_COLOR: '1' });
    await terminal.keys('typebadge announce publish taken --id taken; clear', 'Enter');
    await terminal.until(/^ready>\s*$/);
    await terminal.keys('typebadge announce publish --id taken --link https://example.org', 'Enter');
    await terminal.until('what visitors read');
    await terminal.keys("It's news", 'Enter');
    await terminal.until(/◆ +Start: /);
    await terminal.keys('Enter');
    await terminal.until(/◆ +End: /);
    await terminal.keys('Enter');
    await terminal.until('Publish it?');
    await terminal.keys('Enter');
    const screen = await terminal.until('exit code 1');
    expect(screen).toContain("The id taken is taken; every id is used once; the message was: “It's news”.");
    expect(await readMessages()).toEqual(['taken']);
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
    expect(await terminal.until('What do you want to change?')).toContain('2099-01-01 23:59:59');
    await terminal.keys('Enter');
    await terminal.until(/◆ +Message: /);
    await terminal.keys(' one', 'Enter');
    await terminal.until(/◆ +Change it\?/);
    await terminal.keys('Enter');
    await terminal.until(/✔ Changed a[\s\S]*exit code 0/);
    expect(await readMessages()).toEqual(['first one', 'second']);
    const log = await readFile(join(dir, 'changes.jsonl'), 'utf8');
    const change = JSON.parse(log.trimEnd().split('\n').at(-1) ?? '');
    expect(change).toMatchObject({ action: 'edit', by: 'ada' });
    expect(change.after).toEqual({ ...change.before, message: 'first one' });
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

  test.each([['C-c'], ['Escape']])(
    '%s leaves without publishing; what was typed is still on the screen',
    async (key) => {
      terminal = await openTerminal(80, 30);
      await terminal.keys('typebadge announce publish', 'Enter');
      await terminal.until('what visitors read');
      await terminal.keys('Nearly news', 'Enter');
      await terminal.until(/Link: none/);
      await terminal.keys(key);
      const screen = await terminal.until('exit code 1');
      expect(screen).toContain('Nothing was published.');
      expect(screen).toContain('Nearly news');
      expect(screen).not.toContain('Error');
      expect(await readMessages()).toEqual([]);
    },
  );

  test('a terminal of 40 columns and 12 rows is enough', async () => {
    terminal = await openTerminal(40, 12);
    await terminal.keys('typebadge announce publish --at now --link https://example.org', 'Enter');
    await terminal.until('what visitors');
    await terminal.keys('A message that is somewhat longer than forty columns', 'Enter');
    await terminal.until('End');
    await terminal.keys('Enter');
    await terminal.until('Publish it?');
    await terminal.keys('Enter');
    await terminal.until('exit code 0');
    expect(await readMessages()).toEqual(['A message that is somewhat longer than forty columns']);
  });

  test('if a program or a build runs the command, nobody is asked: missing input is named', async () => {
    terminal = await openTerminal(80, 24, { CI: 'true' });
    await terminal.keys('typebadge announce publish', 'Enter');
    expect(await terminal.until('exit code 2')).toContain('The message is missing');
    await terminal.keys('clear; CI= typebadge announce publish --json', 'Enter');
    await terminal.until(/"code": "USAGE"[\s\S]*exit code 2/);
  });
});
