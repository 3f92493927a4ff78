import { codesOf, type ThemeColours, type ThemeName } from './themes.ts';

/** The signs that drawings are made of: the terminal's line and block characters, and plain ASCII. */
const signTable = {
  /** A filled and an unfilled piece of a bar. */
  filled: ['━', '='],
  unfilled: ['─', '-'],
  /** Marks in a bar. */
  average: ['┿', '+'],
  best: ['╋', '#'],
  /** Columns of a chart from one eighth to full. */
  eighths: ['▁▂▃▄▅▆▇█', '....::##'],
  /** A line in a chart, in quarters of a row from its foot. */
  quarters: ['⣀⠤⠒⠉', "_.-'"],
  axis: ['│', '|'],
  error: ['×', 'x'],
  right: ['━', '='],
  caret: ['▲', '^'],
  /** Where the pacer is. */
  pace: ['△', ':'],
  space: ['␣', '_'],
  lineEnd: ['↵', '$'],
  to: ['→', '>'],
  newBest: ['★', '*'],
  dot: ['·', '|'],
  dash: ['–', '-'],
  ellipsis: ['…', '...'],
  plusMinus: ['±', '+-'],
  atLeast: ['≥', '>='],
  atMost: ['≤', '<='],
} as const;

type Signs = Readonly<Record<keyof typeof signTable, string>>;

function signsOf(column: 0 | 1): Signs {
  return Object.fromEntries(Object.entries(signTable).map(([name, signs]) => [name, signs[column]])) as Signs;
}

const unicodeSigns = signsOf(0);
const asciiSigns = signsOf(1);

/** The styles that no theme changes. Without colour, weight and reverse video carry what the marks say. */
const fixedStyles = { plain: '', strong: '1', faint: '2', current: '7', pace: '1;4' };

/** What a piece of text means; the theme says how that looks. `slip`: a wrong letter among others. */
export type Style = keyof typeof fixedStyles | keyof ThemeColours | 'slip';

/** How everything is drawn: colours and signs. The same object until one of them changes. */
export interface Look {
  /** Unpainted `text` in a style. */
  paint(style: Style, text: string): string;
  readonly signs: Signs;
  readonly ascii: boolean;
}

export interface LookOptions {
  /** `own`: the colours of `customTheme`. */
  readonly theme: ThemeName | 'own';
  readonly customTheme: ThemeColours | null;
  readonly ascii: boolean;
}

/** @param depth bits per colour that the terminal shows; 1 for none */
export function createLook({ theme, customTheme, ascii }: LookOptions, depth: number): Look {
  const palette = codesOf(theme === 'own' ? (customTheme ?? 'classic') : theme, depth);
  // Underlined, because not everybody can distinguish the colours.
  const slip = depth < 4 ? '4' : `4;${palette.wrong}`;
  const codes: Readonly<Record<Style, string>> = { ...fixedStyles, ...palette, slip };
  return {
    paint: (style, text) =>
      codes[style] === '' || text === '' ? text : `\x1b[${codes[style]}m${text}\x1b[0m`,
    ascii,
    signs: ascii ? asciiSigns : unicodeSigns,
  };
}

/** For sentences that are read aloud: words instead of signs. */
export const spokenLook: Look = {
  paint: (_, text) => text,
  ascii: true,
  signs: {
    ...asciiSigns,
    to: ' typed as ',
    error: ' times',
    newBest: '',
    plusMinus: 'plus or minus',
    dash: 'unknown',
    space: 'space',
  },
};
