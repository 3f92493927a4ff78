import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { openPlayTable, type PlayTable } from './play-table.ts';
import { canUseTerminal, type Terminal } from './tmux.ts';

describe.runIf(canUseTerminal)('playing without a server', () => {
  let table: PlayTable;
  let terminal: Terminal;

  beforeEach(async () => {
    table = await openPlayTable();
    terminal = table.terminal;
  });
  afterEach(() => table.close());

  /** The words of the one round on disk that nothing was typed of yet. */
  async function newWords(): Promise<string[]> {
    const fresh = () => table.unsent().filter(({ inputs }) => inputs.length === 0);
    await until(() => fresh().length === 1);
    return [...(fresh()[0]?.head.words ?? [])];
  }

  async function typeRound(): Promise<void> {
    for (const word of await newWords()) await terminal.type(`${word} `);
    await terminal.see(/Round finished|Not counted|away: kept/);
    await new Promise((resolve) => setTimeout(resolve, 900)); // keys right after the last one are taken for typing
  }

  const roundsOfServer = () => table.rounds();

  test('nobody waits for a server that is away: rounds begin at once, and are delivered once, even after a kill', async () => {
    await table.killServer();
    await table.start('--words', '10');
    await terminal.see(/word 1 of 10[\s\S]*Offline: no answer from http:/);
    await typeRound();
    await terminal.press('Enter');
    await terminal.see('word 1 of 10');
    const [first = ''] = await newWords();
    await terminal.type(first.slice(0, 2));
    await until(() =>
      table.unsent().some(({ timing, inputs }) => timing === undefined && inputs.length === 2),
    );
    await terminal.send('\x1a');
    await terminal.see(/Stopped|suspended/i);
    await terminal.type('clear; kill -9 %1; sleep 0.3; stty sane; clear\n');
    await table.start('--words', '10'); // still away: the round that was cut off can go on
    await terminal.see('cut off at word 1 of 10');
    await terminal.press('Escape');
    await table.startServer();
    await table.start('--words', '10');
    await terminal.see('cut off at word 1 of 10');
    await until(async () => (await roundsOfServer()).length === 1);
    await terminal.press('Tab');
    await terminal.see(/word 1 of 10[\s\S]*1 earlier round delivered/);
    expect(await roundsOfServer()).toMatchObject([{ mode: 'words-10', accuracy: 100 }]);
  });

  test('rounds typed with --offline are kept here, and go to the server that was named at a later start', async () => {
    await table.start('--offline', '--words', '10', '--layout', 'colemak');
    await terminal.see(/colemak +word 1 of 10[\s\S]*Offline/);
    await typeRound();
    await until(async () => (await table.records()).length === 1);
    await terminal.press('Escape');
    await terminal.see('One round:');
    expect(await roundsOfServer()).toEqual([]);
    await table.start();
    await terminal.see(/colemak +word 1 of 10/); // the layout is remembered
    await until(async () => (await roundsOfServer()).length === 1);
    expect((await roundsOfServer())[0]?.layout).toBe('colemak');
    expect(table.unsent().filter(({ timing }) => timing !== undefined)).toEqual([]);
  });
});
