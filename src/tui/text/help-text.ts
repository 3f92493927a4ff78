import { toRows, toWidth } from './text-layout.ts';

const keys: readonly (readonly [string, string])[] = [
  ['Space', 'finish the word; skips its missing letters'],
  ['Backspace', 'delete a letter'],
  ['Ctrl+W', 'delete the word; so does Alt+Backspace'],
  ['Tab', 'restart (twice after word 5)'],
  ['Enter', 'next round, on the results'],
  ['Esc', 'leave (twice in a round)'],
  ['Ctrl+P', 'choose mode, language, layout: type to search'],
  ['Ctrl+O', 'options'],
  ['Ctrl+Y', 'history; d: of today, of yesterday'],
  ['m', 'practise missed and slow words, on the results'],
  ['k', 'accuracy or speed, on the results'],
  ['Ctrl+L', 'draw the screen again'],
  ['Ctrl+Z', 'stop; "fg" comes back'],
  ['F1', 'this help; so does ? before a round'],
];

const notes = [
  'WPM: characters / 5 a minute, with spaces, without the first (standard WPM). Accuracy: right keystrokes of all but the space after a word; corrected mistakes still count.',
  'The timer starts with the first right letter and pauses while you look elsewhere, and after 20 seconds without a key (not in a timed test).',
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
