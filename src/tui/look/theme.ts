import { colourless, type Style, type StyleCodes, type ThemePalettes } from './styles.ts';
import { type ThemeColours, themeOf } from './theme-colours.ts';
import { type ThemeName, themes } from './themes.ts';

export interface Theme {
  /** `text` in a style. Its end takes back what its beginning switched on, and nothing else. */
  paint(style: Style, text: string): string;
  /** Whether colours are drawn at all. */
  readonly hasColours: boolean;
}

/** @param depth bits per colour that the terminal shows: 1 none, 4 sixteen colours, 8 at least 256, 24 all */
export function createTheme(theme: ThemeName | ThemeColours, depth: number): Theme {
  const {
    few,
    many,
    exact = many,
  }: ThemePalettes = typeof theme === 'string' ? themes[theme] : themeOf(theme);
  const palette: StyleCodes = depth < 4 ? colourless : depth < 8 ? few : depth < 24 ? many : exact;
  return {
    hasColours: depth >= 4,
    paint(style, text) {
      const codes = palette[style];
      return codes === '' || text === '' ? text : `\x1b[${codes}m${text}${endOf(codes)}`;
    },
  };
}

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
