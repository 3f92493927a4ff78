import type { App } from './app-state.ts';

/** What a key asks of the world outside the screen. */
export type Order =
  | 'new-round'
  | 'take-left-run'
  | 'drop-left-run'
  | 'leave' // a run under way is given up
  | 'break-off' // a run under way can go on later
  | 'suspend'
  | 'redraw'
  | 'save-options'
  | 'load-report'
  | 'bell';

export interface Reaction {
  readonly app: App;
  readonly orders: readonly Order[];
}

export function only(app: App, ...orders: Order[]): Reaction {
  return { app, orders };
}
