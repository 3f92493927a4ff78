import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { openPlayTable, type PlayTable, settle } from './play-table.ts';
import { atPrompt, canUseTerminal, type Terminal } from './tmux.ts';

const canLimitFiles = spawnSync('prlimit', ['--version']).status === 0;

describe.runIf(canUseTerminal)('the modes in a real terminal', () => {
  let table: PlayTable;
  let terminal: Terminal;

  beforeEach(async () => {
    table = await openPlayTable();
    terminal = table.terminal;
  });

  afterEach(() => table.close());

  const typeLikeAPerson = (words: readonly string[], end?: string) => table.typeLikeAPerson(words, end);
  const { unsent, records } = { unsent: () => table.unsent(), records: () => table.records() };

  /** The lines of the journals of all rounds that are being typed or were left. */
  function journals(): string[][] {
    const folder = join(table.folder, 'data', 'typebadge', 'typist', 'unsent');
    if (!existsSync(folder)) return [];
    return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
  }

  test('a timed test ends in the middle of a word; one that ends while the server is away is delivered later', async () => {
    await table.start('--time 5');
    await terminal.see('5 s left');
    const words = await table.words();
    await typeLikeAPerson([...words.slice(0, 6), (words[6] ?? '').slice(0, 1)], '');
    await terminal.see('Round finished');
    await terminal.see('1 round of this kind');
    const letters = words.slice(0, 6).join('').length + 1;
    await expect
      .poll(() => table.rounds())
      .toMatchObject([
        {
          time_seconds: 5,
          correct_chars: letters,
          standard_wpm: expect.closeTo((letters + 6 - 1) * (60 / 5 / 5), 9),
        },
      ]);
    expect(await records()).toEqual([expect.objectContaining({ mode: 'time-5', seconds: 5 })]);
    await settle();
    await terminal.press('Enter');
    await terminal.see('5 s left');
    const [first = '', second = ''] = await table.words();
    await terminal.type(`${first} `);
    await until(() => unsent().some(({ inputs }) => inputs.length === first.length + 1));
    await table.killServer();
    await terminal.type(second);
    await terminal.see('Round finished');
    await table.reopen();
    await until(() => unsent().length === 1);
    expect(unsent()[0]?.timing?.duration).toBe(5000);
    await table.startServer();
    terminal = table.terminal;
    await table.start();
    await terminal.see('1 earlier round delivered');
    expect((await records()).length).toBe(2);
    expect(unsent().filter(({ inputs }) => inputs.length > 0)).toEqual([]);
  });

  test('a custom text is typed line by line, with Enter at the ends, and survives a kill', async () => {
    const file = join(table.folder, 'poem.txt');
    await writeFile(file, 'Ein kühler Tag,\n  日本 end\n\nlast line');
    await table.start('--text', file);
    // All at once: a screen may be seen while it is drawn.
    await terminal.see(/poem.txt +word 1 of 7[\s\S]*Ein kühler Tag,\n\n *日本 end\n\n *last line/);
    await typeLikeAPerson(['Ein', 'kühler', 'Tag,'], '');
    await terminal.see('Tag,↵');
    await terminal.press('Enter');
    await terminal.see('word 4 of 7');
    await typeLikeAPerson(['日本'], '');
    await until(() => journals()[0]?.length === 1 + 18); // a window that closes takes keys along that nobody has read
    await table.reopen();
    terminal = table.terminal;
    await until(() => unsent()[0]?.inputs.length === 18);
    await table.start();
    await terminal.see(/日本 {1,2}end[\s\S]*Begun/);
    await terminal.press('Space');
    await typeLikeAPerson(['end'], '');
    await terminal.press('Enter');
    await typeLikeAPerson(['last', 'line'], ''); // its last letter ends it
    await terminal.see('1 round of this kind');
    await expect.poll(() => table.rounds()).toMatchObject([{ accuracy: 100, correct_chars: 26 }]);
    expect(await records()).toEqual([expect.objectContaining({ mode: 'text', accuracy: 100 })]);
  });

  // Every other mode is kept and restored in the same way: see `test/tui/link/rounds.test.ts`.
  test.each(['--drill bigrams', '--time 600', '-'])(
    '%s survives a kill, a closed window, a server that is away and a full disk, with every key',
    async (flags) => {
      if (flags === '-') await terminal.type(`echo one two three four five six | ${table.command('-')}\n`);
      else await table.start(flags);
      await until(() => isWhole(journals()[0]?.[0]));
      const { pid, words } = JSON.parse(journals()[0]?.[0] ?? '') as { pid: number; words: string[] };
      const [first = '', second = '', third = '', fourth = ''] = words;
      await terminal.type(`${first} `);
      if (flags === '--time 600') {
        await until(() => journals()[0]?.length === 1 + [...`${first} `].length); // its clock goes from here
        await new Promise((resolve) => setTimeout(resolve, 1100));
      }
      await terminal.type(`${second} `);
      await until(() => journals()[0]?.length === 1 + [...`${first} ${second} `].length);
      process.kill(pid, 'SIGKILL');
      await terminal.see(/K\s*illed\s*ready>/); // in the middle of what was drawn
      await terminal.type('stty sane; clear\n');
      await terminal.see(atPrompt);
      await goOn();
      expect(JSON.parse(journals()[0]?.[0] ?? '').words).toEqual(words);
      await terminal.type(`${third} `);
      const typed = [...`${first} ${second} ${third} `].length;
      await until(() => unsent()[0]?.inputs.length === typed);
      await table.reopen();
      terminal = table.terminal;
      await goOn();
      if (flags === '--time 600') await terminal.see(/5\d\d s left/); // not the whole time again
      await table.killServer();
      await terminal.type(`${fourth} `);
      await until(() => unsent()[0]?.inputs.length === typed + fourth.length + 1);
      await table.startServer();
      await terminal.press('Escape', 'Escape');
      await terminal.see(atPrompt);
      if (!canLimitFiles) return;
      await terminal.type('prlimit --pid $$ --fsize=100:unlimited; clear\n');
      await terminal.see(atPrompt);
      await table.start();
      await terminal.see('A crash would lose this round');
      await terminal.type(`${(await table.words())[0]} `);
      await terminal.see(/word 2 of|59\d s left/);
    },
    180_000,
  );

  /** A long first line of a journal may be read while it is written. */
  function isWhole(line = ''): boolean {
    try {
      return typeof JSON.parse(line) === 'object';
    } catch {
      return false;
    }
  }

  /** The next start in the same terminal: the mode is remembered. */
  async function goOn(): Promise<void> {
    await table.start();
    await terminal.see(/Begun .*Timer paused/);
  }

  test('German words on Dvorak are chosen by name and remembered; so is a custom layout, which the palette finds', async () => {
    await table.start('--words 10 --language german --layout Dvorak');
    await terminal.see(/de dvorak +word 1 of 10/);
    const words = await table.words();
    await typeLikeAPerson(words);
    await terminal.see('1 round of this kind');
    await terminal.see(/ a +o +e +u +i +d +h +t +n +s/);
    expect(await records()).toEqual([
      expect.objectContaining({ mode: 'words-10', language: 'de', layout: 'dvorak', accuracy: 100 }),
    ]);
    await terminal.press('Escape');
    await terminal.see(atPrompt);
    await table.start();
    await terminal.see(/de dvorak +word 1 of 10/);
  });
});
