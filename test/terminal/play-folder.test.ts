import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPlayTable, type PlayTable, pauseAfterWord } from './play-table.ts';
import { canUseTerminal, type Terminal } from './tmux.ts';

const code = 'function max(a, b) {\n  if (a > b) {\n    return a;\n  }\n  return b;\n}\n';

describe.runIf(canUseTerminal)('play FOLDER in a real terminal', () => {
  let table: PlayTable;
  let terminal: Terminal;

  beforeEach(async () => {
    table = await openPlayTable();
    terminal = table.terminal;
    mkdirSync(join(table.folder, 'src'));
    writeFileSync(join(table.folder, 'src', 'max.js'), code);
  });

  afterEach(() => table.close());

  /** As fast as a person may be. */
  async function typeText(text: string): Promise<void> {
    const words = text.trim().split(/\s+/);
    for (const [at, word] of words.entries()) {
      await terminal.type(at === words.length - 1 ? word : `${word} `);
      await sleep(pauseAfterWord);
    }
  }

  test('types a function, says where it is, distinguishes its language, and repeats it against the last time', async () => {
    await table.start(table.folder);
    const screen = await terminal.see('word 1 of 15');
    expect(screen).toContain('max.js:1-6  src');
    await typeText(code);
    await terminal.see('1 round of this kind');
    expect(await table.records()).toEqual([
      expect.objectContaining({ mode: 'text-javascript', language: 'en' }),
    ]);
    await sleep(1100); // keys so soon after the last letter were meant for the round
    await terminal.type('r');
    await terminal.see('attempt 2');
    await terminal.type('function ');
    await terminal.see(/(?:ahead of|behind|Level with) your last time/);
  });
});
