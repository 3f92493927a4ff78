import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readTypistHistory } from '../../src/cli/typist/local-rounds.ts';
import type { RoundList } from '../../src/contract/answer-types.ts';
import { packageFile } from '../../src/kit/package-files.ts';
import { readUnsentRounds } from '../../src/tui/link/unsent-rounds.ts';
import { type RunningProcess, startServeProcess } from '../support/typebadge-process.ts';
import { createTypingClient } from '../support/typing-client.ts';
import { openTerminal, type Terminal, type TerminalOptions } from './tmux.ts';

/**
 * Between two words that are typed at once each, ms: about 160 WPM. Faster than twice that does not count, and
 * the first word of a round is often read late, while the client still loads.
 */
export const pauseAfterWord = 450;

/** Waits until a key acts on the results: those right after the last letter are still meant for the round. */
export const settle = () => sleep(1_500);

/** A typist at a terminal, and a real server that can be killed and comes back at the same address. */
export type PlayTable = Awaited<ReturnType<typeof openPlayTable>>;

export async function openPlayTable(options: TerminalOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'typebadge-play-'));
  const home = { XDG_DATA_HOME: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'config') };
  const open = () => openTerminal({ ...options, env: { ...home, ...options.env } });
  let terminal = await open();
  const port = await findFreePort();
  let server: RunningProcess | undefined = await serve(port, folder);
  const client = createTypingClient(port);
  const program = `${process.execPath} ${packageFile('bin', 'typebadge.js')}`;
  const session = async (): Promise<string> => {
    const sessions = await client.sessions();
    const [latest] = sessions.toSorted((a, b) => b.last_used.localeCompare(a.last_used));
    if (latest === undefined) throw new Error('The server has no session.');
    return latest.id;
  };

  const table = {
    get terminal() {
      return terminal;
    },
    /** Closes the window as its close button does, and opens another. */
    async reopen() {
      await terminal.close();
      terminal = await open();
    },
    folder,
    port,
    /** The command line that starts it. */
    command: (...flags: string[]) => `${program} play --server http://127.0.0.1:${port} ${flags.join(' ')}`,
    /** Only starts it. */
    async start(...flags: string[]) {
      await terminal.type(`${table.command(...flags)}\n`);
    },
    /** Starts `typebadge play` with that server and waits for the first word. */
    async play(...flags: string[]) {
      await table.start(...flags);
      await terminal.see('word 1 of 30');
    },
    /** Types words, as fast as a person may, `end` after the last: words typed all at once do not count. */
    typeLikeAPerson: (words: readonly string[], end?: string) => typeLikeAPerson(terminal, words, end),
    /** The process of `play`, whose shell is the terminal's. */
    async findPlay() {
      const shell = await terminal.ask('pane_pid');
      return Number(execFileSync('pgrep', ['-P', shell], { encoding: 'utf8' }).trim().split('\n')[0]);
    },
    /** The words of the running round, as the server knows them. */
    words: async () => (await client.state(await session())).words,
    async history() {
      const id = await client.createSession();
      const history = await client.history(id);
      await client.deleteSession(id);
      return history;
    },
    /** The finished rounds that the server has, the latest first. */
    rounds: async () => (await client.call<RoundList>('GET', '/rounds')).body.rounds,
    /** Those that this computer has, the oldest first. */
    records: async () => (await readTypistHistory({ data: join(folder, 'data', 'typebadge') })).records,
    /** Those on their way, and those under way. */
    unsent: () => readUnsentRounds(join(folder, 'data', 'typebadge', 'typist', 'unsent')),
    async killServer() {
      server?.child.kill('SIGKILL');
      await server?.finished;
      server = undefined;
    },
    /** The server takes connections and answers nothing. */
    stopServer() {
      server?.child.kill('SIGSTOP');
    },
    async startServer() {
      server = await serve(port, folder);
    },
    async close() {
      await terminal.close();
      server?.child.kill('SIGCONT'); // where it was stopped, nothing else would reach it
      server?.child.kill('SIGTERM');
      await server?.finished;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return table;
}

/** @param end what follows the last word; the others are followed by a space */
export async function typeLikeAPerson(
  terminal: Terminal,
  words: readonly string[],
  end = ' ',
): Promise<void> {
  for (const [at, word] of words.entries()) {
    await terminal.type(word + (at === words.length - 1 ? end : ' '));
    await sleep(pauseAfterWord);
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function serve(port: number, folder: string): Promise<RunningProcess> {
  return startServeProcess([
    '--port',
    String(port),
    '--data',
    join(folder, 'server'),
    '--content',
    join(folder, 'content'),
  ]);
}

/** A server that is to come back at the same address needs a port that is known beforehand. */
async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
