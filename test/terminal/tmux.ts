import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
const isRequired = process.env.TYPEBADGE_REQUIRE_TERMINAL === '1';

/** Whether tests in a real terminal can run here. They are left out loudly, or fail where they are required. */
export const canUseTerminal = hasTmux || isRequired;
if (!hasTmux) {
  const reason = 'tmux is not installed: the tests in a real terminal';
  if (isRequired) throw new Error(`${reason} are required by TYPEBADGE_REQUIRE_TERMINAL=1.`);
  console.warn(`${reason} are left out.`);
}

/** A real pseudo-terminal with a shell in it, drawn by tmux. */
export interface Terminal {
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /** Presses keys by their tmux names, such as Enter, C-z or BSpace. */
  press(...names: string[]): Promise<void>;
  /** Sends bytes that no key sends, such as focus reports. */
  send(bytes: string): Promise<void>;
  /** Pastes as a user does, marked as a paste where the program has asked for that. */
  paste(text: string): Promise<void>;
  /** What is on the screen, with SGR sequences if wanted. */
  screen(options?: { readonly colours?: boolean }): Promise<string>;
  /** Resolves with the screen once it contains the text or matches; rejects with the screen after `patience` ms. */
  see(wanted: string | RegExp, patience?: number): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  /** Appends all that is written to the terminal from now on to a file. */
  record(file: string): Promise<void>;
  /** A tmux variable of the pane, such as `alternate_on` or `cursor_flag`. */
  ask(variable: string): Promise<string>;
  close(): Promise<void>;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Slow machines draw late; only what never comes is an error. */
const usualPatience = 120_000;

/** Between two looks at a screen, ms. Each look starts a process: those that wait long look less often. */
const pauses = { first: 25, longest: 150 };

const prompt = 'ready>';

/** The screen of a shell that waits for a command: nothing stands behind its prompt. */
export const atPrompt = new RegExp(`${prompt}\\s*$`);

/** Opens a terminal with an interactive shell. */
export async function openTerminal({
  columns = 80,
  rows = 24,
  env = {},
}: TerminalOptions = {}): Promise<Terminal> {
  const socket = `typebadge-test-${randomUUID()}`;
  const tmux = async (...args: string[]): Promise<string> => {
    const { stdout } = await run('tmux', ['-u', '-L', socket, '-f', '/dev/null', ...args]);
    return stdout;
  };
  const settings = Object.entries({ LANG: 'C.UTF-8', ENV: '', HISTFILE: '', ...env });
  await tmux(
    'new-session',
    '-d',
    ...['-x', String(columns), '-y', String(rows)],
    ...settings.flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    'sh -i',
  );
  const terminal: Terminal = {
    async type(text) {
      await tmux('send-keys', '-l', '--', text);
    },
    async press(...names) {
      await tmux('send-keys', ...names);
    },
    async send(bytes) {
      await tmux('send-keys', '-H', ...[...Buffer.from(bytes)].map((byte) => byte.toString(16)));
    },
    async paste(text) {
      await tmux('set-buffer', '--', text);
      await tmux('paste-buffer', '-p', '-d');
    },
    screen: ({ colours = false } = {}) => tmux('capture-pane', '-p', ...(colours ? ['-e'] : [])),
    async see(wanted, patience = usualPatience) {
      const limit = Date.now() + patience;
      for (let pause = pauses.first; ; pause = Math.min(1.5 * pause, pauses.longest)) {
        const screen = await terminal.screen();
        if (typeof wanted === 'string' ? screen.includes(wanted) : wanted.test(screen)) return screen;
        if (Date.now() > limit) throw new Error(`Waited in vain for ${wanted} on this screen:\n${screen}`);
        await sleep(pause);
      }
    },
    async resize(width, height) {
      await tmux('resize-window', '-x', String(width), '-y', String(height));
    },
    async record(file) {
      await tmux('pipe-pane', `cat >> '${file}'`);
    },
    ask: async (variable) => (await tmux('display-message', '-p', `#{${variable}}`)).trim(),
    async close() {
      await tmux('kill-server').catch(() => {});
    },
  };
  await terminal.see(/^[$#]/m);
  await terminal.type(`PS1='${prompt} '; clear\n`);
  await terminal.see(atPrompt);
  return terminal;
}
