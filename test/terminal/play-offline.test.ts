import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RoundList } from '../../src/contract/statistics-types.ts';
import { packageFile } from '../../src/kit/package-files.ts';
import { createTypingClient } from '../support/typing-client.ts';
import { until } from '../support/until.ts';
import { openPlayTable, type PlayTable } from './play-table.ts';
import { atPrompt, canUseTerminal, type Terminal } from './tmux.ts';

describe.runIf(canUseTerminal)('playing without a server', () => {
  let table: PlayTable;
  let terminal: Terminal;

  beforeEach(async () => {
    table = await openPlayTable();
    terminal = table.terminal;
  });
  afterEach(() => table.close());

  const unsentFolder = () => join(table.folder, 'data', 'typebadge', 'typist', 'unsent');
  const unsent = () => readdirSync(unsentFolder()).map((name) => join(unsentFolder(), name));

  /** The words of the one round on disk that nothing was typed of yet. */
  async function newWords(): Promise<string[]> {
    let words: string[] = [];
    await until(async () => {
      const fresh = unsent()
        .map((path) => readFileSync(path, 'utf8').split('\n'))
        .filter(([, first]) => !first);
      words = fresh.length === 1 ? JSON.parse(fresh[0]?.[0] ?? '').words : [];
      return words.length > 0;
    });
    return words;
  }

  async function typeRound(): Promise<void> {
    for (const word of await newWords()) await terminal.type(`${word} `);
    await terminal.see('Round finished');
    await new Promise((resolve) => setTimeout(resolve, 500)); // keys right after the last one are taken for typing
  }

  async function roundsOfServer(): Promise<RoundList['rounds']> {
    const { body } = await createTypingClient(table.port).call<RoundList>('GET', '/rounds');
    return body.rounds;
  }

  test('nobody waits for a server that is away: rounds begin at once, and are delivered once, even after a kill', async () => {
    await table.killServer();
    await table.start('--words', '10');
    await terminal.see(/word 1 of 10[\s\S]*Offline: no answer from 127.0.0.1:/);
    await typeRound();
    await terminal.press('Enter');
    await terminal.see('word 1 of 10');
    const [first = ''] = await newWords();
    await terminal.type(first.slice(0, 2));
    await until(async () => unsent().some((path) => readFileSync(path, 'utf8').split('\n').length === 4));
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
    await terminal.see('1 earlier round delivered');
    expect(await roundsOfServer()).toMatchObject([{ mode: 'words-10', accuracy: 100 }]);
  });

  test('a round that was cut off is mentioned and listed while its server is away, and goes on when it is back', async () => {
    await table.play();
    const [first = ''] = await table.words();
    await terminal.type(`${first} `);
    await until(async () => (await table.state()).current_word_idx === 1);
    await new Promise((resolve) => setTimeout(resolve, 1500)); // the server writes its sessions within a second
    await table.killServer();
    await terminal.press('C-c');
    await terminal.see('The unfinished round is kept: the next start goes on at word 2 of 30.');
    await terminal.type('clear\n');
    await table.start();
    const sentence = /Offline: no answer from 127\.0\.0\.1:\d+\. A round cut off at word 2 waits\./;
    await terminal.see(/word 1 of 30/);
    await terminal.see(sentence);
    await terminal.press('C-c');
    await terminal.see(atPrompt);
    await terminal.type(`clear; ${table.command('--waiting')}\n`);
    await terminal.see(/1 round cut off in the middle:\n {2}http:\S+: at word 2 of 30, /);
    await table.startServer();
    await table.start();
    await terminal.see('cut off at word 2 of 30');
    await terminal.press('Enter');
    await terminal.see('Timer paused');
    expect((await table.state()).current_word_idx).toBe(1);
  });

  test('rounds typed with --offline go to the next server on this machine; one that comes back gets them while play runs', async () => {
    const program = `${process.execPath} ${packageFile('bin', 'typebadge.js')}`;
    const layout = join(table.folder, 'mine.json');
    writeFileSync(layout, JSON.stringify({ rows: ['qwfpgjluy', 'arstdhneio', 'zxcvbkm', ''] }));
    await terminal.type(`${program} play --offline --words 10 --keyboard --layout ${layout}\n`);
    await terminal.see(/mine +word 1 of 10[\s\S]*\Wz\W+x\W+c\W+v\W+b\W+k\W+m[\s\S]*Offline/);
    await typeRound();
    await terminal.see('offline: kept for a later start'); // nobody is away whom the typist does not want
    await terminal.press('Escape');
    await terminal.see('One round:');
    await table.killServer();
    await table.start('--words', '10');
    await terminal.see(/mine +word 1 of 10[\s\S]*Offline/); // the layout is remembered
    await table.startServer();
    await typeRound();
    await terminal.press('Enter');
    await until(async () => (await roundsOfServer()).length === 2);
    await until(async () => unsent().length === 1);
    const rounds = await roundsOfServer();
    expect(new Set(rounds.map(({ id }) => id)).size).toBe(2);
    for (const round of rounds) expect(round.layout).toMatch(/^own-[0-9a-f]{16}$/);
  });
});
