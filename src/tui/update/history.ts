import { maxScroll } from '../screens/reading-rows.ts';
import { type HistoryView, historyPages, type State } from '../state/state.ts';
import type { KeyName, StampedKey } from '../terminal/keys.ts';
import { closeScreen, type Reaction, reaction } from './reaction.ts';

export function pressHistory(state: State, key: StampedKey): Reaction {
  const { page: shown, kinds, kind, round } = state.historyView;
  if ((key.name === 'left' || key.name === 'right') && kinds.length > 1) {
    const step = key.name === 'left' ? -1 : 1;
    const next = { kind: (kind + step + kinds.length) % kinds.length, round: 0 };
    return reaction({ ...withView(state, next), scroll: 0 }, 'load-report');
  }
  if (state.options.plain) return pressReading(state, key);
  const after = (historyPages.indexOf(shown) + 1) % historyPages.length;
  const page = historyPages[key.name === 'tab' ? after : Number(key.text) - 1];
  if (page !== undefined) return reaction(withView(state, { page }));
  if (key.text === 'k') return reaction(withOtherMeasure(state));
  const step = scrollSteps[key.name];
  if (shown !== 'rounds' || step === undefined) return pressReading(state, key);
  const last = (state.report?.rounds.length ?? 0) - 1;
  return reaction(withView(state, { round: Math.max(0, Math.min(round + step, last)) }));
}

function withView(state: State, change: Partial<HistoryView>): State {
  return { ...state, historyView: { ...state.historyView, ...change } };
}

export function withOtherMeasure(state: State): State {
  return { ...state, measure: state.measure === 'accuracy' ? 'speed' : 'accuracy' };
}

export function pressReading(state: State, key: StampedKey): Reaction {
  if (key.name === 'escape' || key.name === 'enter' || key.text === 'q') return reaction(closeScreen(state));
  return pressScroll(state, key);
}

const scrollSteps: Partial<Record<KeyName, number>> = {
  up: -1,
  down: 1,
  'page-up': -10,
  'page-down': 10,
  space: 10,
  home: Number.NEGATIVE_INFINITY,
};

export function pressScroll(state: State, { name }: StampedKey): Reaction {
  const to = Math.max(0, Math.min(state.scroll + (scrollSteps[name] ?? 0), maxScroll(state)));
  return reaction(to === state.scroll ? state : { ...state, scroll: to });
}
