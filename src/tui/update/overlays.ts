import { type RoundView, reduceRoundView } from '../round/round-view.ts';
import { newHistoryView } from '../state/history-view.ts';
import { newPalette } from '../state/palette.ts';
import type { State } from '../state/state.ts';

/** Pauses the round, if there is one, at `time` (monotonic ms). */
export function pauseRound(state: State, time: number): State {
  return state.round === undefined
    ? state
    : withRound(state, reduceRoundView(state.round, { type: 'pause', time }));
}

export function withRound(state: State, round: RoundView): State {
  return round === state.round ? state : { ...state, round };
}

/** Options, history, help or the palette over what was there before; opened a second time, it closes. */
export function openScreen(
  state: State,
  screen: 'options' | 'history' | 'help' | 'palette',
  time: number,
): State {
  if (state.screen === 'resume') return state;
  if (state.screen === screen) return closeScreen(state);
  const below = state.screen === 'results' || state.screen === 'typing' ? state.screen : state.below;
  const fresh = { palette: newPalette, historyView: newHistoryView, scroll: 0, asks: undefined, notice: '' };
  return { ...pauseRound(state, time), screen, below, ...fresh };
}

export function closeScreen(state: State): State {
  return { ...state, screen: state.below, scroll: 0 };
}

/** The screen of a round that is to come. */
export function toNextRound(state: State): State {
  const fresh = { round: undefined, scroll: 0, attempt: 1, timeBefore: [] };
  return { ...state, screen: 'typing', below: 'typing', ...fresh };
}
