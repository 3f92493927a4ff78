import { writeSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Size } from './size.ts';

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

const enterSequence = [
  '\x1b[?1049h', // alternate screen
  '\x1b[?25l', // no cursor
  '\x1b[?2004h', // bracketed paste
  '\x1b[?1004h', // focus reports
  '\x1b[H\x1b[2J',
  '\x1b[?u', // asks for kitty's keyboard protocol; terminals without it say nothing
].join('');

/** Kitty's protocol: every key with its press and release, its text, and its place on a US keyboard; and no longer. */
const reportSequence = '\x1b[>31u';
const endReportSequence = '\x1b[<u';

const leaveSequence = '\x1b[?2026l\x1b[0m\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?1049l';

export function createTerminal(input: ReadStream, output: WriteStream & { readonly fd: number }): Terminal {
  let isEntered = false;
  let wasEntered = false;
  let canReport = false;
  let isReporting = false;
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
      // Another program may have changed the mode meanwhile (job control), so it is set again each time but the first:
      // a terminal that is raw already must not echo a key in between.
      if (wasEntered) input.setRawMode(false);
      wasEntered = true;
      input.setRawMode(true);
      if (!isEntered) output.write(enterSequence);
      isEntered = true;
      if (canReport) report();
    },
    leave() {
      if (!isEntered) return;
      isEntered = false;
      const ending = isReporting ? endReportSequence + leaveSequence : leaveSequence;
      isReporting = false;
      attempt(() => writeSync(output.fd, ending)); // past every buffer: the process may be about to end
      attempt(() => input.setRawMode(false));
    },
    write(text) {
      if (isEntered) output.write(text);
    },
    reportReleases() {
      canReport = true;
      report();
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

  /** Each time it takes the terminal over, once: the terminal counts. */
  function report(): void {
    if (!isEntered || isReporting) return;
    isReporting = true;
    output.write(reportSequence);
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
