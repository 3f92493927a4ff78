import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { openPlayTable, type PlayTable, settle } from './play-table.ts';
import { atPrompt, canUseTerminal, type Terminal } from './tmux.ts';

const canLimitFiles = spawnSync('prlimit', ['--version']).status === 0;
/** Words that are typed all at once do not count, unless the machine is slow. */
const resultsWithHistory = /(\d+ rounds?|no round) of this kind/;

describe.runIf(canUseTerminal)('playing in a real terminal', () => {
  let table: PlayTable;
  let terminal: Terminal;

  beforeEach(async () => {
    table = await openPlayTable();
    terminal = table.terminal;
  });

  afterEach(() => table.close());

  /** What `stty` says of the terminal, whose shell must be at its prompt. */
  async function readMode(mark: string): Promise<string> {
    await terminal.type(`clear; stty -a; echo ${mark}:$?\n`);
    const screen = await terminal.see(`${mark}:0`);
    return screen.slice(0, screen.indexOf(mark));
  }

  async function typeWords(words: readonly string[]): Promise<void> {
    await terminal.type(words.map((word) => `${word} `).join(''));
  }

  /** Rounds that the server has, whether or not they count. */
  async function roundsKept(): Promise<number> {
    const { total_sessions, rounds_not_counted } = await table.history();
    return total_sessions + rounds_not_counted;
  }

  test('a round without mistakes: results, and afterwards the terminal is as before', async () => {
    const before = await readMode('before');
    await table.start('--words 10');
    await terminal.see('word 1 of 10');
    expect(await terminal.ask('alternate_on')).toBe('1');
    const words = await table.words();
    await table.typeLikeAPerson(words);
    const results = await terminal.see(/Round finished .* 1 round/);
    expect(results).toContain('100.0 %');
    expect(results).not.toContain('new best'); // better than nothing is no achievement
    expect(results).toMatch(/Timing: \d+ keys not timed/);
    const letters = words.join('').length;
    await expect
      .poll(() => table.rounds())
      .toMatchObject([{ counts: true, total_chars: letters, correct_chars: letters, accuracy: 100 }]);
    await terminal.press('Escape');
    await terminal.see('One round:');
    await terminal.see(atPrompt);
    expect(await terminal.ask('alternate_on')).toBe('0');
    expect(await terminal.ask('cursor_flag')).toBe('1');
    expect(await readMode('after')).toBe(before);
  });

  test('a resize in the middle of a word loses nothing', async () => {
    await table.play();
    const words = await table.words();
    const [first = ''] = words;
    await terminal.type(first.slice(0, 1));
    await terminal.resize(120, 40);
    await terminal.see(/typebadge {90,}word 1 of 30/);
    await terminal.resize(40, 12);
    await terminal.see(/^ typebadge +word 1 of 30/m);
    await terminal.resize(30, 8);
    await terminal.see('30 x 8 is too small.');
    await terminal.type(first.slice(1, 2));
    await terminal.resize(200, 50);
    await terminal.see('word 1 of 30');
    await terminal.resize(80, 24);
    await terminal.type(`${first.slice(2)} `);
    await terminal.see('word 2 of 30');
    await typeWords(words.slice(1));
    await terminal.see('100.0 %');
    expect((await terminal.screen()).trimEnd().split('\n').length).toBeLessThanOrEqual(24);
  });

  test('a paste does not count, and says so; without paste marks it is kept and shown, but changes no best', async () => {
    await table.play();
    const words = await table.words();
    await terminal.paste(`${words[0]} and more\n`);
    await terminal.see('Paste ignored');
    await terminal.send(words.map((word) => `${word} `).join(''));
    const results = await terminal.see(/Not counted: .* no round of this kind counts yet/);
    expect(results).not.toContain('new best');
    await finished();
    expect(await table.history()).toMatchObject({ total_sessions: 0, best_wpm: 0, rounds_not_counted: 1 });
    expect(await table.records()).toMatchObject([{ counts: false }]);
  });

  test('the timer is paused while the window is not in focus', async () => {
    await table.play();
    const words = await table.words();
    const begun = performance.now();
    await typeWords(words.slice(0, 29));
    await terminal.send('\x1b[O');
    await terminal.see('Timer paused');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await terminal.send('\x1b[I');
    await typeWords(words.slice(29));
    await terminal.see(/Round finished|Not counted/);
    const elapsed = (performance.now() - begun) / 1000;
    const { time_seconds: seconds = 0 } = (await finished()) ?? {};
    expect(elapsed - seconds).toBeGreaterThan(1.5);
  });

  /** The one round of the server, once it has it. */
  async function finished() {
    await terminal.see(/characters/);
    await until(async () => (await table.rounds()).length === 1);
    return (await table.rounds())[0];
  }

  test('the server is killed in the middle of a round and comes back: nothing is lost, nothing counts twice', async () => {
    await table.play();
    const words = await table.words();
    await typeWords(words.slice(0, 10));
    await table.killServer();
    await typeWords(words.slice(10));
    await terminal.see('server away: kept here');
    await table.startServer();
    await settle();
    await terminal.press('Enter');
    await terminal.see(/word 1 of 30/);
    await until(async () => (await table.rounds()).length === 1);
    expect((await table.rounds())[0]).toMatchObject({ total_chars: 150, correct_chars: 150 });
    expect(await roundsKept()).toBe(1);
  });

  test.each([
    ['stopped and killed', '\x1a', /Stopped|suspended/i, 'kill -9 %1; sleep 0.3; stty sane; '],
    [
      'left with Ctrl+C',
      '\x03',
      /The unfinished round is kept: "typebadge play" continues at word 13 of 30\.\n/,
      '',
    ],
  ])(
    'a client %s in the middle of a round continues where it was, including the last keys',
    async (...row) => {
      const [, control, gone, tidy] = row;
      await table.play();
      const words = await table.words();
      await typeWords(words.slice(0, 12));
      await terminal.send(`${words[12]?.slice(0, 2)}${control}`); // read together
      await terminal.see(gone);
      await terminal.type(`clear; ${tidy}clear\n`);
      await table.start();
      await terminal.see(/word 13 of 30[\s\S]*Begun .*Timer paused/);
      await terminal.type(`${words[12]?.slice(2)} `);
      await typeWords(words.slice(13));
      expect(await finished()).toMatchObject({ total_chars: 150, correct_chars: 150 });
      expect(await roundsKept()).toBe(1);
    },
  );

  test('a data folder that cannot be written stops nobody: it is reported, and the server gets the round', async () => {
    await mkdir(join(table.folder, 'data', 'typebadge'), { recursive: true });
    await writeFile(join(table.folder, 'data', 'typebadge', 'typist'), 'a file in the way');
    await table.play();
    await terminal.see('A crash would lose this round');
    await typeWords(await table.words());
    expect(await finished()).toMatchObject({ total_chars: 150, correct_chars: 150 });
  });

  test.runIf(canLimitFiles)(
    'a full disk stops nobody and damages no file, and with room again nothing is missing',
    async () => {
      const kept = (file: string) => readFileSync(join(table.folder, file), 'utf8');
      await table.play();
      await terminal.press('C-o');
      await terminal.see('> View');
      await terminal.press('Right', 'Escape');
      await until(async () => existsSync(join(table.folder, 'config/typebadge/options.json')));
      await terminal.press('C-c');
      await terminal.see(atPrompt);
      const options = kept('config/typebadge/options.json');
      await terminal.type('prlimit --pid $$ --fsize=100:unlimited; clear\n'); // less than any of the files, so each is cut short
      await table.play();
      await terminal.see('A crash would lose this round');
      await terminal.press('C-o');
      await terminal.see('> View');
      await terminal.press('Right');
      await terminal.see('The options could not be saved');
      await terminal.press('Escape');
      await terminal.see('word 1 of 30'); // a letter that comes with it would make it Alt and that letter
      expect(kept('config/typebadge/options.json')).toBe(options);
      await typeWords(await table.words());
      await terminal.see(/not saved/);
      expect(table.unsent()).toEqual([]);
      expect(await table.records()).toEqual([]);
      const pid = await table.findPlay();
      execFileSync('prlimit', ['--pid', String(pid), '--fsize=unlimited']);
      await settle();
      await terminal.press('Enter');
      await terminal.see('word 1 of 30');
      await typeWords(await table.words());
      await terminal.see(resultsWithHistory);
      await until(async () => (await table.records()).length === 2);
      await expect.poll(() => table.rounds()).toHaveLength(2);
    },
  );

  test('Ctrl+Z stops it and restores the terminal, and fg brings the round back', async () => {
    const before = await readMode('before');
    await table.play();
    const [first = ''] = await table.words();
    await terminal.type(`${first} `);
    await terminal.see('word 2 of 30');
    await terminal.press('C-z');
    await terminal.see(/Stopped|suspended/i);
    expect(await terminal.ask('alternate_on')).toBe('0');
    expect(await readMode('stopped')).toBe(before);
    await terminal.type('fg\n');
    await terminal.see(/word 2 of 30[\s\S]*Timer paused/);
    expect(await terminal.ask('alternate_on')).toBe('1');
    await terminal.press('C-c');
    await terminal.see(atPrompt);
    expect(await readMode('after')).toBe(before);
  });

  test('SIGTERM, SIGHUP, SIGINT and SIGQUIT end it and restore the terminal', async () => {
    const before = await readMode('before');
    for (const [at, signal] of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'].entries()) {
      await table.start(); // from the second time on the round that was cut off
      await terminal.see(at === 0 ? 'word 1 of 30' : /word [12] of 30[\s\S]*Timer paused/); // 2 after a short word
      await until(() => table.unsent().length === 1);
      await terminal.type(table.unsent()[0]?.head.words.join(' ')[at] ?? '');
      await until(() => table.unsent()[0]?.inputs.length === at + 1);
      expect(await terminal.ask('alternate_on')).toBe('1');
      process.kill(await table.findPlay(), signal);
      await terminal.see(atPrompt);
      expect(await terminal.ask('alternate_on')).toBe('0');
      expect(await terminal.ask('cursor_flag')).toBe('1');
      expect(await readMode(`after-${signal}`)).toBe(before);
    }
  });
});
