import type { AppEvent } from './app/app-events.ts';
import type { Ending } from './ending.ts';
import type { PlayerStart } from './play-config.ts';
import type { RoundRecorder } from './record/round-recorder.ts';
import type { RecordOfDays } from './record-of-days.ts';
import type { RoundScore } from './round/scoring.ts';
import type { RoundBroker } from './round-broker.ts';
import type { App } from './state/app-state.ts';

export interface PlayerOptions extends PlayerStart {
  readonly draw: (app: App) => void;
  readonly repaint: () => void;
  readonly bell: () => void;
  readonly suspend: () => void;
  readonly end: (ending: Ending) => void;
}

/** The score of a finished round; only those of one kind can be compared (see `toKindKey`). */
export interface FinishedScore extends RoundScore {
  readonly kind: string;
}

/** What the effects of the app work with. They change the app by events only. */
export interface PlayerContext extends PlayerOptions {
  /** The state as it is now. */
  readonly app: App;
  /** Undefined until a server is found. */
  readonly rounds: RoundBroker | undefined;
  readonly recorder: RoundRecorder;
  readonly days: RecordOfDays;
  /** The scores of the rounds finished so far. */
  readonly scores: FinishedScore[];
  dispatch(event: AppEvent): void;
  /** Draws at once; without it, one drawing shows everything that happens in one turn. */
  drawNow(): void;
}
