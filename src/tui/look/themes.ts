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

/** The colours of a theme on terminals with 16 colours, with 256, and with all of them. */
interface ThemePalettes {
  readonly few: ColourCodes;
  readonly many: ColourCodes;
  readonly exact: ColourCodes;
}

export const uncoloured: ColourCodes = {
  ...{ accent: '', right: '2', wrong: '7', warning: '1' },
  ...{ grade1: '7', grade2: '4', grade3: '', grade4: '' },
  ...{ keyword: '', string: '', number: '', comment: '' },
};

/** Green and red of the terminal's own palette, so it fits dark and light backgrounds. */
const classic16: ColourCodes = {
  ...{ accent: '36', right: '32', wrong: '31', warning: '33' },
  ...{ grade1: '41;97', grade2: '43;30', grade3: '46;30', grade4: '42;30' },
  ...{ keyword: '35', string: '33', number: '36', comment: '2' },
};

/** Letters on a background are black or white of the 256 colours: the terminal's own may be any grey. */
const classic: ColourCodes = {
  ...classic16,
  ...{ grade1: '48;5;131;38;5;231', grade2: '48;5;179;38;5;16' },
  ...{ grade3: '48;5;108;38;5;16', grade4: '48;5;65;38;5;16' },
};

/**
 * Blue against orange, after the palette of Okabe and Ito: distinguishable with any colour blindness.
 * Like those of ember, its colours are of middle lightness, so that they can be read on black and on white.
 */
const clear = themeOf({
  ...{ accent: '#5f87af', right: '#0087d7', wrong: '#d75f00', warning: '#af8700' },
  ...{ grade1: '#ffaf00', grade2: '#ffd7af', grade3: '#87d7ff', grade4: '#005faf' },
  ...{ keyword: '#5f87d7', string: '#0087af', number: '#d75f00', comment: '#808080' },
});

const clear16: ColourCodes = {
  ...uncoloured,
  ...{ accent: '36', right: '34', wrong: '33' },
  ...{ grade1: '43;30', grade2: '47;30', grade3: '46;30', grade4: '44;97' },
};

/** Gold against magenta. */
const ember = themeOf({
  ...{ accent: '#af875f', right: '#d78700', wrong: '#d70087', warning: '#af8700' },
  ...{ grade1: '#af005f', grade2: '#d75f00', grade3: '#d7af00', grade4: '#ffffaf' },
  ...{ keyword: '#d75f87', string: '#af8700', number: '#d75f00', comment: '#808080' },
});

/** For dark backgrounds. The colours of dark and light themes are all in the cube of 256. */
export const darkThemes = {
  dusk: themeOf({
    ...{ accent: '#87afff', right: '#87d7af', wrong: '#ff8787', warning: '#ffaf5f' },
    ...{ grade1: '#af5f5f', grade2: '#d7af87', grade3: '#afafd7', grade4: '#87afff' },
    ...{ keyword: '#d7afff', string: '#afd787', number: '#ffd787', comment: '#87afaf' },
  }),
  ocean: themeOf({
    ...{ accent: '#5fd7ff', right: '#5fd7af', wrong: '#ffaf5f', warning: '#ffd75f' },
    ...{ grade1: '#d75f5f', grade2: '#d7af5f', grade3: '#5fafaf', grade4: '#5fd7d7' },
    ...{ keyword: '#5fafff', string: '#87d7d7', number: '#ffd7af', comment: '#87afaf' },
  }),
  forest: themeOf({
    ...{ accent: '#afd75f', right: '#87d75f', wrong: '#ff87af', warning: '#d7af5f' },
    ...{ grade1: '#af5f87', grade2: '#d7af5f', grade3: '#afd787', grade4: '#5faf5f' },
    ...{ keyword: '#ffaf87', string: '#afd787', number: '#87d7d7', comment: '#afaf87' },
  }),
};

export const lightThemes = {
  paper: themeOf({
    ...{ accent: '#005f87', right: '#005f5f', wrong: '#af0000', warning: '#875f00' },
    ...{ grade1: '#af0000', grade2: '#d78700', grade3: '#87afaf', grade4: '#005f87' },
    ...{ keyword: '#0000af', string: '#005f00', number: '#870087', comment: '#5f5f5f' },
  }),
  meadow: themeOf({
    ...{ accent: '#005f00', right: '#005f00', wrong: '#af005f', warning: '#875f00' },
    ...{ grade1: '#af005f', grade2: '#d7af00', grade3: '#afd787', grade4: '#005f00' },
    ...{ keyword: '#5f0087', string: '#005f5f', number: '#870000', comment: '#5f5f5f' },
  }),
  rose: themeOf({
    ...{ accent: '#87005f', right: '#005f87', wrong: '#af0000', warning: '#870000' },
    ...{ grade1: '#870000', grade2: '#d7875f', grade3: '#d7afd7', grade4: '#5f5faf' },
    ...{ keyword: '#af0087', string: '#005f5f', number: '#0000af', comment: '#5f5f87' },
  }),
};

/** A theme is one entry here or above: options, flags and screens derive the names from this table. */
export const themes = {
  classic: { few: classic16, many: classic, exact: classic },
  clear: { ...clear, few: clear16 },
  ember,
  ...darkThemes,
  ...lightThemes,
} as const satisfies Readonly<Record<string, ThemePalettes>>;

export type ThemeName = keyof typeof themes;

export const themeNames = Object.keys(themes) as [ThemeName, ...ThemeName[]];

/** With 16 colours it is the classic theme, because terminals define their sixteen differently. */
export function themeOf(colours: ThemeColours): ThemePalettes {
  return { few: classic16, many: codesOf(colours, nearestOf), exact: codesOf(colours, exactOf) };
}

function codesOf(colours: ThemeColours, codeOf: (colour: string) => string): ColourCodes {
  const codes = colourNames.map((name) => {
    const colour = colours[name];
    const letters = luminanceOf(colour) > 0.18 ? 16 : 231;
    const isBackground = name.startsWith('grade');
    return [name, isBackground ? `48;${codeOf(colour)};38;5;${letters}` : `38;${codeOf(colour)}`];
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
