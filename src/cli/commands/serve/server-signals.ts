import { isatty } from 'node:tty';

/**
 * Every signal that would end the process, as far as Node lets a program handle it. A second signal changes
 * nothing, since npm and shells often send Ctrl+C twice: stopping takes seconds at most, and saves what is
 * unsaved.
 */
const endSignals = [
  ...(['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGABRT', 'SIGALRM', 'SIGVTALRM'] as const),
  ...(['SIGXCPU', 'SIGIO', 'SIGPWR', 'SIGSYS', 'SIGSTKFLT', 'SIGBREAK'] as const),
] as const;

/** On a terminal, SIGHUP says that the terminal is gone, and stops the server as SIGTERM does. */
export function listenToSignals() {
  // Checked now: once the terminal is gone, it is no longer recognised as one.
  const isOnTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  const actions = { reload: () => {}, roll: () => {} };
  const stopped = new Promise<string>((resolve) => {
    for (const signal of endSignals) process.on(signal, () => resolve(signal));
    if (!isProfiled()) process.on('SIGPROF', () => resolve('SIGPROF'));
    // Without a listener, Node opens a port for a debugger, which may do anything in this process.
    process.on('SIGUSR1', () => {});
    process.on('SIGHUP', () => (isOnTerminal ? resolve('SIGHUP') : actions.reload()));
    process.on('SIGUSR2', () => actions.roll());
  });
  return {
    /** Resolves to the signal that stops the server. */
    stopped,
    /** Set by the caller: SIGHUP makes a service reload its files, SIGUSR2 replace its workers one by one. */
    actions,
  };
}

/** Node's profiler samples with that signal, hundreds of times a second; a listener would break it. */
function isProfiled(): boolean {
  const options = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(/\s+/)];
  return options.some((option) => /^--(?:cpu[-_])?prof$/.test(option));
}
