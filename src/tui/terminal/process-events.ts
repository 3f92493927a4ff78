/** What happens to the process from outside, and what it does about it. */
export interface ProcessListener {
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

export interface ProcessEvents {
  /** Stops this job as Ctrl+Z does in any program; `onContinue` follows when it goes on. */
  stopThisJob(): void;
  close(): void;
}

/** Signals that end a process by default: the terminal is given back first. */
const endSignals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGALRM', 'SIGUSR2', 'SIGXCPU'] as const;

/**
 * A write beyond a limit on file sizes fails by itself. Node ignores the signal that comes with it, but Ink listens for
 * it and would end the process, and so would the signal once Ink has stopped listening: this listener, which stays,
 * prevents both.
 */
function outliveFileLimits(): void {
  process.on('SIGXFSZ', () => {});
}

/** A stop works at once; if the process still runs after so many ms, the shell has no job control. */
const stopWait = 100;

export function listenToProcess(listener: ProcessListener): ProcessEvents {
  const end = (signal: NodeJS.Signals) => listener.onEnd(signal);
  const stop = () => listener.onStop();
  let stopTimer: NodeJS.Timeout | undefined;
  /** Once for each stop: a second time would take the terminal over again after it was left. */
  const goOn = () => {
    if (stopTimer !== undefined) process.on('SIGTSTP', stop);
    clearTimeout(stopTimer);
    stopTimer = undefined;
    listener.onContinue();
  };
  const fail = (error: unknown) => listener.onError(error);
  const exit = () => listener.onExit();
  outliveFileLimits();
  for (const signal of endSignals) process.on(signal, end);
  process.on('SIGTSTP', stop);
  process.on('SIGCONT', goOn);
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  process.on('exit', exit);

  return {
    stopThisJob() {
      process.off('SIGTSTP', stop); // without a listener the signal does what it does by default
      process.kill(0, 'SIGTSTP');
      stopTimer = setTimeout(goOn, stopWait);
    },
    close() {
      clearTimeout(stopTimer);
      for (const signal of endSignals) process.off(signal, end);
      process.off('SIGTSTP', stop);
      process.off('SIGCONT', goOn);
      process.off('uncaughtException', fail);
      process.off('unhandledRejection', fail);
      process.off('exit', exit);
    },
  };
}
