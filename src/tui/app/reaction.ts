import type { App } from '../state/app-state.ts';

/** What an event asks of the world outside the screen. */
export type Effect =
  | 'new-round'
  | 'take-left-round'
  | 'drop-left-round'
  | 'leave' // a round under way is given up
  | 'break-off' // a round under way can go on later
  | 'suspend'
  | 'redraw'
  | 'save-options'
  | 'load-report'
  | 'load-catalog'
  | 'open-text' // the one in `wantedText`
  | 'bell'
  | 'finish-round'; // the round of the outcome is complete

export interface Reaction {
  readonly app: App;
  readonly effects: readonly Effect[];
}

export function only(app: App, ...effects: Effect[]): Reaction {
  return { app, effects };
}
