/*
 * All options of the client, each once: the saved file, the flags of `play`, the options screen, the palette,
 * completion and the table in the documents are derived from this list.
 */
import { ruleValues } from '../../typing/rules/rules.ts';
import { type ThemeName, themeNames } from '../look/themes.ts';

/** The values of an option, in the order of the screen, and their names there. */
interface Choice<Value extends string | number | boolean> {
  readonly values: readonly Value[];
  readonly names: readonly string[];
  /** The argument of the flag, such as `<number>`; undefined: the option is on or off. */
  readonly argument: string | undefined;
  /** The value that a text from a file or the command line stands for; undefined if there is none. */
  readonly parse: (text: string) => Value | undefined;
  /** What is accepted, for the error. */
  readonly takes: string;
}

interface About {
  readonly label: string;
  /** For the help of the command line, and below the options. */
  readonly help: string;
  /** What else people may type to find it in the palette. */
  readonly aliases?: string;
  /** A change applies from the next round on. */
  readonly isForNext?: true;
}

function onOff(names: readonly [string, string] = ['off', 'on']): Choice<boolean> {
  return {
    values: [false, true],
    names,
    argument: undefined,
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    takes: 'nothing',
  };
}

function oneOf<const Value extends string>(
  argument: string,
  values: readonly Value[],
  names: readonly string[] = values,
): Choice<Value> {
  return {
    values,
    names,
    argument,
    parse: (text) => values.find((value) => value === text),
    takes: `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`,
  };
}

/** A number from 0, which means none, to `max`; `steps` are those of the screen. */
function upTo(max: number, argument: string, unit: string, none: string, steps: number[]): Choice<number> {
  return {
    values: [0, ...steps],
    names: [none, ...steps.map((step) => `${step} ${unit}`)],
    argument,
    parse: (text) => parseNumber(text, 0, max),
    takes: `a whole number from 0 to ${max}`,
  };
}

function parseNumber(text: string, min: number, max: number): number | undefined {
  const number = /^\d{1,4} ?%?$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  return number >= min && number <= max ? number : undefined;
}

const maxWpm = 300;
const speeds = [20, 30, 40, 50, 60, 70, 80, 100, 120];
const racedRounds = ['off', 'average', 'best', 'last'] as const;

const pace: Choice<(typeof racedRounds)[number] | number> = {
  values: [...racedRounds, ...speeds],
  names: ['off', 'your average', 'your best', 'your last round', ...speeds.map((speed) => `${speed} WPM`)],
  argument: '<what>',
  parse: (text) => racedRounds.find((raced) => raced === text) ?? parseNumber(text, 1, maxWpm),
  takes: `average, best, last, off, or a speed from 1 to ${maxWpm}`,
};

/** The custom one, whose colours are in `customTheme`, is reached by its file, or later by its name. */
const theme: Choice<ThemeName | 'own'> = {
  ...oneOf('<theme>', themeNames),
  parse: (text) => (text === 'own' ? text : themeNames.find((name) => name === text)),
  takes: `${themeNames.join(', ')}, or a JSON file with your own`,
};

const optionTable = {
  view: {
    ...oneOf('<view>', ['blocks', 'lines'], ['block letters', 'lines of text']),
    label: 'View',
    help: 'how words are shown',
  },
  theme: {
    ...theme,
    label: 'Theme',
    help: 'colours; clear is safe for colour-blind eyes',
    aliases: 'colour colours color colors dark',
  },
  advance: {
    ...oneOf('<key>', ['space', 'enter', 'either'], ['Space', 'Enter', 'either']),
    label: 'A word ends with',
    help: 'the key that finishes a word',
  },
  keyboard: {
    ...onOff(),
    label: 'Keyboard drawing',
    help: 'draw the keyboard with the next key',
  },
  sounds: {
    ...onOff(),
    label: 'Bell at a wrong key',
    help: 'ring the bell at a wrong key',
    aliases: 'sound sounds audio beep',
  },
  punctuation: {
    ...onOff(),
    label: 'Punctuation',
    help: 'words with punctuation marks',
    isForNext: true,
  },
  strict: {
    ...onOff(['skips letters', 'is a mistake']),
    label: 'Space too early',
    help: 'a space before the end of a word is a mistake, instead of the end of the word',
    aliases: 'strict',
    isForNext: true,
  },
  stopOn: {
    ...oneOf('<what>', ruleValues.stopOn, ['nothing', 'the letter', 'the word']),
    label: 'A mistake stops',
    help: 'a mistake must be corrected at once, or before its word ends',
    aliases: 'error errors',
    isForNext: true,
  },
  backspace: {
    ...oneOf('<how>', ['free', 'none'], ['deletes', 'does nothing']),
    // A word that was left is never reached again, so `word` is the same as `free`.
    parse: (text: string) =>
      text === 'none' ? text : text === 'free' || text === 'word' ? 'free' : undefined,
    label: 'Backspace',
    help: 'free or none; it never reaches an earlier word',
    isForNext: true,
  },
  suddenDeath: {
    ...onOff(),
    label: 'Sudden death',
    help: 'the first mistake ends the round',
    isForNext: true,
  },
  blind: {
    ...onOff(),
    label: 'Blind',
    help: 'mistakes are not marked while you type',
  },
  minWpm: {
    ...upTo(maxWpm, '<number>', 'WPM', 'none', speeds),
    label: 'Minimum speed',
    help: 'a speed below this ends the round, from 5 seconds on; 0: none',
    isForNext: true,
  },
  minAccuracy: {
    ...upTo(100, '<percent>', '%', 'none', [80, 85, 90, 95, 97, 99, 100]),
    label: 'Minimum accuracy',
    help: 'an accuracy below this ends the round, from 25 keys on; 0: none',
    isForNext: true,
  },
  pace: {
    ...pace,
    label: 'Pace to race',
    help: 'race your average, best or last round, or a speed in WPM; off: no pace',
    aliases: 'caret cursor pacer ghost',
  },
  comments: {
    ...onOff(['left out', 'typed']),
    label: 'Comments in code',
    help: 'type the comments of the code of a folder, too',
    isForNext: true,
  },
  goal: {
    ...upTo(600, '<minutes>', 'min', 'no goal', [5, 10, 15, 20, 30, 60]),
    label: 'Minutes a day',
    help: 'minutes to practise a day; 0: no goal',
    aliases: 'daily goal streak',
  },
  reducedMotion: {
    ...onOff(),
    label: 'Reduced motion',
    help: 'update figures only once a word',
  },
  ascii: {
    ...onOff(),
    label: 'ASCII drawing',
    help: 'draw with ASCII characters only',
  },
  plain: {
    ...onOff(),
    label: 'Plain sentences',
    help: 'results and history as plain sentences, for screen readers',
  },
} as const satisfies Record<string, Choice<string | number | boolean> & About>;

type Table = typeof optionTable;

export type OptionKey = keyof Table;

/** The chosen value of each of these options. */
export type TableOptions = {
  readonly [Key in OptionKey]: Table[Key] extends Choice<infer Value> ? Value : never;
};

export interface OptionRow extends Choice<string | number | boolean>, About {
  readonly key: OptionKey;
}

/** In the order of the options screen. */
export const optionRows: readonly OptionRow[] = (Object.keys(optionTable) as OptionKey[]).map((key) => ({
  key,
  ...(optionTable[key] as Choice<string | number | boolean> & About),
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
export function valueName({ values, names }: OptionRow, value: string | number | boolean): string {
  return names[values.indexOf(value)] ?? String(value);
}
