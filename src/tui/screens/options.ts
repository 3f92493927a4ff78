import { bothEnds, padded, wrapped } from '../../kit/terminal-text.ts';
import type { Look } from '../look/look.ts';
import { forNextRound, optionRows, steppedOption, valueName } from '../record/option-table.ts';
import type { State } from '../state/state.ts';
import type { StampedKey } from '../terminal/keys.ts';
import { drawKeys, frameRows, type Page, pageMargin, rowsAround } from '../view/page.ts';
import { closeScreen, type Reaction, reaction } from './reaction.ts';

const keys = [
  ['Left/Right', 'change'],
  ['Esc', 'back'],
  ['Up/Down', 'move'],
] as const;

export function pressOptions(before: State, { name }: StampedKey): Reaction {
  const state = before.notice === '' ? before : { ...before, notice: '' };
  switch (name) {
    case 'escape':
    case 'enter':
      return reaction(closeScreen(state), 'save-options');
    case 'up':
    case 'down': {
      const step = name === 'up' ? -1 : 1;
      const optionRow = (state.optionRow + step + optionRows.length) % optionRows.length;
      return reaction({ ...state, optionRow });
    }
    case 'left':
    case 'right':
    case 'space': {
      const options = steppedOption(state.options, state.optionRow, name === 'left' ? -1 : 1);
      return reaction({ ...state, options }, 'save-options');
    }
    default:
      return reaction(state);
  }
}

const labelWidth = 22;

export function drawOptions(look: Look, { size, options, optionRow: cursor, notice }: State): Page {
  const width = size.columns - pageMargin;
  const { key = 'view', help } = optionRows[cursor] ?? {};
  const about = `${help}${forNextRound.has(key) ? '; from the next round on' : ''}`;
  // A problem is more important than the description of the option.
  const remark = wrapped(notice || about, width)
    .slice(0, 3)
    .map((row) => look.paint(notice === '' ? 'faint' : 'warning', row));
  const room = size.rows - frameRows - remark.length;
  const place = room < optionRows.length ? `${cursor + 1} of ${optionRows.length}` : '';
  const rows = rowsAround(optionRows, cursor, room).map(([row, isChosen]) =>
    look.paint(...listRow(padded(row.label, labelWidth) + valueName(row, options[row.key]), isChosen)),
  );
  return {
    blocks: [[bothEnds(look.paint('strong', 'Options'), look.paint('faint', place), width), '', ...rows]],
    bottom: [...remark, drawKeys(look, keys, width)],
  };
}

export function listRow(text: string, isChosen: boolean): [style: 'strong' | 'plain', text: string] {
  return isChosen ? ['strong', `> ${text}`] : ['plain', `  ${text}`];
}
