import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPlayTable, type PlayTable } from './play-table.ts';
import { atPrompt, canUseTerminal, type Terminal } from './tmux.ts';

const code = 'function max(a, b) {\n  if (a > b) {\n    return a;\n  }\n  return b;\n}\n';

/** Keys so soon after the last letter are still meant for the round, ms. */
const settling = 1100;

describe.runIf(canUseTerminal)('kinds of rounds in a real terminal', () => {
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
    await sleep(settling);
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
    await sleep(settling);
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
