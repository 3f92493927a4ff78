import type { RoundsEvent } from './link/delivery.ts';
import type { CustomText } from './record/options.ts';
import { elapsed, endedByTime, isDone, isIdle, isTimeUp } from './round/round-view.ts';
import { drawHistory, pressHistory } from './screens/history.ts';
import { drawOptions, pressOptions } from './screens/options.ts';
import { drawPalette, pressPalette } from './screens/palette.ts';
import {
  type Effect,
  finishRound,
  openScreen,
  pauseRound,
  type Reaction,
  reaction,
  type Screen,
  withNewRound,
  withoutRound,
} from './screens/reaction.ts';
import { drawReading, pressReading } from './screens/reading.ts';
import { drawResults, pressResults } from './screens/results.ts';
import { drawTyping, pressTyping } from './screens/typing.ts';
import type { State } from './state/state.ts';
import type { StampedKey } from './terminal/keys.ts';
import type { Size } from './terminal/painter.ts';

export type Event =
  | { readonly type: 'key'; readonly key: StampedKey }
  | { readonly type: 'resize'; readonly size: Size }
  /** The timer of a round is paused from `time` (monotonic ms) on. */
  | { readonly type: 'pause'; readonly time: number }
  /** The clock of a round has moved on. */
  | { readonly type: 'tick'; readonly time: number }
  /** The source of rounds is known. */
  | { readonly type: 'start' }
  /** Requested data has arrived. */
  | { readonly type: 'loaded'; readonly change: Partial<State> }
  /** Another text of the same folder has been read. */
  | { readonly type: 'custom-text'; readonly customText: CustomText }
  | RoundsEvent;

/** What an event does: the next state, the very same if nothing changes, and what to do outside. Pure. */
export function update(state: State, event: Event): Reaction {
  switch (event.type) {
    case 'key':
      return pressAnywhere(state, event.key) ?? screens[state.screen].press(state, event.key);
    case 'resize':
      return reaction({ ...state, size: event.size });
    case 'pause':
      return reaction(pauseRound(state, event.time));
    case 'tick':
      return tick(state, event.time);
    case 'start':
      // A palette that was opened before the source of rounds was known still lacks the catalog.
      return reaction(
        state,
        ...(['new-round', 'load-goal'] as const),
        ...(state.screen === 'palette' ? missingCatalog(state) : []),
      );
    case 'round':
      return newRound(state, event);
    case 'saved':
      return saved(state, event);
    case 'notice':
      return reaction({ ...state, notice: `${state.notice} ${event.notice}`.trim() });
    case 'loaded':
      return reaction({ ...state, ...event.change });
    case 'custom-text': {
      const { customText } = event;
      const next = { customText, missed: '', notice: customText.notice ?? '' };
      return reaction({ ...withoutRound(state), ...next }, 'new-round');
    }
  }
}

export const screens: Readonly<Record<State['screen'], Screen>> = {
  typing: { press: pressTyping, draw: drawTyping },
  results: { press: pressResults, draw: drawResults },
  options: { press: pressOptions, draw: drawOptions },
  palette: { press: pressPalette, draw: drawPalette },
  history: { press: pressHistory, draw: drawHistory },
  help: { press: pressReading, draw: drawReading },
};

/** Keys that mean the same on every screen. */
function pressAnywhere(state: State, { name, time }: StampedKey): Reaction | undefined {
  switch (name) {
    case 'ctrl-c':
      return reaction(state, 'quit-keeping');
    case 'ctrl-z':
      return reaction(pauseRound(state, time), 'suspend');
    case 'ctrl-l':
      return reaction(state, 'redraw');
    case 'focus-out':
      return reaction(pauseRound(state, time));
    case 'focus-in':
      return reaction(state);
    case 'ctrl-o':
      return reaction(openScreen(state, 'options', time));
    case 'ctrl-y':
      return reaction(openScreen(state, 'history', time), 'load-report');
    case 'ctrl-p':
      return reaction(openScreen(state, 'palette', time), ...missingCatalog(state));
    case 'f1':
      return reaction(openScreen(state, 'help', time));
    default:
      return undefined;
  }
}

function missingCatalog({ catalog }: State): Effect[] {
  return catalog === undefined ? ['load-catalog'] : [];
}

function newRound(state: State, { round, notice }: Extract<RoundsEvent, { type: 'round' }>): Reaction {
  const effects: Effect[] = state.options.pace === 'last' ? ['load-moments'] : [];
  if (state.options.keyboard) effects.push(...missingCatalog(state));
  const next = withNewRound(state, round);
  return reaction({ ...next, notice: `${notice} ${next.notice}`.trim() }, ...effects);
}

function saved(state: State, { id, history, unsaved }: Extract<RoundsEvent, { type: 'saved' }>): Reaction {
  const next = history === undefined ? state : { ...state, history };
  const { outcome } = state;
  const isShown = outcome?.round.id === id;
  return reaction(
    isShown ? { ...next, outcome: { ...outcome, history: history ?? outcome.history, unsaved } } : next,
    'load-goal',
  );
}

function tick(state: State, time: number): Reaction {
  const { round } = state;
  if (round === undefined || isDone(round)) return reaction(state);
  if (isTimeUp(round, time)) return finishRound(state, endedByTime(round), time);
  const active = elapsed(round, time);
  const moved = active === state.elapsed ? state : { ...state, elapsed: active };
  return reaction(isIdle(round, time) ? pauseRound(moved, time) : moved);
}
