import { writeSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';
import { Worker } from 'node:worker_threads';
import type { Size } from './painter.ts';

export interface TerminalListener {
  /** Bytes of keys, the monotonic ms (`performance.now`) of their arrival, and whether that is uncertain. */
  onBytes(bytes: Buffer, time: number, isLate: boolean): void;
  onResize(size: Size): void;
  /** The process is asked to end, or its terminal has gone away. */
  onEnd(signal: NodeJS.Signals): void;
  /** The process is asked to stop for a while, by a signal; Ctrl+Z arrives as a key. */
  onStop(): void;
  /** The process continues after a stop. */
  onContinue(): void;
  /** An error was not caught. */
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

/** A stop works at once; if the process still runs after this many ms, the shell has no job control. */
const stopWait = 100;

/** The terminal that the client takes over, and gives back as it was whatever happens. */
export function openTerminal(
  input: ReadStream & { readonly fd: number },
  output: WriteStream & { readonly fd: number },
  listener: TerminalListener,
) {
  let isEntered = false;
  let wasEntered = false;
  let stopTimer: NodeJS.Timeout | undefined;
  const ends: (() => void)[] = [];
  const stop = () => listener.onStop();

  const keys = startKeyThread(input, listener);
  listen(output, 'error', () => listener.onEnd('SIGHUP'));
  listen(output, 'resize', () => listener.onResize(sizeOf(output)));
  for (const signal of endSignals) listen(process, signal, () => listener.onEnd(signal));
  listen(process, 'SIGTSTP', stop);
  // Once for each stop: a second time would take the terminal over again after it was left.
  listen(process, 'SIGCONT', goOn);
  listen(process, 'uncaughtException', listener.onError);
  listen(process, 'unhandledRejection', listener.onError);
  listen(process, 'exit', () => listener.onExit());
  // A write beyond a limit on file sizes fails: the signal that comes with it must not end the process.
  process.on('SIGXFSZ', () => {});

  return {
    get size(): Size {
      return sizeOf(output);
    },
    /** Alternate screen, no cursor, raw keys, marked pastes, focus reports. Harmless if entered already. */
    enter(): void {
      // Another program may have changed the mode (job control), so it is set again each time but the first:
      // a terminal that is raw already must not echo a key in between.
      if (wasEntered) input.setRawMode(false);
      input.setRawMode(true);
      if (!isEntered) output.write(enterSequence);
      isEntered = true;
      wasEntered = true;
    },
    /** Undoes `enter`; harmless if not entered. Works while the process is crashing. */
    leave(): void {
      if (!isEntered) return;
      isEntered = false;
      attempt(() => writeSync(output.fd, leaveSequence)); // past every buffer: the process may be about to end
      attempt(() => input.setRawMode(false));
    },
    /** Resolves when what was typed before has been read. */
    ready: keys.ready,
    /** Reads no more keys: what is typed from now on is for the shell. */
    stopReading: keys.stop,
    write(text: string): void {
      if (isEntered) output.write(text);
    },
    /** Stops this job as Ctrl+Z does in any program; `onContinue` follows when it goes on. */
    stopThisJob(): void {
      process.off('SIGTSTP', stop); // without a listener the signal does what it does by default
      process.kill(0, 'SIGTSTP');
      stopTimer = setTimeout(goOn, stopWait);
    },
    /** Removes the listeners. */
    close(): void {
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

  function listen(source: NodeJS.EventEmitter, event: string, handler: (value: unknown) => void): void {
    source.on(event, handler);
    ends.push(() => source.off(event, handler));
  }
}

/** Ignores errors: if the terminal is gone, its state no longer matters. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}

function sizeOf(output: WriteStream): Size {
  return { columns: output.columns || 80, rows: output.rows || 24 };
}

type Message = { readonly ready: true } | { readonly gone: true } | KeyMessage;

interface KeyMessage {
  /** As a string of Latin-1, which is the fastest to pass between threads. */
  readonly bytes: string;
  /** Monotonic ms at which they were read, and ms that the thread had waited for a processor by then. */
  readonly time: number;
  readonly waited: number;
}

/**
 * If the thread has waited longer for a processor, ms, nobody knows when the keys came. Linux 6.12 and later
 * may also count seconds of sleep as waiting, beside busy programs.
 */
const maxWait = 20;

/** Reads the terminal in a thread. */
function startKeyThread(input: ReadStream & { readonly fd: number }, listener: TerminalListener) {
  // A Windows console has one reader at a time, and this thread has opened it already.
  if (process.platform === 'win32') return readHere(input, listener);
  // Built, this module lies in a chunk folder below the thread's file; from source, beside it.
  const file = import.meta.url.endsWith('.ts') ? './terminal-reader.ts' : '../terminal-reader.js';
  const thread = new Worker(new URL(file, import.meta.url), { workerData: { fd: input.fd } });
  thread.once('error', listener.onError);
  const offset = performance.now() - Number(process.hrtime.bigint()) / 1e6;
  let wasLate = false;
  const read = ({ bytes, time, waited }: KeyMessage) => {
    const isLate = waited > maxWait;
    const arrival = time + offset - (isLate ? 0 : waited);
    // An interval is uncertain if one of its ends is.
    listener.onBytes(Buffer.from(bytes, 'latin1'), arrival, isLate || wasLate);
    wasLate = isLate;
  };
  const ready = new Promise<void>((resolve) => {
    thread.on('message', (message: Message) => {
      if ('ready' in message) resolve();
      else if ('gone' in message) listener.onEnd('SIGHUP');
      else read(message);
    });
  });
  return {
    ready,
    async stop() {
      thread.removeAllListeners();
      await thread.terminate();
    },
  };
}

function readHere(input: ReadStream, { onBytes, onEnd }: TerminalListener) {
  const onGone = () => onEnd('SIGHUP');
  const read = (bytes: Buffer) => onBytes(bytes, performance.now(), false);
  input.on('data', read);
  for (const event of ['end', 'error']) input.on(event, onGone);
  input.resume();
  return {
    // A pending read comes before the immediates of the next turn.
    ready: new Promise((resolve) => setImmediate(() => setImmediate(resolve))),
    async stop() {
      input.off('data', read);
      for (const event of ['end', 'error']) input.off(event, onGone);
      input.pause();
    },
  };
}
