import type { State } from '../state/state.ts';

/** What is to be done outside the state, after the drawing. See `effects.ts`. */
export type Effect =
  | 'new-round'
  | 'repeat-round' // the text of the outcome again
  | 'take-left-round'
  | 'drop-left-round'
  | 'finish-round' // the round of the outcome is done
  | 'leave' // a round under way is given up
  | 'break-off' // a round under way can go on later
  | 'suspend'
  | 'redraw'
  | 'bell'
  | 'save-options'
  | 'load-report'
  | 'load-goal'
  | 'load-moments'
  | 'load-catalog'
  | 'open-text' // the one in `wantedText`
  | 'other-text'; // another one of the same folder

export interface Reaction {
  readonly state: State;
  readonly effects: readonly Effect[];
}

export function only(state: State, ...effects: Effect[]): Reaction {
  return { state, effects };
}
