import type { StampedKey } from '../input/key.ts';
import type { App } from '../state/app-state.ts';
import {
  type HistoryPage,
  type HistoryView,
  historyPages,
  moveRound,
  toDayView,
  toNextDay,
  turnKind,
} from '../state/history-view.ts';
import { closeScreen } from './overlays.ts';
import { only, type Reaction } from './reaction.ts';

const pageRows = 10;

/** What a key does on the history screen; undefined for keys that only scroll. */
export function pressHistory(app: App, key: StampedKey): Reaction | undefined {
  const view = app.historyView;
  if (key.name === 'left' || key.name === 'right') {
    const turned = turnKind(view, key.name === 'left' ? -1 : 1);
    return turned === view ? only(app) : only({ ...withView(app, turned), scroll: 0 }, 'load-report');
  }
  if (key.text === 'd') {
    return only({ ...withView(app, toDayView(view, toNextDay(view.day))), scroll: 0 }, 'load-report');
  }
  if (app.options.plain) return undefined;
  if (key.name === 'tab') return only(toPage(app, nextPage(view.page)));
  const page = historyPages[Number(key.text) - 1];
  if (page !== undefined) return only(toPage(app, page));
  if (key.text === 'k') {
    return only(withView(app, { ...view, measure: view.measure === 'accuracy' ? 'speed' : 'accuracy' }));
  }
  return view.page === 'rounds' ? pressRounds(app, key) : undefined;
}

/** Enter opens the round under the cursor; arrows go on to the next one in either form. */
function pressRounds(app: App, key: StampedKey): Reaction | undefined {
  const view = app.historyView;
  const move = (step: number) => only(withView(app, moveRound(view, app.report, step)));
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
      if (app.report?.rounds[view.round] === undefined) return only(closeScreen(app));
      return only(withView(app, { ...view, isOpen: !view.isOpen }));
    case 'escape':
      return view.isOpen ? only(withView(app, { ...view, isOpen: false })) : undefined;
    default:
      return undefined;
  }
}

function nextPage(page: HistoryPage): HistoryPage {
  return historyPages[(historyPages.indexOf(page) + 1) % historyPages.length] ?? 'progress';
}

function toPage(app: App, page: HistoryPage): App {
  return withView(app, { ...app.historyView, page, isOpen: false });
}

function withView(app: App, historyView: HistoryView): App {
  return historyView === app.historyView ? app : { ...app, historyView };
}
