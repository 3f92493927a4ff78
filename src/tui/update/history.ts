import {
  type HistoryPage,
  type HistoryView,
  historyPages,
  moveRound,
  turnKind,
} from '../state/history-view.ts';
import type { State } from '../state/state.ts';
import type { StampedKey } from '../terminal/keys.ts';
import { closeScreen, only, type Reaction } from './reaction.ts';

const pageRows = 10;

/** What a key does on the history screen; undefined for keys that only scroll. */
export function pressHistory(state: State, key: StampedKey): Reaction | undefined {
  const view = state.historyView;
  if (key.name === 'left' || key.name === 'right') {
    const turned = turnKind(view, key.name === 'left' ? -1 : 1);
    return turned === view ? only(state) : only({ ...withView(state, turned), scroll: 0 }, 'load-report');
  }
  if (state.options.plain) return undefined;
  if (key.name === 'tab') return only(onPage(state, nextPage(view.page)));
  const page = historyPages[Number(key.text) - 1];
  if (page !== undefined) return only(onPage(state, page));
  if (key.text === 'k') {
    return only(withView(state, { ...view, measure: view.measure === 'accuracy' ? 'speed' : 'accuracy' }));
  }
  return view.page === 'rounds' ? pressRounds(state, key) : undefined;
}

/** Enter opens the round under the cursor; arrows go on to the next one in either form. */
function pressRounds(state: State, key: StampedKey): Reaction | undefined {
  const view = state.historyView;
  const move = (step: number) => only(withView(state, moveRound(view, state.report, step)));
  switch (key.name) {
    case 'up':
      return move(-1);
    case 'down':
      return move(1);
    case 'page-up':
      return move(-pageRows);
    case 'page-down':
      return move(pageRows);
    case 'home':
      return move(Number.NEGATIVE_INFINITY);
    case 'enter':
      if (state.report?.rounds[view.round] === undefined) return only(closeScreen(state));
      return only(withView(state, { ...view, isOpen: !view.isOpen }));
    case 'escape':
      return view.isOpen ? only(withView(state, { ...view, isOpen: false })) : undefined;
    default:
      return undefined;
  }
}

function nextPage(page: HistoryPage): HistoryPage {
  return historyPages[(historyPages.indexOf(page) + 1) % historyPages.length] ?? 'progress';
}

function onPage(state: State, page: HistoryPage): State {
  return withView(state, { ...state.historyView, page, isOpen: false });
}

function withView(state: State, historyView: HistoryView): State {
  return historyView === state.historyView ? state : { ...state, historyView };
}
