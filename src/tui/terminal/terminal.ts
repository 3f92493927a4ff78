import { writeSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Size } from './size.ts';
import { allowReports, enterTerminal, leaveTerminal, type ModeStep, newMode } from './terminal-mode.ts';

/** The terminal that the client takes over and gives back as it was. */
export interface Terminal {
  readonly size: Size;
  /** Alternate screen, no cursor, single keys, marked pastes, focus reports. Harmless when already entered. */
  enter(): void;
  /** Everything back; harmless when not entered. Works while the process is crashing. */
  leave(): void;
  write(text: string): void;
  /** The terminal has answered that it can report releases of keys: it does, from now on and until it is left. */
  reportReleases(): void;
  /** Called with the new size. */
  onResize(listener: (size: Size) => void): void;
  /** Called when the terminal has gone away. */
  onGone(listener: () => void): void;
  /** Takes the listeners off. */
  close(): void;
}

export function createTerminal(input: ReadStream, output: WriteStream & { readonly fd: number }): Terminal {
  const listeners: [name: 'resize' | 'error', listener: () => void][] = [];
  let mode = newMode;
  let wasEntered = false;
  listen('error', () => {}); // one that nobody listens to would end the process

  return {
    get size() {
      return readSize(output);
    },
    enter() {
      // Another program may have changed the mode meanwhile (job control), so it is set again each time but the first:
      // a terminal that is raw already must not echo a key in between.
      if (wasEntered) input.setRawMode(false);
      wasEntered = true;
      input.setRawMode(true);
      change(enterTerminal(mode));
    },
    leave() {
      if (!mode.isEntered) return;
      const { mode: left, text } = leaveTerminal(mode);
      mode = left;
      attempt(() => writeSync(output.fd, text)); // past every buffer: the process may be about to end
      attempt(() => input.setRawMode(false));
    },
    write(text) {
      if (mode.isEntered) output.write(text);
    },
    reportReleases: () => change(allowReports(mode)),
    onResize: (listener) => listen('resize', () => listener(readSize(output))),
    onGone: (listener) => listen('error', () => listener()),
    close() {
      for (const [name, listener] of listeners) output.off(name, listener);
    },
  };

  function change(step: ModeStep): void {
    mode = step.mode;
    if (step.text !== '') output.write(step.text);
  }

  function listen(name: 'resize' | 'error', listener: () => void): void {
    output.on(name, listener);
    listeners.push([name, listener]);
  }
}

/** If the terminal is gone, nobody is left to see its state. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}

function readSize(output: WriteStream): Size {
  return { columns: output.columns || 80, rows: output.rows || 24 };
}
