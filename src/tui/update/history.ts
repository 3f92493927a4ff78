import type { ProgressReport } from '../progress/report.ts';
import { type HistoryView, historyPages, type State } from '../state/state.ts';
import type { StampedKey } from '../terminal/keys.ts';
import { closeScreen, type Reaction, reaction } from './reaction.ts';

const pageRows = 10;

/** What a key does on the history screen; undefined for keys that only scroll. */
export function pressHistory(state: State, key: StampedKey): Reaction | undefined {
  const view = state.historyView;
  if (key.name === 'left' || key.name === 'right') {
    const turned = turnKind(view, key.name === 'left' ? -1 : 1);
    return turned === view
      ? reaction(state)
      : reaction({ ...withView(state, turned), scroll: 0 }, 'load-report');
  }
  if (state.options.plain) return undefined;
  if (key.name === 'tab') {
    const next = historyPages[(historyPages.indexOf(view.page) + 1) % historyPages.length] ?? 'progress';
    return reaction(onPage(state, next));
  }
  const page = historyPages[Number(key.text) - 1];
  if (page !== undefined) return reaction(onPage(state, page));
  if (key.text === 'k') {
    return reaction(
      withView(state, { ...view, measure: view.measure === 'accuracy' ? 'speed' : 'accuracy' }),
    );
  }
  return view.page === 'rounds' ? pressRounds(state, key) : undefined;
}

/** Enter opens the round under the cursor; arrows go on to the next one in either form. */
function pressRounds(state: State, key: StampedKey): Reaction | undefined {
  const view = state.historyView;
  const move = (step: number) => reaction(withView(state, moveRound(view, state.report, step)));
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
      if (state.report?.rounds[view.round] === undefined) return reaction(closeScreen(state));
      return reaction(withView(state, { ...view, isOpen: !view.isOpen }));
    case 'escape':
      return view.isOpen ? reaction(withView(state, { ...view, isOpen: false })) : undefined;
    default:
      return undefined;
  }
}

function onPage(state: State, page: HistoryView['page']): State {
  return withView(state, { ...state.historyView, page, isOpen: false });
}

function withView(state: State, historyView: HistoryView): State {
  return historyView === state.historyView ? state : { ...state, historyView };
}

/** The view with the next or previous kind; the same where there is no other. */
function turnKind(view: HistoryView, step: 1 | -1): HistoryView {
  const count = view.kinds.length;
  if (count < 2) return view;
  return { ...view, kind: (view.kind + step + count) % count, round: 0, isOpen: false };
}

/** The view with the cursor on another round; it stops at both ends. */
function moveRound(view: HistoryView, report: ProgressReport | undefined, step: number): HistoryView {
  const last = (report?.rounds.length ?? 0) - 1;
  const round = Math.max(0, Math.min(view.round + step, last));
  return round === view.round ? view : { ...view, round };
}
