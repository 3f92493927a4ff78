/** What a piece of text means; the theme says how that looks. */
export type Style =
  | 'plain'
  | 'strong'
  | 'faint'
  | 'accent'
  | 'right'
  | 'wrong'
  | 'pending'
  | 'current'
  | 'pace'
  | 'warning'
  | 'grade-1'
  | 'grade-2'
  | 'grade-3'
  | 'grade-4'
  | 'grade-none';

/** SGR parameters (ECMA-48) that switch a style on. */
export type StyleCodes = Readonly<Record<Style, string>>;

/** Without colour: weight, underline and reverse video still carry what the marks and figures say. */
export const colourless: StyleCodes = {
  plain: '',
  strong: '1',
  faint: '2',
  accent: '',
  right: '2',
  wrong: '7',
  pending: '',
  current: '7',
  pace: '1;4',
  warning: '1',
  'grade-1': '7',
  'grade-2': '4',
  'grade-3': '',
  'grade-4': '',
  'grade-none': '2',
};

const coloured = { ...colourless, strong: '1', pace: '4' };

/** Green and red of the terminal's own palette, so it fits dark and light backgrounds. */
const classic16: StyleCodes = {
  ...coloured,
  accent: '36',
  right: '32',
  wrong: '31',
  warning: '33',
  'grade-1': '41;97',
  'grade-2': '43;30',
  'grade-3': '46;30',
  'grade-4': '42;30',
};

/** Letters on a background are black or white of the 256 colours: the terminal's own may be any grey. */
const classic: StyleCodes = {
  ...classic16,
  'grade-1': '48;5;131;38;5;231',
  'grade-2': '48;5;179;38;5;16',
  'grade-3': '48;5;108;38;5;16',
  'grade-4': '48;5;65;38;5;16',
};

/**
 * Blue against orange, after the palette of Okabe and Ito: told apart with every kind of colour blindness.
 * Like those of ember, its colours are of middle lightness, so that they can be read on black and on white.
 */
const clear: StyleCodes = {
  ...coloured,
  accent: '38;5;67',
  right: '38;5;32',
  wrong: '38;5;166',
  'grade-1': '48;5;214;38;5;16',
  'grade-2': '48;5;223;38;5;16',
  'grade-3': '48;5;117;38;5;16',
  'grade-4': '48;5;25;38;5;231',
};

const clear16: StyleCodes = {
  ...coloured,
  accent: '36',
  right: '34',
  wrong: '33',
  'grade-1': '43;30',
  'grade-2': '47;30',
  'grade-3': '46;30',
  'grade-4': '44;97',
};

/** Gold against magenta. */
const ember: StyleCodes = {
  ...coloured,
  accent: '38;5;137',
  right: '38;5;172',
  wrong: '38;5;162',
  'grade-1': '48;5;125;38;5;231',
  'grade-2': '48;5;166;38;5;16',
  'grade-3': '48;5;178;38;5;16',
  'grade-4': '48;5;229;38;5;16',
};

const ember16: StyleCodes = { ...classic16, accent: '35', right: '33', wrong: '95' };

/** The colours of a theme on terminals with 16 colours, and with 256 or more. */
interface ThemePalettes {
  readonly few: StyleCodes;
  readonly many: StyleCodes;
}

/** A theme is one entry here: options, flags and screens take the names from this table. */
export const themes = {
  classic: { few: classic16, many: classic },
  clear: { few: clear16, many: clear },
  ember: { few: ember16, many: ember },
} as const satisfies Readonly<Record<string, ThemePalettes>>;

export type ThemeName = keyof typeof themes;

export const themeNames = Object.keys(themes) as [ThemeName, ...ThemeName[]];
