import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { readUnsentRounds } from '../../src/tui/link/unsent-rounds.ts';
import { runHere } from '../support/typebadge-here.ts';
import { runTypebadge } from '../support/typebadge-process.ts';
import { until } from '../support/until.ts';
import { startDrippingServer } from '../tui/link/dripping-server.ts';
import { typeLikeAPerson } from './play-table.ts';
import { atPrompt, canUseTerminal, openTerminal, type Terminal } from './tmux.ts';

const program = `${process.execPath} ${packageFile('bin', 'typebadge.js')}`;

test('without a terminal there is one clear sentence', async () => {
  const { code, stdout, stderr } = await runTypebadge(['play']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Error: Play needs a terminal to draw on .* use "typebadge stats"\.\n$/);
});

test('a language may be given by its name', async () => {
  expect((await runHere(['play', '--language', 'German'])).stderr).toContain('Play needs a terminal');
});

describe.runIf(canUseTerminal)('starting in a real terminal', () => {
  let terminal: Terminal;
  let folder: string;
  const strangers: Server[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'typebadge-start-'));
    terminal = await openTerminal({ env: { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } });
  });

  afterEach(async () => {
    await terminal.close();
    for (const stranger of strangers.splice(0)) stranger.close();
    rmSync(folder, { recursive: true });
  });

  /** The sentence that stays on the terminal, and the exit code. */
  async function fails(command: string): Promise<string> {
    const end = `end-${randomUUID().slice(0, 4)}`; // what an earlier command printed may still be there
    await terminal.type(`clear; ${command}; echo ${end} code:$?\n`);
    const screen = await terminal.see(new RegExp(`${end}\\s+code:\\d`));
    expect(screen).toContain('code:1');
    await terminal.see(atPrompt);
    expect(await terminal.ask('alternate_on')).toBe('0');
    return squeeze(screen);
  }

  /** Text without white space: the terminal breaks a sentence anywhere. */
  function squeeze(text: string): string {
    return text.replaceAll(/\s+/g, '');
  }

  /** A server that does this with each connection. */
  async function openStranger(work: (socket: Socket) => void): Promise<number> {
    const stranger = createServer((socket) => {
      socket.on('error', () => {});
      work(socket);
    });
    strangers.push(stranger);
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    return (stranger.address() as AddressInfo).port;
  }

  /** The words of the round under way. */
  const words = () => [
    ...(readUnsentRounds(join(folder, 'typebadge', 'typist', 'unsent')).find(
      ({ inputs }) => inputs.length === 0,
    )?.head.words ?? []),
  ];

  test('a failed start is explained in a sentence', async () => {
    const port = await openStranger((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'));
    for (const address of [`-port ${port}`, `--server http://127.0.0.1:${port}`])
      expect(await fails(`${program} play ${address}`)).toContain(
        squeeze(`The server at http://127.0.0.1:${port}/ does not let you play: `),
      );
    await terminal.resize(60, 11);
    expect(await fails(`${program} play`)).toContain(
      squeeze('This terminal has 60 x 11 characters, and play needs 40 x 12'),
    );
  });

  test('keys typed at the start of a command that fails are not left for the shell', async () => {
    for (const [command, sentence, code] of [
      [`TERM=dumb ${program} play`, 'TERM=dumb', 1],
      [`${program} play --words 5`, 'invalid', 2],
    ] as const) {
      await terminal.type(`clear; ${command}\nqzqz`); // in one go: the shell leaves all after its line
      await terminal.see(sentence);
      await terminal.see(/ready>[^\n]*\s*$/);
      await terminal.type('echo left:$?\n');
      const screen = await terminal.see(/left:\d/);
      expect(screen).toContain(`left:${code}`);
      expect(screen).not.toContain('not found');
    }
    await terminal.type(`clear; echo begun; sleep 1000 | ${program} play -\n`);
    await terminal.see(/^begun/m);
    await new Promise((resolve) => setTimeout(resolve, 500)); // at whatever point of its start
    await terminal.press('C-c'); // still ends what only waits for a pipe
    await terminal.see(atPrompt);
  });

  test('a server that is silent, or whose answers trickle for ever, delays neither a typist nor Ctrl+C', async () => {
    const silent = await openStranger(() => {});
    await terminal.type(`${program} play --server http://127.0.0.1:${silent}\n`);
    await terminal.see('Loading words');
    await terminal.press('C-c');
    await terminal.see(atPrompt);
    await terminal.type('echo left:$?\n');
    const screen = await terminal.see(/^left:\d/m);
    expect(screen).toContain('left:0'); // and not the error that the search would have come to
    const dripping = await startDrippingServer();
    try {
      const play = `clear; ${program} play --server http://127.0.0.1:${dripping.port}`;
      await terminal.type(`${play}\n`);
      await terminal.see('Loading words');
      await until(() => dripping.answers === 1);
      await terminal.press('C-c');
      await terminal.see(atPrompt);
      await terminal.type(`${play}\n`);
      await terminal.see(/word 1 of 30[\s\S]*Offline: rounds wait for the server/);
      await terminal.press('C-c');
      await terminal.see(atPrompt);
    } finally {
      await dripping.close();
    }
  });

  /** Whether the shell runs a program, for which the terminal passes single keys on, without an echo. */
  async function isRaw(): Promise<boolean> {
    const [shell, tty] = [await terminal.ask('pane_pid'), await terminal.ask('pane_tty')];
    const asked = promisify(execFile)('sh', [
      '-c',
      'pgrep -P "$0" > /dev/null && stty -a < "$1"',
      shell,
      tty,
    ]);
    const { stdout } = await asked.catch(() => ({ stdout: '' }));
    return stdout.includes('-icanon') && stdout.includes('-echo ');
  }

  test('keys typed while it loads are in no round, and neither on the screen nor at the prompt when it is left', async () => {
    const silent: Socket[] = [];
    // It loads until this server hangs up, however slow the machine is.
    const port = await openStranger((socket) => silent.push(socket));
    await terminal.type(`${program} play --server http://127.0.0.1:${port}\n`);
    await until(isRaw);
    await terminal.type('qzqzq zqzq');
    await terminal.see('Loading words');
    await new Promise((resolve) => setTimeout(resolve, 500)); // until they are read
    await until(() => silent.length > 0);
    for (const socket of silent) socket.destroy();
    await terminal.see('word 1 of 30');
    await until(() => words().length === 30); // a round without a key
    await terminal.type(words()[0]?.slice(0, 1) ?? '');
    await until(() => words().length === 0);
    await terminal.press('C-c');
    await terminal.see('The unfinished round is kept');
    const screen = await terminal.see(atPrompt);
    expect(screen).not.toContain('qz');
    await terminal.type('echo left:$?\n');
    await terminal.see(/^left:0/m);
  });

  test('with --data it plays without a server, even under CI, and leaves the rounds there', async () => {
    await terminal.type(`CI=1 ${program} play --words 10 --data ${folder}/mine --view lines --punctuation\n`);
    await terminal.see('word 1 of 10');
    const shown = (await terminal.screen())
      .split('\n')
      .filter((line) => line.startsWith('    '))
      .join(' ')
      .trim()
      .split(/ +/);
    expect(shown).toHaveLength(10);
    expect(shown.join(' ')).toMatch(/^"?[A-Z].*[.!?]"?$/);
    await typeLikeAPerson(terminal, shown);
    await terminal.see(/Round finished .* 1 round/);
    await terminal.press('C-y');
    await terminal.see('1 round on 1 day');
    await terminal.press('C-c');
    await terminal.see(atPrompt);
    await terminal.type(`clear; ${program} stats --data ${folder}/mine --csv\n`);
    expect(await terminal.see(/,(\d+),\1,true,/)).toContain('finished,wpm,accuracy');
  });

  test('options changed on the screen are kept for the next start, and a flag applies only to this run', async () => {
    const play = async (flags = '') => {
      await terminal.type(`clear; ${program} play ${flags}\n`);
      await terminal.see('word 1 of 30');
      return terminal.screen();
    };
    const leave = async () => {
      await terminal.press('C-c');
      await terminal.see(atPrompt);
    };
    await play();
    await terminal.press('C-o');
    await terminal.see('> View');
    await terminal.press('Right');
    await terminal.see('lines of text');
    await terminal.press('Escape');
    await terminal.see('word 1 of 30');
    await terminal.see(words().slice(0, 3).join(' '));
    await leave();
    expect(await play('--view blocks')).toContain('██');
    await leave();
    expect(await play()).not.toContain('██');
  });

  test('with NO_COLOR there is no colour on the screen, and without a UTF-8 locale only ASCII', async () => {
    await terminal.type(`clear; NO_COLOR=1 LC_ALL=C ${program} play\n`);
    await terminal.see('word 1 of 30');
    // It is drawn before it is on disk.
    await expect.poll(() => words().length).toBe(30);
    for (const word of words()) await terminal.type(`${word.slice(1)}q${word.slice(0, 1)} `);
    await terminal.see('Not counted: faster than anyone types.'); // a warning, which has a colour elsewhere
    const screen = await terminal.screen({ colours: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: SGR sequences are what is looked for
    const codes = [...screen.matchAll(/\x1b\[([\d;]*)m/g)].flatMap(([, list]) => list?.split(';') ?? []);
    for (const code of codes)
      expect(['', '0', '1', '2', '4', '7', '22', '24', '27', '39', '49']).toContain(code);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: everything that is not ASCII is what is looked for
    expect(screen).not.toMatch(/[^\x00-\x7f]/);
  });
});
