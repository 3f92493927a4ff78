import { toRows, toWidth } from '../drawing/text-layout.ts';

const keys: readonly (readonly [string, string])[] = [
  ['Space', 'finish the word'],
  ['Backspace', 'delete a letter'],
  ['Ctrl+W', 'delete the word; so does Alt+Backspace'],
  ['Tab', 'start again with other words'],
  ['Enter', 'next round, on the results'],
  ['Esc', 'leave (twice in a round)'],
  ['Ctrl+O', 'options'],
  ['Ctrl+Y', 'history'],
  ['k', 'accuracy or speed, on the results'],
  ['Ctrl+L', 'draw the screen again'],
  ['Ctrl+Z', 'stop; "fg" comes back'],
  ['F1', 'this help; so does ? before a round'],
];

const notes = [
  'Speed: right keystrokes / 5 a minute. Accuracy: right keystrokes of all; a slip that you mend still counts.',
  'The clock starts with the first right letter and stands while you look elsewhere.',
];

/** Columns of the key names. */
const keyWidth = 12;

/** Keys and formulas, for `width` columns. */
export function toHelpRows(width: number): string[] {
  const table = keys.flatMap(([key, action]) => {
    const [first = '', ...rest] = toRows(action, width - keyWidth);
    return [toWidth(key, keyWidth) + first, ...rest.map((row) => ' '.repeat(keyWidth) + row)];
  });
  return ['Help', '', ...table, ...notes.flatMap((note) => ['', ...toRows(note, width)])];
}
