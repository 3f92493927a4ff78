import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { isRunning, openPlayTable, type PlayTable } from './play-table.ts';
import { atPrompt, canUseTerminal, type Terminal } from './tmux.ts';

/** Much more than it takes on a busy machine; what never ends is what is looked for. */
const patience = 60_000;

describe.runIf(canUseTerminal)('a window that is closed', () => {
  let table: PlayTable;
  let terminal: Terminal;
  let text: string;

  beforeEach(async () => {
    table = await openPlayTable();
    terminal = table.terminal;
    text = join(table.folder, 'text.txt');
    await writeFile(text, 'abcd efgh');
  });

  afterEach(() => table.close());

  const typist = () => join(table.folder, 'data', 'typebadge', 'typist');

  /** The keys in the journal of each round that no server has whole. */
  function keysKept(): number[] {
    const folder = join(typist(), 'unsent');
    if (!existsSync(folder)) return [];
    const toKeys = (name: string) => readFileSync(join(folder, name), 'utf8').match(/^{"key"/gm)?.length ?? 0;
    return readdirSync(folder).map(toKeys);
  }

  /** What is typed before the server goes, what after it, and what is then on the screen. */
  const screens = {
    typing: async (lose: () => Promise<void>) => {
      await begin();
      await lose();
      await terminal.type('cd');
    },
    results: async (lose: () => Promise<void>) => {
      await begin();
      await lose();
      await terminal.type('cd efgh ');
      await terminal.see(/Round finished|Not counted/); // typed too fast to count
    },
    resumed: async (lose: () => Promise<void>) => {
      await begin();
      await terminal.type('cd');
      await until(() => keysKept().includes(4));
      process.kill(await table.findPlay(), 'SIGKILL');
      await terminal.see(/K\s*illed/);
      await terminal.type('stty sane; clear\n');
      await terminal.see(atPrompt);
      await table.start();
      await terminal.see(/word 1 of 2[\s\S]*Begun/);
      await lose();
    },
  } as const;

  async function begin(): Promise<void> {
    await table.start('--text', text);
    await terminal.see('word 1 of 2');
    await terminal.type('ab');
    await until(() => keysKept().includes(2));
  }

  const losses = {
    'is gone': () => table.killServer(),
    'answers nothing': async () => table.stopServer(),
  } as const;

  const ends = {
    closed: () => terminal.close(),
    'closed with its terminal killed': async () => {
      process.kill(Number(await terminal.ask('pid')), 'SIGKILL');
    },
  } as const;

  test.each([
    ['typing', 'is gone', 'closed'],
    ['results', 'answers nothing', 'closed with its terminal killed'],
    ['resumed', 'is gone', 'closed'],
  ] as const)('in the %s, while the server %s, and %s: play ends, and every key is kept', async (...row) => {
    const [screen, loss, end] = row;
    await screens[screen](losses[loss]);
    const typed = screen === 'results' ? 'abcd efgh ' : 'abcd';
    await until(() => keysKept().includes(typed.length));
    const play = await table.findPlay();
    await ends[end]();
    await until(() => !isRunning(play), patience);
    expect(keysKept()).toEqual([typed.length]);
    if (screen !== 'results') return;
    expect(await table.records()).toHaveLength(1);
  });

  test.each([
    ['closed with its terminal killed', 'there'],
    ['closed', 'gone'],
  ] as const)(
    'stopped by Ctrl+Z in a round, and %s while the server is %s: play ends, and the round goes on with every key',
    async (end, server) => {
      await begin();
      if (server === 'gone') await table.killServer();
      await terminal.send('cd\x1a'); // read together: the last keys before the stop, too
      await terminal.see(/Stopped|suspended/i);
      expect(keysKept()).toEqual([4]);
      const play = await table.findPlay();
      await ends[end]();
      await until(() => !isRunning(play), patience);
      expect(keysKept()).toEqual([4]);
      if (server === 'gone') return;
      await table.reopen();
      terminal = table.terminal;
      await table.start('--text', text);
      await terminal.see(/word 1 of 2[\s\S]*Begun .*Timer paused/);
      await terminal.press('Space');
      await until(() => keysKept().includes(5));
    },
  );
});
