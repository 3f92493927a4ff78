import { isatty } from 'node:tty';

/**
 * Every signal that would end the process, as far as Node lets a program handle it. A second signal changes
 * nothing, since npm and shells often send Ctrl+C twice: stopping takes seconds at most, and saves what is
 * unsaved.
 */
const endSignals = [
  'SIGTERM',
  'SIGINT',
  'SIGQUIT',
  'SIGABRT',
  'SIGALRM',
  'SIGVTALRM',
  'SIGXCPU',
  'SIGIO',
  'SIGPWR',
  'SIGSYS',
  'SIGSTKFLT',
  'SIGBREAK',
] as const;

export interface ServerSignals {
  /** Resolves to the signal that stops the server. */
  readonly stopped: Promise<string>;
  /** SIGHUP asks a service to read its files again. */
  onReload(reload: () => void): void;
  /** SIGUSR2 asks for new workers, one after another; a server without workers ignores it. */
  onRoll(roll: () => void): void;
}

/** On a terminal, SIGHUP says that the terminal is gone, and stops the server as SIGTERM does. */
export function listenToSignals(): ServerSignals {
  // Asked now: once the terminal is gone, nobody can tell that it was one.
  const isOnTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  let reload = () => {};
  let roll = () => {};
  const stopped = new Promise<string>((resolve) => {
    for (const signal of endSignals) process.on(signal, () => resolve(signal));
    if (!isProfiled()) process.on('SIGPROF', () => resolve('SIGPROF'));
    // Without a listener, Node opens a port for a debugger, which may do anything in this process.
    process.on('SIGUSR1', () => {});
    process.on('SIGHUP', () => (isOnTerminal ? resolve('SIGHUP') : reload()));
    process.on('SIGUSR2', () => roll());
  });
  return {
    stopped,
    onReload(action) {
      reload = action;
    },
    onRoll(action) {
      roll = action;
    },
  };
}

/** A profiler of Node samples by that signal, hundreds of times a second; it would get none of them. */
function isProfiled(): boolean {
  const options = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(/\s+/)];
  return options.some((option) => /^--(?:cpu[-_])?prof$/.test(option));
}
