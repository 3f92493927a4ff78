import { themeNames } from '../look/themes.ts';
import { advanceKeys, type Options, views } from '../record/options.ts';

/** One line of the options screen: its values in order, what they are called, and what it is about. */
export interface OptionRow {
  readonly key: Exclude<keyof Options, 'mode' | 'language' | 'layout'>;
  readonly label: string;
  readonly values: readonly (string | boolean)[];
  readonly names: readonly string[];
  /** One sentence that fits into the smallest terminal. */
  readonly about: string;
}

const onOff = { values: [false, true], names: ['off', 'on'] } as const;

export const optionRows: readonly OptionRow[] = [
  {
    key: 'view',
    label: 'View',
    values: views,
    names: ['block letters', 'lines of text'],
    about: 'One large word, or the whole round.',
  },
  {
    key: 'theme',
    label: 'Theme',
    values: themeNames,
    names: themeNames,
    about: 'Clear is safe for colour-blind eyes.',
  },
  {
    key: 'advance',
    label: 'A word ends with',
    values: advanceKeys,
    names: ['Space', 'Enter', 'either'],
    about: 'The key that finishes a word.',
  },
  {
    key: 'keyboard',
    label: 'Keyboard drawing',
    ...onOff,
    about: 'Shows the next key and its finger.',
  },
  { key: 'sounds', label: 'Bell at a wrong key', ...onOff, about: 'The bell is the one of the terminal.' },
  { key: 'punctuation', label: 'Punctuation', ...onOff, about: 'From the next round on.' },
  {
    key: 'strict',
    label: 'Space too early',
    values: [false, true],
    names: ['skips letters', 'is a mistake'],
    about: 'From the next round on.',
  },
  { key: 'reducedMotion', label: 'Reduced motion', ...onOff, about: 'Figures change once a word only.' },
  { key: 'ascii', label: 'ASCII drawing', ...onOff, about: 'No line and block characters.' },
  { key: 'plain', label: 'Plain sentences', ...onOff, about: 'Results and history to be read aloud.' },
];

/** The options with the value of one row moved by `step`, round and round. */
export function turnOption(options: Options, row: number, step: 1 | -1): Options {
  const option = optionRows[row];
  if (option === undefined) return options;
  const at = option.values.indexOf(options[option.key]);
  const next = option.values[(at + step + option.values.length) % option.values.length];
  return { ...options, [option.key]: next };
}
