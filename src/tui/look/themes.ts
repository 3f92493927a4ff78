/** The twelve colours of a theme; the grades are backgrounds, from the weakest to the best. */
export const colourNames = [
  ...(['accent', 'right', 'wrong', 'warning'] as const),
  ...(['grade1', 'grade2', 'grade3', 'grade4'] as const),
  ...(['keyword', 'string', 'number', 'comment'] as const),
] as const;

type ColourName = (typeof colourNames)[number];

/** Each as `#rrggbb`. */
export type ThemeColours = Readonly<Record<ColourName, string>>;

/** SGR parameters (ECMA-48) that switch each colour on. */
type ColourCodes = Readonly<Record<ColourName, string>>;

const uncoloured: ColourCodes = {
  ...{ accent: '', right: '2', wrong: '7', warning: '1' },
  ...{ grade1: '7', grade2: '4', grade3: '', grade4: '' },
  ...{ keyword: '', string: '', number: '', comment: '' },
};

/** Green and red of the terminal's own palette, so it fits dark and light backgrounds; its yellow does not. */
const classic16 = inOrder('36 32 31 1 41;97 43;30 46;30 42;30 35 33 36 2');

/** Letters on a background are black or white of the 256 colours: the terminal's own may be any grey. */
const classic: ColourCodes = {
  ...classic16,
  ...{ grade1: '48;5;131;38;5;231', grade2: '48;5;179;38;5;16' },
  ...{ grade3: '48;5;108;38;5;16', grade4: '48;5;65;38;5;16' },
};

const clear16: ColourCodes = {
  ...uncoloured,
  ...{ accent: '36', right: '34', wrong: '35' },
  ...{ grade1: '43;30', grade2: '47;30', grade3: '46;30', grade4: '44;97' },
};

/**
 * Blue against orange, after the palette of Okabe and Ito: distinguishable with any colour blindness.
 * Like those of ember, its colours are of middle lightness, so that they can be read on black and on white.
 */
const clear = ofHex('5f87af 0087d7 d75f00 af8700 ffaf00 ffd7af 87d7ff 005faf 5f87d7 0087af d75f00 808080');

/** For dark backgrounds. The colours of dark and light themes are all in the cube of 256. */
export const darkThemes = {
  dusk: ofHex('87afff 87d7af ff8787 ffaf5f af5f5f d7af87 afafd7 87afff d7afff afd787 ffd787 87afaf'),
  ocean: ofHex('5fd7ff 5fd7af ffaf5f ffd75f d75f5f d7af5f 5fafaf 5fd7d7 5fafff 87d7d7 ffd7af 87afaf'),
  forest: ofHex('afd75f 87d75f ff87af d7af5f af5f87 d7af5f afd787 5faf5f ffaf87 afd787 87d7d7 afaf87'),
};

export const lightThemes = {
  paper: ofHex('005f87 005f5f af0000 875f00 af0000 d78700 87afaf 005f87 0000af 005f00 870087 5f5f5f'),
  meadow: ofHex('005f00 005f00 af005f 875f00 af005f d7af00 afd787 005f00 5f0087 005f5f 870000 5f5f5f'),
  rose: ofHex('87005f 005f87 af0000 870000 870000 d7875f d7afd7 5f5faf af0087 005f5f 0000af 5f5f87'),
};

/** A theme is one entry here or above: options, flags and screens derive the names from this table. */
const themes = {
  clear,
  /** Gold against magenta. */
  ember: ofHex('af875f d78700 d70087 af8700 af005f d75f00 d7af00 ffffaf d75f87 af8700 d75f00 808080'),
  ...darkThemes,
  ...lightThemes,
} as const satisfies Readonly<Record<string, ThemeColours>>;

export type ThemeName = 'classic' | keyof typeof themes;

export const themeNames = ['classic', ...Object.keys(themes)] as [ThemeName, ...ThemeName[]];

/** The colours of a theme in the order of their names, as `rrggbb`. */
function ofHex(colours: string): ThemeColours {
  return inOrder(colours.replace(/\w+/g, '#$&'));
}

function inOrder(values: string): Readonly<Record<ColourName, string>> {
  const each = values.split(' ');
  return Object.fromEntries(colourNames.map((name, at) => [name, each[at] ?? ''])) as Record<
    ColourName,
    string
  >;
}

/**
 * What a terminal is told for a theme. With 16 colours most are the classic one, because terminals define
 * their sixteen differently.
 *
 * @param depth bits per colour that the terminal shows: 1 none, 4 sixteen colours, 8 at least 256, 24 all
 */
export function codesOf(theme: ThemeName | ThemeColours, depth: number): ColourCodes {
  if (depth < 4) return uncoloured;
  if (depth < 8) return theme === 'clear' ? clear16 : classic16;
  if (theme === 'classic') return classic;
  const colours: ThemeColours = typeof theme === 'string' ? themes[theme] : theme;
  const codes = colourNames.map((name) => {
    const colour = colours[name];
    const code = depth < 24 ? nearestOf(colour) : exactOf(colour);
    const letters = luminanceOf(colour) > 0.18 ? 16 : 231;
    return [name, name.startsWith('grade') ? `48;${code};38;5;${letters}` : `38;${code}`];
  });
  return Object.fromEntries(codes) as ColourCodes;
}

function exactOf(colour: string): string {
  return `2;${rgbOf(colour).join(';')}`;
}

/** The nearest of the cube of 256 colours, whose six steps are 0, 95, 135, 175, 215 and 255. */
function nearestOf(colour: string): string {
  const [red = 0, green = 0, blue = 0] = rgbOf(colour).map((value) =>
    Math.max(value < 48 ? 0 : 1, Math.round((value - 55) / 40)),
  );
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
