import { writeSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';
import { type BytesListener, startKeyThread } from './key-thread.ts';
import type { Size } from './size.ts';

/** The terminal that the client takes over, and gives back as it was whatever happens. */
export interface Terminal {
  readonly size: Size;
  /** Alternate screen, no cursor, single keys, marked pastes, focus reports. Harmless when already entered. */
  enter(): void;
  /** Everything back; harmless when not entered. Works while the process is crashing. */
  leave(): void;
  write(text: string): void;
  /** Stops this job as Ctrl+Z does in any program; `onContinue` follows when it goes on. */
  stopThisJob(): void;
  /** Resolves when what was typed before has been read. */
  readonly ready: Promise<void>;
  /** Reads no more keys: what is typed from now on is for the shell. */
  stopReading(): Promise<void>;
  /** Takes the listeners off. */
  close(): void;
}

export interface TerminalListener extends BytesListener {
  onResize(size: Size): void;
  /** The process is asked to end. */
  onEnd(signal: NodeJS.Signals): void;
  /** The process is asked to stop for a while, by a signal; Ctrl+Z arrives as a key. */
  onStop(): void;
  /** The process goes on after it was stopped. */
  onContinue(): void;
  /** Something was thrown that nobody caught. */
  onError(error: unknown): void;
  /** The process ends now, whatever the reason. */
  onExit(): void;
}

const enterSequence = [
  '\x1b[?1049h', // alternate screen
  '\x1b[?25l', // no cursor
  '\x1b[?2004h', // bracketed paste
  '\x1b[?1004h', // focus reports
  '\x1b[H\x1b[2J',
].join('');
const leaveSequence = '\x1b[?2026l\x1b[0m\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?1049l';

/** Signals that end a process by default: the terminal is given back first. */
const endSignals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGALRM', 'SIGUSR2', 'SIGXCPU'] as const;

/** A stop works at once; if the process still runs after so many ms, the shell has no job control. */
const stopWait = 100;

export function openTerminal(
  input: ReadStream & { readonly fd: number },
  output: WriteStream & { readonly fd: number },
  listener: TerminalListener,
): Terminal {
  let isEntered = false;
  let wasEntered = false;
  let stopTimer: NodeJS.Timeout | undefined;
  const ends: (() => void)[] = [];
  const stop = () => listener.onStop();

  const keys = startKeyThread(input, listener);
  listen(output, 'error', () => listener.onGone());
  listen(output, 'resize', () => listener.onResize(sizeOf(output)));
  for (const signal of endSignals) listen(process, signal, () => listener.onEnd(signal));
  listen(process, 'SIGTSTP', stop);
  // Once for each stop: a second time would take the terminal over again after it was left.
  listen(process, 'SIGCONT', goOn);
  listen(process, 'uncaughtException', listener.onError);
  listen(process, 'unhandledRejection', listener.onError);
  listen(process, 'exit', () => listener.onExit());
  // A write beyond a limit on file sizes fails by itself: the signal that comes with it must not end the process.
  process.on('SIGXFSZ', () => {});

  return {
    get size() {
      return sizeOf(output);
    },
    enter() {
      // Another program may have changed the mode meanwhile (job control), so it is set again each time but the first:
      // a terminal that is raw already must not echo a key in between.
      if (wasEntered) input.setRawMode(false);
      input.setRawMode(true);
      if (!isEntered) output.write(enterSequence);
      isEntered = true;
      wasEntered = true;
    },
    leave() {
      if (!isEntered) return;
      isEntered = false;
      attempt(() => writeSync(output.fd, leaveSequence)); // past every buffer: the process may be about to end
      attempt(() => input.setRawMode(false));
    },
    ready: keys.ready,
    stopReading: keys.stop,
    write(text) {
      if (isEntered) output.write(text);
    },
    stopThisJob() {
      process.off('SIGTSTP', stop); // without a listener the signal does what it does by default
      process.kill(0, 'SIGTSTP');
      stopTimer = setTimeout(goOn, stopWait);
    },
    close() {
      clearTimeout(stopTimer);
      for (const end of ends) end();
    },
  };

  function goOn(): void {
    if (stopTimer !== undefined) process.on('SIGTSTP', stop);
    clearTimeout(stopTimer);
    stopTimer = undefined;
    listener.onContinue();
  }

  function listen(source: NodeJS.EventEmitter, event: string, listen: (value: unknown) => void): void {
    source.on(event, listen);
    ends.push(() => source.off(event, listen));
  }
}

/** If the terminal is gone, nobody is left to see its state. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}

function sizeOf(output: WriteStream): Size {
  return { columns: output.columns || 80, rows: output.rows || 24 };
}
