import { padded, wrapped } from '../../kit/terminal-text.ts';
import { optionRows, valueName } from '../record/option-table.ts';
import type { ScreenProps } from '../state/state.ts';
import { drawKeys, type KeyHint } from '../view/key-hints.ts';
import { frameRows, Page, pageMargin } from './page.tsx';

const labelWidth = 22;

const keys: readonly KeyHint[] = [
  ['Left/Right', 'change'],
  ['Esc', 'back'],
  ['Up/Down', 'choose'],
];

export function OptionsScreen({ look, state }: ScreenProps) {
  const { size, options, optionRow: cursor, notice } = state;
  const width = size.columns - pageMargin;
  const { help, isForNext } = optionRows[cursor] ?? {};
  const about = `${help}${isForNext ? '; from the next round on' : ''}`;
  // A problem is more important than the description of the option.
  const remark = wrapped(notice || about, width)
    .slice(0, 3)
    .map((row) => look.paint(notice === '' ? 'faint' : 'warning', row));
  const room = size.rows - frameRows - remark.length;
  const first = Math.max(0, Math.min(cursor - room + 1, optionRows.length - room));
  const rows = optionRows.slice(first, first + room).map((row, at) => {
    const isChosen = first + at === cursor;
    const text = `${isChosen ? '>' : ' '} ${padded(row.label, labelWidth)}${valueName(row, options[row.key])}`;
    return isChosen ? look.paint('strong', text) : text;
  });
  const top = [look.paint('strong', 'Options'), '', ...rows];
  return <Page size={size} top={top} bottom={[...remark, drawKeys(look, keys, width)]} />;
}
