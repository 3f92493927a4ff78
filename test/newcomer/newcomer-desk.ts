import { setTimeout as sleep } from 'node:timers/promises';
import { atPrompt, openTerminal, type Terminal } from '../terminal/tmux.ts';
import type { NewcomerMachine } from './fresh-clone.ts';

/** A newcomer at two windows: one for the server, one to work in. */
export interface NewcomerDesk {
  readonly machine: NewcomerMachine;
  /** Where the server of the other window listens. */
  readonly port: number;
  readonly window: Terminal;
  /** Pastes a command into the window; resolves with what is on the screen once it has ended with that code. */
  finish(command: string, code?: number): Promise<string>;
  /** Pastes a command into the window that takes the screen for itself. */
  start(command: string): Promise<void>;
  /** Waits for the prompt, then for the exit code of what ended there. */
  ended(code?: number): Promise<void>;
  /** Ends the server that runs, if any, and pastes a command that starts one; resolves once it answers. */
  serve(command: string): Promise<void>;
  stopServing(): Promise<void>;
  close(): Promise<void>;
}

export interface DeskOptions {
  /** Undefined: the documented 8787, and every command stands as it is written. */
  readonly port: number | undefined;
  /** Milliseconds until a command counts as hung. */
  readonly patience: number;
}

const documentedPort = 8787;

/** On a line of its own: a prompt behind output without an end of line may leave too little room for it. */
const askForCode = "printf '\\ncode:%s\\n' $?\n";

/** Opens both windows in a folder, with the newcomer's environment and nothing else. */
export async function openNewcomerDesk(
  machine: NewcomerMachine,
  folder: string,
  options: DeskOptions,
): Promise<NewcomerDesk> {
  const port = options.port ?? documentedPort;
  const window = await openWindow(machine, folder, port);
  const serverWindow = await openWindow(machine, folder, port);
  let serves = false;
  let steps = 0;
  /** Where 8787 may be somebody else's, another port takes its place, and `play` is told. */
  const atPort = (command: string) =>
    options.port === undefined
      ? command
      : command
          .replaceAll(String(documentedPort), String(port))
          .replace(/typebadge play\b/, `$& -port ${port}`);

  const desk: NewcomerDesk = {
    machine,
    port,
    window,
    async start(command) {
      // A prompt alone could still be the one before; a sum stands on the screen only once it was worked out.
      steps += 1;
      await window.type(`clear; echo step $((${steps}+1000))\n`);
      await window.see(`step ${steps + 1000}\n`);
      await window.type(`${atPort(command)}\n`);
    },
    async finish(command, code = 0) {
      await desk.start(command);
      await window.type(askForCode);
      const screen = await window.see(/code:\d+/, options.patience);
      if (!screen.includes(`code:${code}\n`))
        throw new Error(`${command}\nshould end with ${code}:\n${screen}`);
      await window.see(atPrompt);
      return screen;
    },
    async ended(code = 0) {
      await window.see(atPrompt);
      await window.type(askForCode);
      await window.see(`code:${code}\n`);
    },
    async serve(command) {
      await desk.stopServing();
      if (await answers(port)) throw new Error(`Port ${port} is taken: end what listens there first.`);
      serves = true;
      await serverWindow.type(`clear; ${atPort(command)}\n`);
      for (const limit = Date.now() + options.patience; !(await answers(port)); await sleep(100)) {
        if (Date.now() > limit)
          throw new Error(`${command}\nserves nothing:\n${await serverWindow.screen()}`);
      }
    },
    async stopServing() {
      if (!serves) return;
      await serverWindow.press('C-c');
      await serverWindow.see(atPrompt);
      serves = false;
    },
    async close() {
      await desk.stopServing();
      await window.close();
      await serverWindow.close();
    },
  };
  return desk;
}

async function openWindow({ env }: NewcomerMachine, folder: string, port: number): Promise<Terminal> {
  const terminal = await openTerminal({ columns: 140, rows: 90 });
  const settings = Object.entries({ ...env, TYPEBADGE_PORT: String(port), PS1: 'ready> ' });
  const quoted = settings.map(([name, value]) => `${name}='${value}'`).join(' ');
  await terminal.type(`cd '${folder}' && exec env -i ${quoted} sh -i\n`);
  await terminal.type('clear; echo HOME is $HOME\n');
  await terminal.see(`HOME is ${env.HOME}`);
  await terminal.see(atPrompt);
  return terminal;
}

function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}
