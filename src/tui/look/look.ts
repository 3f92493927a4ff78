import { colourless, type Style, type ThemeColours, type ThemePalettes, themeOf } from './theme-colours.ts';
import { type ThemeName, themes } from './themes.ts';

/** The signs that drawings are made of: the terminal's line and block characters, or plain ASCII. */
const unicodeSigns = {
  /** A filled and an unfilled piece of a bar, and the half piece between them (empty: no halves). */
  filled: '━',
  unfilled: '─',
  half: '╸',
  /** Marks in a bar. */
  average: '┿',
  best: '╋',
  /** Columns of a chart from one eighth to full. */
  eighths: '▁▂▃▄▅▆▇█',
  axis: '│',
  error: '×',
  right: '━',
  caret: '▲',
  /** Where the pacer is. */
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

const asciiSigns: typeof unicodeSigns = {
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
  /** `text` in a style. Its end takes back what its beginning switched on, and nothing else. */
  paint(style: Style, text: string): string;
  /** Whether colours are drawn at all. */
  readonly hasColours: boolean;
  readonly signs: typeof unicodeSigns;
  readonly ascii: boolean;
}

export interface LookOptions {
  /** `own`: the colours of `customTheme`. */
  readonly theme: ThemeName | 'own';
  readonly customTheme: ThemeColours | null;
  readonly ascii: boolean;
}

/** @param depth bits per colour that the terminal shows: 1 none, 4 sixteen colours, 8 at least 256, 24 all */
export function createLook({ theme, customTheme, ascii }: LookOptions, depth: number): Look {
  const custom = customTheme === null ? themes.classic : themeOf(customTheme);
  const { few, many, exact = many }: ThemePalettes = theme === 'own' ? custom : themes[theme];
  const palette = depth < 4 ? colourless : depth < 8 ? few : depth < 24 ? many : exact;
  return {
    paint(style, text) {
      const codes = palette[style];
      return codes === '' || text === '' ? text : `\x1b[${codes}m${text}${endOf(codes)}`;
    },
    hasColours: depth >= 4,
    ascii,
    signs: ascii ? asciiSigns : unicodeSigns,
  };
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

const ends = new Map<string, string>();

function endOf(codes: string): string {
  let end = ends.get(codes);
  if (end === undefined) {
    const off = codes.replace(/[34]8;(?:5;\d+|2;\d+;\d+;\d+)/g, (colour) => `${colour[0]}0`).split(';');
    end = `\x1b[${[...new Set(off.map(offOf))].join(';')}m`;
    ends.set(codes, end);
  }
  return end;
}

function offOf(code: string): string {
  const number = Number(code);
  if (number <= 2) return '22';
  if (number < 10) return `2${number}`;
  return (number >= 40 && number < 50) || number >= 100 ? '49' : '39';
}
