import type { Run } from '../game/run.ts';
import { reduceRun } from '../game/run-actions.ts';
import type { App } from './app-state.ts';

/** The clock of the run, if there is one, stands from `time` (monotonic ms) on. */
export function pauseRun(app: App, time: number): App {
  return app.run === undefined ? app : withRun(app, reduceRun(app.run, { type: 'pause', time }));
}

export function withRun(app: App, run: Run): App {
  return run === app.run ? app : { ...app, run };
}

/** Options, history or help over what was there before; opened a second time, it closes. */
export function openScreen(app: App, screen: 'options' | 'history' | 'help', time: number): App {
  if (app.screen === 'resume') return app;
  if (app.screen === screen) return closeScreen(app);
  const below = app.screen === 'results' || app.screen === 'typing' ? app.screen : app.below;
  return { ...pauseRun(app, time), screen, below, scroll: 0, isLeaving: false };
}

export function closeScreen(app: App): App {
  return { ...app, screen: app.below, scroll: 0 };
}
