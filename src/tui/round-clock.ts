import { readClock } from './input/stall-watch.ts';
import { toNextTick } from './round/time-limit.ts';
import { type App, toPacer } from './state/app-state.ts';

/** Ticks while the screen changes by time alone: in a timed round, where a pacer moves, and when a round pauses because nobody types. */
export interface RoundClock {
  /** Sets the next tick by the state of the app; every event may start, pause or stop the clock. */
  set(app: App): void;
  /** Never ticks again: a process that is leaving must not wait for the end of a timed round. */
  stop(): void;
}

/** @param onTick gets the moment in monotonic ms, and sets the clock again */
export function createRoundClock(onTick: (time: number) => void): RoundClock {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  return {
    set(app) {
      clearTimeout(timer);
      const wait = isStopped ? undefined : toWait(app);
      if (wait !== undefined) timer = setTimeout(() => onTick(readClock()), Math.ceil(wait));
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

function toWait(app: App): number | undefined {
  if (app.round === undefined) return undefined;
  const hasPacer = app.options.pace !== 'off' && !app.options.reducedMotion && toPacer(app) !== undefined;
  return toNextTick(app.round, readClock(), hasPacer);
}
