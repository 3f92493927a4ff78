import { bothEnds, cut, padded, wrapped } from '../../kit/terminal-text.ts';
import { optionRows, valueName } from '../record/option-table.ts';
import { findEntries, isCurrent } from '../state/palette.ts';
import type { ScreenProps } from '../state/state.ts';
import { leftPlaceText } from '../state/text.ts';
import { drawKeys, type KeyHint } from '../view/key-hints.ts';
import { frameRows, Page, pageMargin, rowsAround } from './page.tsx';

const optionKeys: readonly KeyHint[] = [
  ['Left/Right', 'change'],
  ['Esc', 'back'],
  ['Up/Down', 'choose'],
];

const labelWidth = 22;

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
  const rows = rowsAround(optionRows, cursor, room).map(([row, isChosen]) => {
    const value = valueName(row, options[row.key]);
    return look.paint(...listRow(`${padded(row.label, labelWidth)}${value}`, isChosen));
  });
  const bottom = [...remark, drawKeys(look, optionKeys, width)];
  return <Page size={size} blocks={[[look.paint('strong', 'Options'), '', ...rows]]} bottom={bottom} />;
}

function listRow(text: string, isChosen: boolean): [style: 'strong' | 'plain', text: string] {
  return isChosen ? ['strong', `> ${text}`] : ['plain', `  ${text}`];
}

const paletteKeys: readonly KeyHint[] = [
  ['Enter', 'choose'],
  ['Up/Down', 'move'],
  ['Esc', 'back'],
];

const groupWidth = 18;
/** Columns of the number of entries found, the prompt and the caret. */
const countWidth = 16;

/** Everything that can be chosen, found by typing a part of its name. */
export function PaletteScreen({ look, state }: ScreenProps) {
  const { size, palette, options, customText, catalog } = state;
  const { paint, signs } = look;
  const width = size.columns - pageMargin;
  const entries = findEntries(state, palette.query);
  const hint = cut('type to search: mode, language, layout, option', width - countWidth, signs.ellipsis);
  const shown = palette.query.slice(-Math.max(10, width - countWidth)); // the end of a path says more
  const query = `${paint('strong', '>')} ${shown}${paint('current', ' ')}${shown === '' ? paint('faint', ` ${hint}`) : ''}`;
  const room = size.rows - frameRows - 1; // for the remark above the keys
  const rows = rowsAround(entries, palette.row, room).map(([entry, isChosen]) => {
    const isNow = isCurrent(entry, options) && customText === undefined;
    const [style, text] = listRow(
      `${padded(entry.group, groupWidth)} ${entry.label}${isNow ? ' (now)' : ''}`,
      isChosen,
    );
    return paint(style, cut(text, width, signs.ellipsis));
  });
  const nothing = entries.length === 0 ? 'Nothing found: try another word.' : '';
  const loading = catalog === undefined ? 'Languages and layouts are loading.' : nothing;
  const remark = palette.isConfirming ? 'Enter again abandons this round.' : loading;
  return (
    <Page
      size={size}
      blocks={[[bothEnds(query, paint('faint', `${entries.length} found`), width), '', ...rows]]}
      bottom={[paint('warning', cut(remark, width, signs.ellipsis)), drawKeys(look, paletteKeys, width)]}
    />
  );
}

const resumeKeys: readonly KeyHint[] = [
  ['Enter', 'continue'],
  ['Tab', 'new round'],
  ['Esc', 'leave'],
];

export function ResumeScreen({ look, state: { interruptedRound, size } }: ScreenProps) {
  if (interruptedRound === undefined) return null;
  const width = size.columns - pageMargin;
  const { round } = interruptedRound;
  const begun = new Date(round.startUnix ?? 0).toLocaleString('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const question = `A round from ${begun} was cut off ${leftPlaceText(round)}. Nothing was lost.`;
  const blocks = [[look.paint('strong', 'typebadge')], wrapped(question, width)];
  return <Page size={size} blocks={blocks} bottom={[drawKeys(look, resumeKeys, width)]} />;
}
