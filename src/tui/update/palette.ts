import { optionRows, valueName, withOptions } from '../record/option-table.ts';
import type { Options } from '../record/options.ts';
import { layoutGapText } from '../state/layout-gap.ts';
import { findEntries, type Palette, type PaletteChoice } from '../state/palette.ts';
import type { State } from '../state/state.ts';
import type { StampedKey } from '../terminal/keys.ts';
import { drawnLayout } from '../view/keyboard.ts';
import { closeScreen, isWorthAsking, openScreen, type Reaction, reaction, withoutRound } from './reaction.ts';

/** A path may be long. */
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
  if (query.length > maxQuery) return state;
  return withPalette(state, { query, row: 0, isConfirming: false });
}

/** Round and round. */
function move(state: State, row: number): State {
  const count = findEntries(state, state.palette.query).length;
  if (count === 0) return state;
  return withPalette(state, { row: (row + count) % count, isConfirming: false });
}

function withPalette(state: State, change: Partial<Palette>): State {
  return { ...state, palette: { ...state.palette, ...change } };
}

function choose(state: State, time: number): Reaction {
  const { choice } = findEntries(state, state.palette.query)[state.palette.row] ?? {};
  if (choice === undefined) return reaction(state);
  switch (choice.type) {
    case 'screen': {
      const opened = openScreen(state, choice.screen, time);
      if (choice.screen === 'history') return reaction(opened, 'load-report');
      return reaction({ ...opened, optionRow: choice.optionRow ?? opened.optionRow });
    }
    case 'set': {
      const options = withOptions(state.options, choice.change);
      return reaction(
        { ...closeScreen({ ...state, options }), notice: noticeOf(choice.change) },
        'save-options',
      );
    }
    case 'leave':
      return reaction(state, 'break-off');
    case 'text':
      if (isWorthAsking(state) && !state.palette.isConfirming)
        return reaction(withPalette(state, { isConfirming: true }));
      return reaction({ ...closeScreen(state), wantedText: choice.file }, 'open-text');
    default:
      return practise(state, choice.change);
  }
}

/** What is on now: most options do not show at once. */
function noticeOf(change: Partial<Options>): string {
  const row = optionRows.find(({ key }) => key in change);
  if (row === undefined) return '';
  const value = valueName(row, change[row.key] as string | number | boolean);
  return `${row.label}: ${value}${row.isForNext ? ', from the next round on' : ''}.`;
}

function practise(state: State, change: Extract<PaletteChoice, { type: 'practise' }>['change']): Reaction {
  if (isWorthAsking(state) && !state.palette.isConfirming)
    return reaction(withPalette(state, { isConfirming: true }));
  const options = { ...state.options, ...change };
  const customText = change.mode === undefined ? state.customText : undefined;
  const greeting = change.mode === undefined ? gapText(state, options) : '';
  return reaction(
    { ...withoutRound(state), options, customText, missed: '', notice: '', greeting },
    'save-options',
    'new-round',
  );
}

/** What the layout lacks of the language, as far as the server tells their letters. */
function gapText({ catalog }: State, options: Options): string {
  const { rows } = drawnLayout(catalog, options) ?? {};
  if (catalog === undefined || rows === undefined) return '';
  const { name = options.layout } = catalog.layouts.find(({ id }) => id === options.layout) ?? {};
  return layoutGapText(catalog, options.language, { name, rows });
}
