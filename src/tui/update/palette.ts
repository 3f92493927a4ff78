import { optionRows, valueName, withOptions } from '../record/option-table.ts';
import type { Options } from '../record/options.ts';
import { layoutGapText } from '../state/layout-gap.ts';
import { findEntries } from '../state/palette.ts';
import type { State } from '../state/state.ts';
import type { StampedKey } from '../terminal/keys.ts';
import { drawnLayout } from '../view/keyboard.ts';
import { closeScreen, mustConfirm, openScreen, type Reaction, reaction, withoutRound } from './reaction.ts';

/** A change of these begins a round. */
const practiceKeys = ['mode', 'language', 'layout'] as const;

const maxQuery = 200;

/** What a key does in the palette: letters search, Enter chooses. */
export function pressPalette(state: State, key: StampedKey): Reaction {
  const { query, row } = state.palette;
  switch (key.name) {
    case 'escape':
      return reaction(closeScreen(state));
    case 'enter':
      return choose(state, key.time);
    case 'up':
    case 'down':
      return reaction(move(state, row + (key.name === 'up' ? -1 : 1)));
    case 'backspace':
      return reaction(search(state, [...query].slice(0, -1).join('')));
    case 'delete-word':
      return reaction(search(state, ''));
    case 'space':
      return reaction(search(state, `${query} `));
    case 'character':
      return reaction(search(state, query + key.text));
    default:
      return reaction(state);
  }
}

function search(state: State, query: string): State {
  return query.length > maxQuery ? state : { ...state, palette: { query, row: 0, isConfirming: false } };
}

/** Wraps around. */
function move(state: State, row: number): State {
  const count = findEntries(state, state.palette.query).length;
  const palette = { ...state.palette, row: count === 0 ? 0 : (row + count) % count, isConfirming: false };
  return { ...state, palette };
}

function choose(state: State, time: number): Reaction {
  const { choice } = findEntries(state, state.palette.query)[state.palette.row] ?? {};
  if (choice === undefined) return reaction(state);
  const { options, catalog, palette } = state;
  if (choice.type === 'leave') return reaction(state, 'break-off');
  if (choice.type === 'screen') {
    const opened = openScreen(state, choice.screen, time);
    if (choice.screen === 'history') return reaction(opened, 'load-report');
    return reaction({ ...opened, optionRow: choice.optionRow ?? opened.optionRow });
  }
  const change = choice.type === 'set' ? choice.change : {};
  const begins = choice.type === 'text' || practiceKeys.some((key) => key in change);
  if (!begins) {
    const closed = closeScreen({ ...state, options: withOptions(options, change) });
    return reaction({ ...closed, notice: noticeOf(change) }, 'save-options');
  }
  if (mustConfirm(state) && !palette.isConfirming)
    return reaction({ ...state, palette: { ...palette, isConfirming: true } });
  if (choice.type === 'text')
    return reaction({ ...closeScreen(state), wantedText: choice.file }, 'open-text');
  const next = { ...options, ...change };
  const known = drawnLayout(catalog, next);
  const isKnown = change.mode === undefined && catalog !== undefined && known !== undefined;
  const greeting = isKnown ? layoutGapText(catalog, next.language, known) : '';
  const customText = change.mode === undefined ? state.customText : undefined;
  return reaction(
    { ...withoutRound(state), options: next, customText, missed: '', notice: '', greeting },
    'save-options',
    'new-round',
  );
}

/** Names the new value, because most options have no visible effect at once. */
function noticeOf(change: Partial<Options>): string {
  const row = optionRows.find(({ key }) => key in change);
  if (row === undefined) return '';
  const value = valueName(row, change[row.key] as string | number | boolean);
  return `${row.label}: ${value}${row.isForNext ? ', from the next round on' : ''}.`;
}
