import { createTheme, type Theme } from './theme.ts';
import type { ThemeColours } from './theme-colours.ts';
import type { ThemeName } from './themes.ts';

/** The signs that drawings are made of: the terminal's line and block characters, or plain ASCII. */
interface Signs {
  /** A filled and an unfilled piece of a bar, and the half piece between them (empty: no halves). */
  readonly filled: string;
  readonly unfilled: string;
  readonly half: string;
  /** Marks in a bar. */
  readonly average: string;
  readonly best: string;
  /** Columns of a chart from one eighth to full. */
  readonly eighths: string;
  readonly axis: string;
  readonly error: string;
  readonly right: string;
  readonly caret: string;
  /** Where the pacer is. */
  readonly pace: string;
  readonly space: string;
  readonly lineEnd: string;
  readonly to: string;
  readonly newBest: string;
  readonly dot: string;
  readonly dash: string;
  readonly ellipsis: string;
  readonly plusMinus: string;
  readonly atLeast: string;
  readonly atMost: string;
}

const unicodeSigns: Signs = {
  filled: '━',
  unfilled: '─',
  half: '╸',
  average: '┿',
  best: '╋',
  eighths: '▁▂▃▄▅▆▇█',
  axis: '│',
  error: '×',
  right: '━',
  caret: '▲',
  pace: '△',
  space: '␣',
  lineEnd: '↵',
  to: '→',
  newBest: '★',
  dot: '·',
  dash: '–',
  ellipsis: '…',
  plusMinus: '±',
  atLeast: '≥',
  atMost: '≤',
};

const asciiSigns: Signs = {
  filled: '=',
  unfilled: '-',
  half: '',
  average: '+',
  best: '#',
  eighths: '....::##',
  axis: '|',
  error: 'x',
  right: '=',
  caret: '^',
  pace: ':',
  space: '_',
  lineEnd: '$',
  to: '>',
  newBest: '*',
  dot: '|',
  dash: '-',
  ellipsis: '...',
  plusMinus: '+-',
  atLeast: '>=',
  atMost: '<=',
};

/** How everything is drawn: colours and signs. The same object until one of them changes. */
export interface Look {
  readonly paint: Theme['paint'];
  readonly hasColours: boolean;
  readonly signs: Signs;
  readonly ascii: boolean;
}

export interface LookOptions {
  /** `own`: the colours of `customTheme`. */
  readonly theme: ThemeName | 'own';
  readonly customTheme: ThemeColours | null;
  readonly ascii: boolean;
}

/** @param depth bits per colour that the terminal shows; see `createTheme` */
export function createLook(options: LookOptions, depth: number): Look {
  const { theme, customTheme } = options;
  const { paint, hasColours } = createTheme(theme === 'own' ? (customTheme ?? 'classic') : theme, depth);
  return { paint, hasColours, ascii: options.ascii, signs: options.ascii ? asciiSigns : unicodeSigns };
}

/** For sentences that are read aloud: signs are words. */
export const spokenLook: Look = {
  paint: (_, text) => text,
  hasColours: false,
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
