import { bothEnds, cut, padded } from '../../kit/terminal-text.ts';
import type { Look } from '../look/look.ts';
import { findEntries, isCurrent, type PaletteEntry } from '../state/palette.ts';
import type { ScreenProps, State } from '../state/state.ts';
import { drawKeys, type KeyHint } from '../view/key-hints.ts';
import { frameRows, Page, pageMargin } from './page.tsx';

const groupWidth = 18;

const keys: readonly KeyHint[] = [
  ['Enter', 'choose'],
  ['Up/Down', 'move'],
  ['Esc', 'back'],
];

/** Columns of the number of entries found, the prompt and the caret. */
const countWidth = 16;

/** Everything that can be chosen, found by typing a part of its name. */
export function PaletteScreen({ look, state }: ScreenProps) {
  const { size, palette } = state;
  const width = size.columns - pageMargin;
  const room = size.rows - frameRows - 1; // for the remark above the keys
  const entries = findEntries(state, palette.query);
  const first = Math.max(0, Math.min(palette.row - Math.floor(room / 2), entries.length - room));
  const rows = entries
    .slice(first, first + room)
    .map((entry, at) => drawEntry(look, state, entry, first + at === palette.row, width));
  const remark = look.paint('warning', cut(remarkOf(state, entries.length), width, look.signs.ellipsis));
  return (
    <Page
      size={size}
      top={[drawQuery(look, palette.query, entries.length, width), '', ...rows]}
      bottom={[remark, drawKeys(look, keys, width)]}
    />
  );
}

function drawQuery({ paint, signs }: Look, query: string, found: number, width: number): string {
  const hint = cut('type to search: mode, language, layout, option', width - countWidth, signs.ellipsis);
  const placeholder = query === '' ? paint('faint', ` ${hint}`) : '';
  const shown = query.slice(-Math.max(10, width - countWidth)); // the end of a path says more
  const line = `${paint('strong', '>')} ${shown}${paint('current', ' ')}${placeholder}`;
  return bothEnds(line, paint('faint', `${found} found`), width);
}

function drawEntry(look: Look, state: State, entry: PaletteEntry, isChosen: boolean, width: number): string {
  const isNow = isCurrent(entry, state.options) && state.customText === undefined;
  const text = `${isChosen ? '>' : ' '} ${padded(entry.group, groupWidth)} ${entry.label}${isNow ? ' (now)' : ''}`;
  const fitting = cut(text, width, look.signs.ellipsis);
  return isChosen ? look.paint('strong', fitting) : fitting;
}

function remarkOf({ palette, catalog }: State, found: number): string {
  if (palette.isConfirming) return 'Enter again abandons this round.';
  if (catalog === undefined) return 'Languages and layouts are loading.';
  return found === 0 ? 'Nothing found: try another word.' : '';
}
