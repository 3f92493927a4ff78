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
  | 'grade-none'
  | 'keyword'
  | 'string'
  | 'number'
  | 'comment';

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
  keyword: '',
  string: '',
  number: '',
  comment: '',
};

export const coloured = { ...colourless, strong: '1', pace: '4' };

/** Green and red of the terminal's own palette, so it fits dark and light backgrounds. */
export const classic16: StyleCodes = {
  ...coloured,
  accent: '36',
  right: '32',
  wrong: '31',
  warning: '33',
  keyword: '35',
  string: '33',
  number: '36',
  comment: '2',
  'grade-1': '41;97',
  'grade-2': '43;30',
  'grade-3': '46;30',
  'grade-4': '42;30',
};

/** The colours of a theme on terminals with 16 colours, with 256, and with all of them. */
export interface ThemePalettes {
  readonly few: StyleCodes;
  readonly many: StyleCodes;
  /** Default: as with 256. */
  readonly exact?: StyleCodes;
}

/** The twelve colours of a theme; the grades are grounds, from where there is most to gain to the best. */
export const colourNames = [
  ...(['accent', 'right', 'wrong', 'warning'] as const),
  ...(['grade1', 'grade2', 'grade3', 'grade4'] as const),
  ...(['keyword', 'string', 'number', 'comment'] as const),
] as const;

/** Each as `#rrggbb`. */
export type ThemeColours = Readonly<Record<(typeof colourNames)[number], string>>;

/** With 16 colours those of the classic theme, because nobody knows what a terminal makes of its sixteen. */
export function themeOf(colours: ThemeColours): ThemePalettes {
  return { few: classic16, many: codesOf(colours, nearestOf), exact: codesOf(colours, exactOf) };
}

function codesOf(colours: ThemeColours, codeOf: (colour: string) => string): StyleCodes {
  const text = (colour: string) => `38;${codeOf(colour)}`;
  const ground = (colour: string) => `48;${codeOf(colour)};38;5;${luminanceOf(colour) > 0.18 ? 16 : 231}`;
  return {
    ...coloured,
    accent: text(colours.accent),
    right: text(colours.right),
    wrong: text(colours.wrong),
    warning: text(colours.warning),
    'grade-1': ground(colours.grade1),
    'grade-2': ground(colours.grade2),
    'grade-3': ground(colours.grade3),
    'grade-4': ground(colours.grade4),
    keyword: text(colours.keyword),
    string: text(colours.string),
    number: text(colours.number),
    comment: text(colours.comment),
  };
}

function exactOf(colour: string): string {
  return `2;${rgbOf(colour).join(';')}`;
}

const steps = [0, 95, 135, 175, 215, 255];

/** The nearest of the cube of 256 colours. */
function nearestOf(colour: string): string {
  const [red = 0, green = 0, blue = 0] = rgbOf(colour).map((value) => {
    const distances = steps.map((step) => Math.abs(step - value));
    return distances.indexOf(Math.min(...distances));
  });
  return `5;${16 + 36 * red + 6 * green + blue}`;
}

function rgbOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** Relative luminance (WCAG 2), 0 to 1: at 0.18, black and white letters can be read equally well. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
