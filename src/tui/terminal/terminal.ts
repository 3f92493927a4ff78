import { writeSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Size } from './size.ts';

/** The terminal that the client takes over and gives back as it was. */
export interface Terminal {
  readonly size: Size;
  /** Alternate screen, no cursor, single keys, marked pastes, focus reports. Harmless when already entered. */
  enter(): void;
  /** Everything back; harmless when not entered. Works while the process is falling. */
  leave(): void;
  write(text: string): void;
  /** Called with the new size. */
  onResize(listener: (size: Size) => void): void;
  /** Called when the terminal has gone away. */
  onGone(listener: () => void): void;
  /** Takes the listeners off. */
  close(): void;
}

const enterSequence = [
  '\x1b[?1049h', // alternate screen
  '\x1b[?25l', // no cursor
  '\x1b[?2004h', // bracketed paste
  '\x1b[?1004h', // focus reports
  '\x1b[H\x1b[2J',
].join('');

const leaveSequence = '\x1b[?2026l\x1b[0m\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?1049l';

export function createTerminal(input: ReadStream, output: WriteStream & { readonly fd: number }): Terminal {
  let isEntered = false;
  let onResize = (_size: Size): void => {};
  let onGone = (): void => {};
  const resized = () => onResize(readSize(output));
  const failed = () => onGone();
  output.on('resize', resized);
  output.on('error', failed);

  return {
    get size() {
      return readSize(output);
    },
    enter() {
      // Another program may have changed the mode meanwhile (job control), so it is set anew each time.
      input.setRawMode(false);
      input.setRawMode(true);
      if (!isEntered) output.write(enterSequence);
      isEntered = true;
    },
    leave() {
      if (!isEntered) return;
      isEntered = false;
      attempt(() => writeSync(output.fd, leaveSequence)); // past every buffer: the process may be about to end
      attempt(() => input.setRawMode(false));
    },
    write(text) {
      if (isEntered) output.write(text);
    },
    onResize(listener) {
      onResize = listener;
    },
    onGone(listener) {
      onGone = listener;
    },
    close() {
      output.off('resize', resized);
      output.off('error', failed);
    },
  };
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
