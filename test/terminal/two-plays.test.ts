import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { openPlayTable, type PlayTable, settle } from './play-table.ts';
import { atPrompt, canUseTerminal, openTerminal, type Terminal } from './tmux.ts';

describe.runIf(canUseTerminal)('two plays at once on one data folder', () => {
  let table: PlayTable;
  let terminals: readonly Terminal[];

  beforeEach(async () => {
    table = await openPlayTable({ columns: 120 }); // all that the status line says after a crash fits
    const home = { XDG_DATA_HOME: join(table.folder, 'data'), XDG_CONFIG_HOME: join(table.folder, 'config') };
    terminals = [table.terminal, await openTerminal({ env: home })];
  });

  afterEach(async () => {
    await terminals[1]?.close();
    await table.close();
  });

  const typeWords = (terminal: Terminal, words: readonly string[]) =>
    terminal.type(words.map((word) => `${word} `).join(''));

  const underWay = () => table.unsent().filter(({ timing }) => timing === undefined);

  /** The round that a process has just begun. */
  async function newRoundOf(pid: number) {
    const found = () => underWay().find(({ head, inputs }) => head.pid === pid && inputs.length === 0);
    await until(() => found() !== undefined);
    return found()?.head ?? { id: '', words: [] };
  }

  async function start(terminal: Terminal): Promise<number> {
    const before = new Set(underWay().map(({ head }) => head.pid));
    await terminal.type(`clear; ${table.command('--words', '10')}\n`);
    await terminal.see('word 1 of 10');
    const begun = () => underWay().find(({ head }) => !before.has(head.pid))?.head.pid;
    await until(() => begun() !== undefined);
    return begun() ?? 0;
  }

  test('lose no round and double none, while one is killed and the server is away for a while', async () => {
    const [near, far] = terminals as [Terminal, Terminal];
    const killed = await start(near);
    const other = await start(far);
    const ids: string[] = [];
    const playRound = async (terminal: Terminal, pid: number) => {
      const { id, words } = await newRoundOf(pid);
      ids.push(id);
      await typeWords(terminal, words);
      await terminal.see(/Round finished|Not counted/);
      await settle();
      await terminal.press('Enter');
    };
    await Promise.all([playRound(near, killed), playRound(far, other)]);

    // One is killed in the middle of its second round; the other one finishes its own while the server is away.
    const cutOff = await newRoundOf(killed);
    ids.push(cutOff.id);
    const typed = cutOff.words.slice(0, 3);
    await table.killServer();
    await Promise.all([playRound(far, other), typeWords(near, typed)]);
    const keys = [...typed.map((word) => `${word} `).join('')].length;
    await until(() => underWay().some(({ head, inputs }) => head.id === cutOff.id && inputs.length === keys));
    process.kill(killed, 'SIGKILL');
    await near.see(/K\s*illed\s*ready>/);
    await near.type('stty sane; clear\n');
    await near.see(atPrompt);

    // The next start is offered the round of the killed one, and not that of the one which still runs.
    await table.startServer();
    await near.type(`clear; ${table.command('--words', '10')}\n`);
    await near.see(/word 4 of 10[\s\S]*Begun .*Timer paused/);
    await typeWords(near, cutOff.words.slice(3));
    await near.see(/Round finished|Not counted/);
    await playRound(far, other);
    await until(async () => (await table.rounds()).length === 5);
    for (const terminal of terminals) {
      await terminal.press('C-c');
      await terminal.see(atPrompt);
    }
    expect((await table.rounds()).map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(await table.records()).toHaveLength(5);
    expect(table.unsent()).toEqual([]);
  });
});
