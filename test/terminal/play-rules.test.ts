import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { openPlayTable, type PlayTable } from './play-table.ts';
import { atPrompt, canUseTerminal, type Terminal } from './tmux.ts';

describe.runIf(canUseTerminal)('stricter rules in a real terminal', () => {
  let table: PlayTable;
  let terminal: Terminal;

  beforeEach(async () => {
    table = await openPlayTable({ columns: 40, rows: 12, env: { NO_COLOR: '1' } });
    terminal = table.terminal;
  });

  afterEach(() => table.close());

  test('sudden death ends a round once: it is in no history, and leaves nothing behind', async () => {
    await table.play('--sudden-death');
    const [first = '', second = ''] = await table.words();
    await terminal.type(`${first} ~${second}`);
    await terminal.see('ended by a mistake');
    await new Promise((resolve) => setTimeout(resolve, 1100)); // keys so soon are meant for the round
    await terminal.press('Enter');
    await terminal.see('word 1 of 30');
    await terminal.press('Escape');
    await terminal.see('One round:');
    const farewell = await terminal.see(atPrompt);
    expect(farewell.replaceAll('\n', '')).toContain('(not counted)'); // the window is narrow
    expect((await table.history()).total_sessions).toBe(0);
    expect([await table.records(), table.unsent()]).toEqual([[], []]);
  });

  test('stopped on a letter, the caret waits and shows the wrong key; the server plays by the same rule', async () => {
    await table.play('--stop-on letter');
    const [first = ''] = await table.words();
    await terminal.type('~');
    await terminal.see(/^ +~$/m);
    await terminal.type(first);
    await terminal.press('Space');
    await terminal.see('word 2 of 30');
    await until(async () => (await table.state()).current_word_idx === 1);
    expect(await table.sessionStatistics()).toMatchObject({ total_chars: first.length + 1 });
  });

  test('blind, without Backspace: a mistake leaves no trace on the screen, and cannot be undone', async () => {
    await table.play('--blind --no-backspace');
    const [first = ''] = await table.words();
    await terminal.type('~');
    await terminal.press('BSpace');
    await terminal.type(first.slice(1));
    await terminal.press('Space');
    const screen = await terminal.see('word 2 of 30');
    expect(screen).not.toContain('×');
    await until(async () => (await table.state()).current_word_idx === 1);
    expect(await table.sessionStatistics()).toMatchObject({
      total_chars: first.length,
      correct_chars: first.length - 1,
    });
  });

  test('rules that would trap a typist in a word are refused', async () => {
    await table.start('--stop-on word --no-backspace; echo code=$?');
    await terminal.see('code=2');
  });
});
