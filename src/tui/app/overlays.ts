import type { LocalRound } from '../round/round.ts';
import { reduceLocalRound } from '../round/round-actions.ts';
import type { App } from '../state/app-state.ts';
import { newHistoryView } from '../state/history-view.ts';
import { newPalette } from '../state/palette.ts';

/** Pauses the round, if there is one, at `time` (monotonic ms). */
export function pauseRound(app: App, time: number): App {
  return app.round === undefined ? app : withRound(app, reduceLocalRound(app.round, { type: 'pause', time }));
}

export function withRound(app: App, round: LocalRound): App {
  return round === app.round ? app : { ...app, round };
}

/** Options, history, help or the palette over what was there before; opened a second time, it closes. */
export function openScreen(app: App, screen: 'options' | 'history' | 'help' | 'palette', time: number): App {
  if (app.screen === 'resume') return app;
  if (app.screen === screen) return closeScreen(app);
  const below = app.screen === 'results' || app.screen === 'typing' ? app.screen : app.below;
  const fresh = { palette: newPalette, historyView: newHistoryView, scroll: 0, asks: undefined, notice: '' };
  return { ...pauseRound(app, time), screen, below, ...fresh };
}

export function closeScreen(app: App): App {
  return { ...app, screen: app.below, scroll: 0 };
}

/** The screen of a round that is to come. */
export function toNextRound(app: App): App {
  return { ...app, screen: 'typing', below: 'typing', round: undefined, scroll: 0 };
}
