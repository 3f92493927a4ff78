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
