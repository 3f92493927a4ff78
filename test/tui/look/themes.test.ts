import { describe, expect, test } from 'vitest';
import { createLook } from '../../../src/tui/look/look.ts';
import {
  codesOf,
  colourNames,
  darkThemes,
  lightThemes,
  type ThemeColours,
  themeNames,
} from '../../../src/tui/look/themes.ts';
import { defaultOptions } from '../../../src/tui/record/options.ts';

/** The red, green and blue of a colour of the cube of 256, 0 to 255. */
function rgbOf(colour: number): number[] {
  const steps = [0, 95, 135, 175, 215, 255];
  const at = colour - 16;
  return [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => steps[step] ?? Number.NaN);
}

/** Relative luminance (WCAG 2). */
function luminanceOf(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: readonly number[], other: readonly number[]): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Contrast that WCAG 2 AA asks of text. */
const readable = 4.5;

const grades = ['grade1', 'grade2', 'grade3', 'grade4'] as const;

test.each(themeNames)(
  'the figures on the heat maps of %s can be read, whatever the palette of the terminal is',
  (theme) => {
    const many = codesOf(theme, 8);
    for (const grade of grades) {
      const [, below, above] = /^48;5;(\d+);38;5;(\d+)$/.exec(many[grade]) ?? [];
      const contrast = contrastOf(rgbOf(Number(below)), rgbOf(Number(above)));
      expect([grade, contrast]).toEqual([grade, expect.toSatisfy((value: number) => value >= readable)]);
    }
    expect(new Set(grades.map((grade) => many[grade])).size).toBe(4);
  },
);

const texts = ['accent', 'right', 'wrong', 'warning', 'keyword', 'string', 'number', 'comment'] as const;
const greyOfTerminals = { dark: [0x28, 0x2c, 0x34], light: [0xee, 0xe8, 0xd5] };

describe.each([
  ['dark', darkThemes],
  ['light', lightThemes],
] as const)('on a %s ground', (ground, group) => {
  test.each(Object.entries(group))('everything in %s can be read', (_name, theme) => {
    const many = codesOf(theme, 8);
    for (const style of texts) {
      const [, colour] = /^38;5;(\d+)$/.exec(many[style]) ?? [];
      const contrast = contrastOf(rgbOf(Number(colour)), greyOfTerminals[ground]);
      expect([style, contrast]).toEqual([style, expect.toSatisfy((value: number) => value >= readable)]);
    }
    expect(many.right).not.toBe(many.wrong);
  });
});

test('a custom theme has exactly its colours if the terminal shows them, else near ones, else none', () => {
  const customTheme = Object.fromEntries(colourNames.map((name) => [name, '#010203'])) as ThemeColours;
  const look = (depth: number) =>
    createLook(
      { ...defaultOptions, theme: 'own', customTheme: { ...customTheme, accent: '#8ab0fe' } },
      depth,
    );
  expect(look(24).paint('accent', 'x')).toBe('\x1b[38;2;138;176;254mx\x1b[0m');
  expect(look(8).paint('accent', 'x')).toBe('\x1b[38;5;111mx\x1b[0m');
  expect(look(4).paint('accent', 'x')).toBe(createLook(defaultOptions, 4).paint('accent', 'x'));
  expect(look(1).paint('accent', 'x')).toBe('x');
  expect(look(24).paint('grade1', 'x')).toBe('\x1b[48;2;1;2;3;38;5;231mx\x1b[0m');
  expect(codesOf({ ...customTheme, grade1: '#ffffff' }, 8).grade1).toBe('48;5;231;38;5;16');
});

test('the figures on custom backgrounds are black or white, whichever can be read', () => {
  for (let value = 0; value < 256; value += 5) {
    const grey = `#${value.toString(16).padStart(2, '0').repeat(3)}`;
    const { grade1 } = codesOf(
      Object.fromEntries(colourNames.map((name) => [name, grey])) as ThemeColours,
      24,
    );
    const letter = /38;5;231$/.test(grade1) ? [255, 255, 255] : [0, 0, 0];
    expect(contrastOf(letter, [value, value, value])).toBeGreaterThanOrEqual(readable);
  }
});
