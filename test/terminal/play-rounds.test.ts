import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { openPlayTable, type PlayTable, settle } from './play-table.ts';
import { atPrompt, canUseTerminal, type Terminal } from './tmux.ts';

const code = 'function max(a, b) {\n  if (a > b) {\n    return a;\n  }\n  return b;\n}\n';

describe.runIf(canUseTerminal)('rounds in a real terminal', () => {
  let table: PlayTable;
  let terminal: Terminal;

  beforeEach(async () => {
    table = await openPlayTable({ env: { NO_COLOR: '1' } });
    terminal = table.terminal;
  });

  afterEach(() => table.close());

  test('play FOLDER types a function, says where it is, distinguishes its language, and repeats it against the last time', async () => {
    mkdirSync(join(table.folder, 'src'));
    writeFileSync(join(table.folder, 'src', 'max.js'), code);
    await table.start(table.folder);
    const screen = await terminal.see('word 1 of 15');
    expect(screen).toContain('max.js:1-6  src');
    await table.typeLikeAPerson(code.trim().split(/\s+/), '');
    await terminal.see('1 round of this kind');
    expect(await table.records()).toEqual([
      expect.objectContaining({ mode: 'text-javascript', language: 'en' }),
    ]);
    await settle();
    await terminal.type('r');
    await terminal.see('attempt 2');
    await terminal.type('function ');
    await terminal.see(/(?:ahead of|behind|Level with) your last time/);
  });

  test('sudden death ends a round once: it is in no history, and leaves nothing behind', async () => {
    await terminal.resize(40, 12);
    await table.play('--sudden-death');
    const [first = '', second = ''] = await table.words();
    await terminal.type(`${first} ~${second}`);
    await terminal.see('ended by a mistake');
    await settle();
    await terminal.press('Enter');
    await terminal.see('word 1 of 30');
    await terminal.press('Escape');
    await terminal.see('One round:');
    const farewell = await terminal.see(atPrompt);
    expect(farewell.replaceAll('\n', '')).toContain('(not counted)'); // the window is narrow
    expect((await table.history()).total_sessions).toBe(0);
    expect([await table.records(), table.unsent()]).toEqual([[], []]);
  });

  /** The words of the one round on disk that nothing was typed of yet. */
  async function newWords(): Promise<string[]> {
    const fresh = () => table.unsent().filter(({ inputs }) => inputs.length === 0);
    await until(() => fresh().length === 1);
    return [...(fresh()[0]?.head.words ?? [])];
  }

  async function typeRound(): Promise<void> {
    for (const word of await newWords()) await terminal.type(`${word} `);
    await terminal.see(/Round finished|Not counted|away: kept/);
    await settle();
  }

  const roundsOfServer = () => table.rounds();

  test('nobody waits for a server that is away: rounds begin at once, and are delivered once, even after a kill', async () => {
    await table.killServer();
    await table.start('--words', '10');
    await terminal.see(/word 1 of 10[\s\S]*Offline: rounds wait for the server/);
    await typeRound();
    await terminal.press('Enter');
    await terminal.see('word 1 of 10');
    const [first = ''] = await newWords();
    await terminal.type(first.slice(0, 1)); // a word may have only one letter
    await until(() =>
      table.unsent().some(({ timing, inputs }) => timing === undefined && inputs.length === 1),
    );
    await terminal.send('\x1a');
    await terminal.see(/Stopped|suspended/i);
    await terminal.type('clear; kill -9 %1; sleep 0.3; stty sane; clear\n');
    await table.start('--words', '10'); // still away: the round that was cut off can go on
    await terminal.see(/word 1 of 10[\s\S]*Begun/);
    await terminal.press('C-c');
    await terminal.see('kept');
    await table.startServer();
    await table.start('--words', '10');
    await terminal.see(/word 1 of 10[\s\S]*Begun .* 1 earlier/);
    await until(async () => (await roundsOfServer()).length === 1);
    await terminal.press('Tab');
    await terminal.see(/word 1 of 10(?![\s\S]*Begun)/);
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

  test('rounds that wait for a server are delivered with the key of who typed them, and with no other', async () => {
    for (const name of ['ada', 'bob']) writeFileSync(join(table.folder, name), name.repeat(10));
    const startAs = (name: string, ...flags: string[]) =>
      table.start('--words', '10', '--key-file', join(table.folder, name), ...flags);
    await startAs('ada', '--offline');
    await terminal.see('word 1 of 10');
    await typeRound();
    await until(async () => (await table.records()).length === 1);
    await terminal.press('Escape');
    await terminal.see('One round:');
    await startAs('bob');
    await terminal.see('1 earlier round not delivered yet.');
    await terminal.press('Escape');
    await terminal.see('Nothing was typed.');
    await startAs('ada');
    await terminal.see('1 earlier round delivered to the server.');
  });
});
