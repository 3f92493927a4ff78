/** What was found and what of it was new to the other side. */
export interface Copied {
  readonly found: number;
  readonly added: number;
}

/** What is copied one after another. */
export type CopyStep = 'content' | 'sessions' | 'rounds' | 'counters';

/** Called with how many are done of how many. */
export type OnProgress = (step: CopyStep, done: number, total: number) => void;
