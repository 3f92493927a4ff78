import type { Catalog } from '../link/answers.ts';
import type { RoundsEvent } from '../link/rounds.ts';
import type { Kind, ProgressReport } from '../progress/report.ts';
import type { OwnText } from '../record/options.ts';
import { endedByTime, isTimeUp } from '../round/round-clock.ts';
import { elapsed, isDone, isIdle } from '../round/round-view.ts';
import { type LeftRound, type State, withNewRound, withResults } from '../state/state.ts';
import type { StampedKey } from '../terminal/keys.ts';
import type { Size } from '../terminal/painter.ts';
import { drawnLayout } from '../view/keyboard.ts';
import { pressHistory } from './history.ts';
import { pressPalette, withCatalog } from './palette.ts';
import { type Effect, only, openScreen, pauseRound, type Reaction, withoutRound } from './reaction.ts';
import { pressOptions, pressReading, pressResults, pressResume } from './screens.ts';
import { pressTyping } from './typing.ts';

/** Everything that can happen. */
export type Event =
  | { readonly type: 'key'; readonly key: StampedKey }
  | { readonly type: 'resize'; readonly size: Size }
  /** The timer of a round is paused from `time` (monotonic ms) on. */
  | { readonly type: 'pause'; readonly time: number }
  /** The clock of a round has moved on. */
  | { readonly type: 'tick'; readonly time: number }
  /** There is somebody to get rounds from; `left` was cut off earlier and can go on. */
  | { readonly type: 'start'; readonly left: LeftRound | undefined }
  | { readonly type: 'left-round-taken' }
  | { readonly type: 'report'; readonly report: ProgressReport; readonly kinds: readonly Kind[] }
  /** Something that was asked for is there. */
  | { readonly type: 'loaded'; readonly change: Partial<Pick<State, 'goal' | 'lastMoments'>> }
  /** Undefined if nobody could say. */
  | { readonly type: 'catalog'; readonly catalog: Catalog | undefined }
  /** A text that was asked for on the screen is there. */
  | { readonly type: 'own-text'; readonly ownText: OwnText }
  /** The part in `before` was typed, and `ownText` is the one after it. */
  | { readonly type: 'next-text'; readonly before: OwnText; readonly ownText: OwnText }
  | RoundsEvent;

/** What an event does: the next state, the very same if nothing changes, and what to do outside. Pure. */
export function update(state: State, event: Event): Reaction {
  switch (event.type) {
    case 'key':
      return pressKey(state, event.key);
    case 'resize':
      return only({ ...state, size: event.size });
    case 'pause':
      return only(pauseRound(state, event.time));
    case 'tick':
      return tick(state, event.time);
    case 'start':
      return start(state, event.left);
    case 'left-round-taken':
      return only(state.leftRound === undefined ? state : withNewRound(state, state.leftRound.round));
    case 'round':
      return newRound(state, event);
    case 'waiting':
      return only({ ...state, waiting: event.reason });
    case 'away':
      return only({ ...state, away: event.reason });
    case 'history':
      return only({ ...state, history: event.history });
    case 'saved':
      return saved(state, event);
    case 'disk':
      return only({ ...state, notice: `A crash would lose this round: ${event.problem}.` });
    case 'notice':
      // News that come before the first words are shown with them.
      return only({
        ...state,
        notice: event.notice,
        ...(state.round === undefined && { greeting: `${state.greeting} ${event.notice}`.trim() }),
      });
    case 'loaded':
      return only({ ...state, ...event.change });
    case 'catalog':
      return only(withCatalog(state, event.catalog));
    case 'own-text':
      return only(withOwnText(state, event.ownText), 'new-round');
    case 'next-text':
      return only(state.ownText === event.before ? { ...state, ownText: event.ownText } : state);
    case 'report':
      return only({
        ...state,
        report: event.report,
        historyView: { ...state.historyView, kinds: event.kinds },
      });
  }
}

function pressKey(state: State, key: StampedKey): Reaction {
  const anywhere = pressAnywhere(state, key);
  if (anywhere !== undefined) return anywhere;
  switch (state.screen) {
    case 'typing':
      return pressTyping(state, key);
    case 'results':
      return pressResults(state, key);
    case 'options':
      return pressOptions(state, key);
    case 'palette':
      return pressPalette(state, key);
    case 'resume':
      return pressResume(state, key);
    case 'history':
      return pressHistory(state, key) ?? pressReading(state, key);
    case 'help':
      return pressReading(state, key);
  }
}

/** Keys that mean the same on every screen. */
function pressAnywhere(state: State, { name, time }: StampedKey): Reaction | undefined {
  switch (name) {
    case 'ctrl-c':
      return only(state, 'break-off');
    case 'ctrl-z':
      return only(pauseRound(state, time), 'suspend');
    case 'ctrl-l':
      return only(state, 'redraw');
    case 'focus-out':
      return only(pauseRound(state, time));
    case 'focus-in':
      return only(state);
    case 'ctrl-o':
      return only(openScreen(state, 'options', time));
    case 'ctrl-y':
      return only(openScreen(state, 'history', time), 'load-report');
    case 'ctrl-p': {
      const opened = openScreen(state, 'palette', time);
      return state.catalog === undefined
        ? only({ ...opened, isCatalogMissing: false }, 'load-catalog')
        : only(opened);
    }
    case 'f1':
      return only(openScreen(state, 'help', time));
    default:
      return undefined;
  }
}

function start(state: State, left: LeftRound | undefined): Reaction {
  if (left !== undefined) return only({ ...state, screen: 'resume', leftRound: left }, 'load-goal');
  // What a palette asked for that was opened when there was nobody to ask yet.
  const missed: Effect[] = state.screen === 'palette' && state.catalog === undefined ? ['load-catalog'] : [];
  return only(state, 'new-round', 'load-goal', ...missed);
}

function newRound(state: State, { round, notice }: Extract<RoundsEvent, { type: 'round' }>): Reaction {
  const next = withNewRound(state, round);
  const shown = { ...next, notice: [notice, next.notice].filter((part) => part !== '').join(' ') };
  const { keyboard, pace } = state.options;
  const isUnknown = keyboard && drawnLayout(state.catalog, round.practised) === undefined;
  return only(
    shown,
    ...(pace === 'last' ? (['load-moments'] as const) : []),
    ...(isUnknown ? (['load-catalog'] as const) : []),
  );
}

function withOwnText(state: State, ownText: OwnText): State {
  return { ...withoutRound(state), ownText, missed: '', notice: '', greeting: ownText.notice ?? '' };
}

function saved(state: State, { id, history, unsaved }: Extract<RoundsEvent, { type: 'saved' }>): Reaction {
  const next = history === undefined ? state : { ...state, history };
  const { outcome } = state;
  if (outcome?.round.id !== id) return only(next, 'load-goal');
  return only(
    { ...next, outcome: { ...outcome, history: history ?? outcome.history, unsaved } },
    'load-goal',
  );
}

function tick(state: State, time: number): Reaction {
  const { round } = state;
  if (round === undefined || isDone(round)) return only(state);
  if (isTimeUp(round, time)) return only(withResults(state, endedByTime(round), time), 'finish-round');
  const active = elapsed(round, time);
  const moved = active === state.elapsed ? state : { ...state, elapsed: active };
  return only(isIdle(round, time) ? pauseRound(moved, time) : moved);
}
