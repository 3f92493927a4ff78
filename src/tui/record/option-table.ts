/*
 * All options of the client, each once: the saved file, the flags of `play`, the options screen, the palette,
 * completion and the table in the documents are derived from this list.
 */
import { lightThemes, type ThemeName, themeNames } from '../look/themes.ts';

type Value = string | number | boolean;

/** An option with its values, in the order of the screen, and their names there. */
interface Choice<Some extends Value> {
  readonly label: string;
  /** For the help of the command line, and below the options. */
  readonly help: string;
  readonly values: readonly Some[];
  readonly names: readonly string[];
  /** The argument of the flag, such as `<number>`; undefined: the option is on or off. */
  readonly argument: string | undefined;
  /** The value that a text from a file or the command line stands for; undefined if there is none. */
  readonly parse: (text: string) => Some | undefined;
  /** What is accepted, for the error. */
  readonly takes: string;
}

function onOff(
  label: string,
  help: string,
  names: readonly [string, string] = ['off', 'on'],
): Choice<boolean> {
  const parse = (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined);
  return { label, help, values: [false, true], names, argument: undefined, parse, takes: 'nothing' };
}

function oneOf<Name extends string>(
  label: string,
  help: string,
  argument: string,
  named: Readonly<Record<Name, string>>,
): Choice<Name> {
  const values = Object.keys(named) as Name[];
  const takes = `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  const parse = (text: string) => values.find((value) => value === text);
  return { label, help, values, names: Object.values(named), argument, parse, takes };
}

/** A number from 0, which means none, to `max`; `steps` are those of the screen. */
function upTo(
  label: string,
  help: string,
  max: number,
  [argument, unit, none]: readonly [argument: string, unit: string, none: string],
  steps: readonly number[],
): Choice<number> {
  const names = [none, ...steps.map((step) => `${step} ${unit}`)];
  const parse = (text: string) => parseNumber(text, 0, max);
  const takes = `a whole number from 0 to ${max}`;
  return { label, help, values: [0, ...steps], names, argument, parse, takes };
}

function parseNumber(text: string, min: number, max: number): number | undefined {
  const number = /^\d{1,4} ?%?$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  return number >= min && number <= max ? number : undefined;
}

const maxWpm = 300;
const speeds = [20, 30, 40, 50, 60, 70, 80, 100, 120];
const racedRounds = ['off', 'average', 'best', 'last'] as const;

/** The custom theme, whose colours are in `customTheme`, is reached by its file, or later by its name. */
const theme: Choice<ThemeName | 'own'> = {
  label: 'Theme',
  help: `colours; clear is colour-blind safe; ${Object.keys(lightThemes).join(', ')}: for light terminals`,
  values: themeNames,
  names: themeNames,
  argument: '<theme>',
  parse: (text) => (text === 'own' ? text : themeNames.find((name) => name === text)),
  takes: `${themeNames.join(', ')}, or a JSON file with your own`,
};

const pace: Choice<(typeof racedRounds)[number] | number> = {
  label: 'Pace to race',
  help: 'race your average, best or last round, or a speed in WPM; off: no pace',
  values: [...racedRounds, ...speeds],
  names: ['off', 'your average', 'your best', 'your last round', ...speeds.map((speed) => `${speed} WPM`)],
  argument: '<what>',
  parse: (text) => racedRounds.find((raced) => raced === text) ?? parseNumber(text, 1, maxWpm),
  takes: `average, best, last, off, or a speed from 1 to ${maxWpm}`,
};

const views = { blocks: 'block letters', lines: 'lines of text' };
const endingKeys = { space: 'Space', enter: 'Enter', either: 'either' };
const stops = { none: 'nothing', letter: 'the letter', word: 'the word' };
const deletions = { free: 'deletes', none: 'does nothing' };
const percents = [80, 85, 90, 95, 97, 99, 100];

const optionTable = {
  view: oneOf('View', 'how words are shown', '<view>', views),
  theme,
  advance: oneOf('A word ends with', 'the key that finishes a word', '<key>', endingKeys),
  keyboard: onOff('Keyboard drawing', 'draw the keyboard with the next key'),
  sounds: onOff('Bell at a wrong key', 'ring the bell at a wrong key'),
  punctuation: onOff('Punctuation', 'words with punctuation marks'),
  strict: onOff(
    'Space too early',
    'a space before the end of a word is a mistake, instead of the end of the word',
    ['skips letters', 'is a mistake'],
  ),
  stopOn: oneOf(
    'A mistake stops',
    'a mistake must be corrected at once, or before its word ends',
    '<what>',
    stops,
  ),
  backspace: {
    ...oneOf('Backspace', 'what it deletes; never in an earlier word', '<how>', deletions),
    // A word that was left is never reached again, so `word` is the same as `free`.
    parse: (text: string) =>
      text === 'none' ? text : text === 'free' || text === 'word' ? 'free' : undefined,
  },
  suddenDeath: onOff('Sudden death', 'the first mistake ends the round'),
  blind: onOff('Blind', 'mistakes are not marked while you type'),
  minWpm: upTo(
    'Minimum speed',
    'a speed below this ends the round, from 5 seconds on; 0: none',
    maxWpm,
    ['<number>', 'WPM', 'none'],
    speeds,
  ),
  minAccuracy: upTo(
    'Minimum accuracy',
    'an accuracy below this ends the round, from 25 keys on; 0: none',
    100,
    ['<percent>', '%', 'none'],
    percents,
  ),
  pace,
  comments: onOff('Comments in code', 'type the comments of the code of a folder, too', [
    'left out',
    'typed',
  ]),
  goal: upTo(
    'Minutes a day',
    'minutes to practise a day; 0: no goal',
    600,
    ['<minutes>', 'min', 'no goal'],
    [5, 10, 15, 20, 30, 60],
  ),
  reducedMotion: onOff('Reduced motion', 'update figures only once a word'),
  ascii: onOff('ASCII drawing', 'draw with ASCII characters only'),
  plain: onOff('Plain sentences', 'results and history as plain sentences, for screen readers'),
} as const satisfies Record<string, Choice<Value>>;

type Table = typeof optionTable;

export type OptionKey = keyof Table;

/** A change of these applies from the next round on. */
export const forNextRound: ReadonlySet<OptionKey> = new Set([
  ...(['punctuation', 'strict', 'stopOn', 'backspace'] as const),
  ...(['suddenDeath', 'minWpm', 'minAccuracy', 'comments'] as const),
]);

/** The chosen value of each of these options. */
export type TableOptions = {
  readonly [Key in OptionKey]: Table[Key] extends Choice<infer Some> ? Some : never;
};

export interface OptionRow extends Choice<Value> {
  readonly key: OptionKey;
}

/** In the order of the options screen. */
export const optionRows: readonly OptionRow[] = (Object.keys(optionTable) as OptionKey[]).map((key) => ({
  key,
  ...(optionTable[key] as Choice<Value>),
}));

/** The first value of each: what applies until something else is chosen. */
export const defaultTableOptions = Object.fromEntries(
  optionRows.map(({ key, values }) => [key, values[0]]),
) as unknown as TableOptions;

/** Saved options; missing or invalid ones have their default. */
export function parseTableOptions(raw: Readonly<Record<string, unknown>>): TableOptions {
  const found = optionRows.flatMap(({ key, parse, values }) => {
    const value = raw[key];
    const isOfType = values.some((known) => typeof known === typeof value);
    const parsed = isOfType ? parse(String(value)) : undefined;
    return parsed === undefined ? [] : [[key, parsed]];
  });
  return { ...defaultTableOptions, ...Object.fromEntries(found) };
}

/** The options with one row moved by `step`, wrapping around; a number between two values moves to one. */
export function steppedOption<Some extends TableOptions>(options: Some, row: number, step: 1 | -1): Some {
  const option = optionRows[row];
  if (option === undefined) return options;
  const { values } = option;
  const current = options[option.key];
  const at = values.indexOf(current);
  const between = values.findLastIndex((value) => value < current) + (step === 1 ? 0 : 1);
  const next = values[((at < 0 ? between : at) + step + values.length) % values.length];
  return withOptions(options, { [option.key]: next } as Partial<Some>);
}

/** The options with a change. Stopping on a word needs Backspace: the later choice wins. */
export function withOptions<Some extends TableOptions>(options: Some, change: Partial<Some>): Some {
  const next = { ...options, ...change };
  if (next.stopOn !== 'word' || next.backspace !== 'none') return next;
  return change.backspace === 'none' ? { ...next, stopOn: 'none' } : { ...next, backspace: 'free' };
}

/** The name of a value on the screen. */
export function valueName({ values, names }: OptionRow, value: Value): string {
  return names[values.indexOf(value)] ?? String(value);
}
