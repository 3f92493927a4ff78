import { ruleValues } from '../../typing/rules/rules.ts';
import { themeNames } from '../look/themes.ts';
import { advanceKeys, backspaces, type Options, paces, views } from '../record/options.ts';

/** One line of the options screen: its values in order, what they are called, and what it is about. */
export interface OptionRow {
  readonly key: Exclude<keyof Options, 'mode' | 'language' | 'layout' | 'ownLayout'>;
  readonly label: string;
  readonly values: readonly (string | number | boolean)[];
  readonly names: readonly string[];
  /** One sentence that fits into the smallest terminal. */
  readonly about: string;
  /** What else people may type to find it in the palette. */
  readonly aliases?: string;
  /** Whether a round under way goes on without it. */
  readonly isForNext?: true;
}

const onOff = { values: [false, true], names: ['off', 'on'] } as const;

const goals = [5, 10, 15, 20, 30, 60];

const paceSpeeds = [20, 30, 40, 50, 60, 70, 80, 100, 120];

function limits(unit: string, values: readonly number[]) {
  return { values: [0, ...values], names: ['none', ...values.map((value) => `${value} ${unit}`)] };
}

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
    aliases: 'colour colours color colors dark',
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
  {
    key: 'sounds',
    label: 'Bell at a wrong key',
    ...onOff,
    about: 'Rings the bell of the terminal.',
    aliases: 'sound sounds audio beep',
  },
  {
    key: 'punctuation',
    label: 'Punctuation',
    ...onOff,
    about: 'From the next round on.',
    isForNext: true,
  },
  {
    key: 'strict',
    label: 'Space too early',
    values: [false, true],
    names: ['skips letters', 'is a mistake'],
    about: 'From the next round on.',
    aliases: 'strict',
    isForNext: true,
  },
  {
    key: 'stopOn',
    label: 'A mistake stops',
    values: ruleValues.stopOn,
    names: ['nothing', 'the letter', 'the word'],
    about: 'Until it is corrected; next round on.',
    aliases: 'error errors',
    isForNext: true,
  },
  {
    key: 'backspace',
    label: 'Backspace',
    values: backspaces,
    names: ['deletes', 'does nothing'],
    about: 'From the next round on.',
    isForNext: true,
  },
  {
    key: 'suddenDeath',
    label: 'Sudden death',
    ...onOff,
    about: 'The first mistake ends the round.',
    isForNext: true,
  },
  { key: 'blind', label: 'Blind', ...onOff, about: 'Mistakes show in the results only.' },
  {
    key: 'minWpm',
    label: 'Minimum speed',
    ...limits('WPM', [20, 30, 40, 50, 60, 70, 80, 100, 120]),
    about: 'Slower, after 5 s, ends the round.',
    isForNext: true,
  },
  {
    key: 'minAccuracy',
    label: 'Minimum accuracy',
    ...limits('%', [80, 85, 90, 95, 97, 99, 100]),
    about: 'Less, after 25 keys, ends the round.',
    isForNext: true,
  },
  {
    key: 'pace',
    label: 'Pace to race',
    values: [...paces, ...paceSpeeds],
    names: [
      'off',
      'your average',
      'your best',
      'your last round',
      ...paceSpeeds.map((speed) => `${speed} WPM`),
    ],
    about: 'A mark that moves through the text.',
    aliases: 'caret cursor pacer ghost',
  },
  {
    key: 'goal',
    label: 'Minutes a day',
    values: [0, ...goals],
    names: ['no goal', ...goals.map((minutes) => `${minutes} min`)],
    about: 'Days in a row by your own calendar.',
    aliases: 'daily goal streak',
  },
  { key: 'reducedMotion', label: 'Reduced motion', ...onOff, about: 'Figures change once a word only.' },
  { key: 'ascii', label: 'ASCII drawing', ...onOff, about: 'No line and block characters.' },
  { key: 'plain', label: 'Plain sentences', ...onOff, about: 'Results and history to be read aloud.' },
];

/** The options with the value of one row moved by `step`, round and round; a number of one's own lies between two values. */
export function turnOption(options: Options, row: number, step: 1 | -1): Options {
  const option = optionRows[row];
  if (option === undefined) return options;
  const { values } = option;
  const current = options[option.key];
  const at = values.indexOf(current);
  const between = values.findLastIndex((value) => value < current) + (step === 1 ? 0 : 1);
  const next = values[((at < 0 ? between : at) + step + values.length) % values.length];
  return setOptions(options, { [option.key]: next });
}

/** The options with a change. A word that may not be left with a mistake in it needs Backspace: the later choice wins. */
export function setOptions(options: Options, change: Partial<Options>): Options {
  const next = { ...options, ...change };
  if (next.stopOn !== 'word' || next.backspace !== 'none') return next;
  return change.backspace === 'none' ? { ...next, stopOn: 'none' } : { ...next, backspace: 'free' };
}

/** What the value of an option is called. */
export function toValueName({ values, names }: OptionRow, value: OptionRow['values'][number]): string {
  return names[values.indexOf(value)] ?? String(value);
}
