import { advanceKeys, type Options, themeNames, views } from './record/options.ts';

/** One line of the options screen: its values in order, and what they are called. */
export interface OptionRow {
  readonly key: keyof Options;
  readonly label: string;
  readonly values: readonly (string | boolean)[];
  readonly names: readonly string[];
}

const onOff = { values: [false, true], names: ['off', 'on'] } as const;

export const optionRows: readonly OptionRow[] = [
  { key: 'view', label: 'View', values: views, names: ['block letters', 'lines of text'] },
  {
    key: 'theme',
    label: 'Theme',
    values: themeNames,
    names: ['classic', 'clear (safe for colour-blind eyes)', 'ember'],
  },
  { key: 'advance', label: 'A word ends with', values: advanceKeys, names: ['Space', 'Enter', 'either'] },
  { key: 'keyboard', label: 'Keyboard drawing', ...onOff },
  { key: 'sounds', label: 'Bell at a wrong key', ...onOff },
  { key: 'reducedMotion', label: 'Reduced motion', ...onOff },
  { key: 'ascii', label: 'ASCII drawing', ...onOff },
  { key: 'plain', label: 'Plain sentences', ...onOff },
];

/** The options with the value of one row moved by `step`, round and round. */
export function turnOption(options: Options, row: number, step: 1 | -1): Options {
  const option = optionRows[row];
  if (option === undefined) return options;
  const at = option.values.indexOf(options[option.key]);
  const next = option.values[(at + step + option.values.length) % option.values.length];
  return { ...options, [option.key]: next };
}
