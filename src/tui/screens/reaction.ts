import type { Look } from '../look/look.ts';
import { isReadAsText } from '../round/round-setup.ts';
import { isUnderWay, pausedRound, type RoundView } from '../round/round-view.ts';
import { scoreOf } from '../round/scoring.ts';
import { newHistoryView, newPalette, type State } from '../state/state.ts';
import type { StampedKey } from '../terminal/keys.ts';
import type { Page } from '../view/page.ts';

/** What a key does on a screen, and how the screen is drawn. */
export interface Screen {
  press(state: State, key: StampedKey): Reaction;
  draw(look: Look, state: State): Page;
}

/** A side effect, carried out after drawing. See `effects.ts`. */
export type Effect =
  | 'new-round'
  | 'repeat-round' // the text of the outcome again
  | 'finish-round' // the round of the outcome is done
  | 'quit-discarding' // a round under way is discarded
  | 'quit-keeping' // a round under way can be continued later
  | 'suspend'
  | 'redraw'
  | 'bell'
  | 'save-options'
  | 'load-report'
  | 'load-goal'
  | 'load-moments'
  | 'load-catalog'
  | 'other-text'; // another one of the same folder

export interface Reaction {
  readonly state: State;
  readonly effects: readonly Effect[];
}

export function reaction(state: State, ...effects: Effect[]): Reaction {
  return { state, effects };
}

/** Pauses the round, if there is one, at `time` (monotonic ms). */
export function pauseRound(state: State, time: number): State {
  return state.round === undefined ? state : withRound(state, pausedRound(state.round, time));
}

export function withRound(state: State, round: RoundView): State {
  return round === state.round ? state : { ...state, round };
}

/** Opens options, history, help or the palette over the current screen, or closes it if it is open. */
export function openScreen(state: State, screen: Exclude<State['screen'], State['below']>, time: number) {
  if (state.screen === screen) return closeScreen(state);
  const below = state.screen === 'results' || state.screen === 'typing' ? state.screen : state.below;
  const fresh = { palette: newPalette, historyView: newHistoryView, scroll: 0, notice: '' };
  return { ...pauseRound(state, time), screen, below, confirming: undefined, ...fresh };
}

export function closeScreen(state: State): State {
  return { ...state, screen: state.below, scroll: 0 };
}

/** From this word on, abandoning a round must be confirmed. */
const confirmFromWord = 5;

/** Whether abandoning the round must be confirmed. */
export function mustConfirm({ round }: State): boolean {
  return round !== undefined && isUnderWay(round) && round.progress.wordIndex >= confirmFromWord;
}

/** The typing screen before the next round. */
export function withoutRound(state: State): State {
  const fresh = { round: undefined, scroll: 0, attempt: 1, pastMoments: [], notice: '' };
  return { ...state, screen: 'typing', below: 'typing', confirming: undefined, ...fresh };
}

/** Shows a round to type: a new one, or one that was left earlier. */
export function withNewRound(state: State, round: RoundView): State {
  return {
    ...state,
    screen: state.screen === 'results' ? 'typing' : state.screen,
    below: 'typing',
    round,
    outcome: undefined,
    waiting: '',
    confirming: undefined,
    elapsed: round.active,
  };
}

/** How long after a round's last key others are still meant for it, ms; longer if its end is unexpected. */
const settlingTime = 400;
const settlingTimeIfUnexpected = 1000;

/** The results of a round, as far as they are known before it is saved. */
export function finishRound(state: State, round: RoundView, time: number): Reaction {
  const isEnterUsual = state.options.advance !== 'space' || isReadAsText(round.roundSetup);
  const isUnexpected = round.isOver || round.ended !== undefined || isEnterUsual;
  const outcome = {
    round,
    score: scoreOf(round),
    before: state.history,
    history: undefined,
    unsaved: undefined,
    settlesAt: time + (isUnexpected ? settlingTimeIfUnexpected : settlingTime),
  };
  const fresh = { confirming: undefined, notice: '', scroll: 0 };
  return reaction(
    { ...state, screen: 'results', below: 'results', round, outcome, ...fresh },
    'finish-round',
  );
}
