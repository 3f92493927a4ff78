import { expect, test } from 'vitest';
import { type Style, themes } from '../../../src/tui/look/themes.ts';

/** The red, green and blue of a colour of the cube of 256, 0 to 255. */
function toRgb(colour: number): number[] {
  const steps = [0, 95, 135, 175, 215, 255];
  const at = colour - 16;
  return [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => steps[step] ?? Number.NaN);
}

/** Relative luminance (WCAG 2). */
function toLuminance(colour: number): number {
  const [red = 0, green = 0, blue = 0] = toRgb(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const grades: Style[] = ['grade-1', 'grade-2', 'grade-3', 'grade-4'];

test.each(Object.entries(themes))(
  'the figures on the heat maps of %s can be read, whatever the palette of the terminal is',
  (_name, { many }) => {
    for (const grade of grades) {
      const [, below, above] = /^48;5;(\d+);38;5;(\d+)$/.exec(many[grade]) ?? [];
      const [darker = 0, lighter = 0] = [Number(below), Number(above)]
        .map(toLuminance)
        .sort((one, other) => one - other);
      expect([grade, (lighter + 0.05) / (darker + 0.05)]).toEqual([grade, expect.toSatisfy(isReadable)]);
    }
  },
);

/** Contrast that WCAG 2 AA asks of text. */
function isReadable(contrast: number): boolean {
  return contrast >= 4.5;
}
