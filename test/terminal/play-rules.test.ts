import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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
});
