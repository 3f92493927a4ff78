import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { createTheme } from '../../../src/tui/look/theme.ts';
import { type Style, themeNames } from '../../../src/tui/look/themes.ts';
import { Canvas } from '../../../src/tui/terminal/canvas.ts';
import { toCells } from '../../../src/tui/terminal/cells.ts';
import { toColumns } from '../../../src/tui/terminal/columns.ts';
import { createRowTokens } from '../../../src/tui/terminal/row-tokens.ts';
import type { Size } from '../../../src/tui/terminal/size.ts';
import { createEmulator } from './emulator.ts';

const size: Size = { columns: 24, rows: 6 };
/** No line of these tests is longer. */
const wide: Size = { columns: 80, rows: 6 };
const { paint } = createTheme('clear', 8);
const styles: Style[] = ['plain', 'strong', 'faint', 'right', 'wrong', 'current', 'grade-1', 'grade-4'];

const anyText = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '█', '▀', '漢', 'é', '━'), maxLength: 9 });
const anyLine = fc
  .array(fc.tuple(fc.constantFrom(...styles), anyText), { maxLength: 4 })
  .map((parts) => parts.map(([style, text]) => paint(style, text)).join(''));
const anyFrame = fc.array(anyLine, { maxLength: 8 }).map((lines) => lines.join('\n'));

async function drawAll(
  frames: readonly string[],
  terminal: Size = size,
): Promise<{ cells: string[]; bytes: number }> {
  const emulator = createEmulator(terminal);
  const canvas = new Canvas({ put: (text) => emulator.write(text), terminal, frame: terminal });
  for (const one of frames) canvas.write(one);
  return { cells: await emulator.cells(), bytes: emulator.bytes };
}

describe('the canvas', () => {
  test('after any frames the screen is as if only the last one had been drawn', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyFrame, { minLength: 1, maxLength: 6 }), async (frames) => {
        const [all, last] = await Promise.all([drawAll(frames), drawAll(frames.slice(-1))]);
        expect(all.cells).toEqual(last.cells);
      }),
      { numRuns: 100 },
    );
  });

  test('its output shows the same cells as writing the whole frame', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyFrame, { minLength: 1, maxLength: 4 }), async (frames) => {
        const drawn = await drawAll(frames, wide);
        const plain = createEmulator(wide);
        const lines = (frames.at(-1) ?? '').split('\n').slice(0, wide.rows);
        for (const [row, line] of lines.entries()) plain.write(`\x1b[${row + 1};1H${line}\x1b[m`);
        expect(drawn.cells).toEqual(await plain.cells());
      }),
      { numRuns: 100 },
    );
  });

  test('large letters change their colour in a third of the bytes of their blocks', async () => {
    const blocks = (style: Style) => Array.from({ length: 5 }, () => paint(style, `${'█'.repeat(8)}  ██`));
    const first = await drawAll([blocks('pending').join('\n')]);
    const both = await drawAll([blocks('pending').join('\n'), blocks('right').join('\n')]);
    expect(both.bytes - first.bytes).toBeLessThan(5 * 22 + 20);
    expect(both.cells).toEqual((await drawAll([blocks('right').join('\n')])).cells);
  });

  test('writes nothing for the same frame', async () => {
    const [once, twice] = await Promise.all([drawAll(['a\nb']), drawAll(['a\nb', 'a\nb'])]);
    expect(twice.bytes).toBe(once.bytes);
  });

  test('for one changed letter, only moves there and writes it', async () => {
    const line = paint('right', 'x'.repeat(20));
    const emulator = createEmulator(size);
    const canvas = new Canvas({ put: (text) => emulator.write(text), terminal: size, frame: size });
    canvas.write(`${line}\n${line}`);
    const before = emulator.bytes;
    canvas.write(`${line}\n${paint('right', `${'x'.repeat(9)}y${'x'.repeat(10)}`)}`);
    expect(emulator.bytes - before).toBeLessThan(25);
  });

  test('never draws more rows or columns than there are', async () => {
    const tall = Array.from({ length: 30 }, (_, row) => `${row}`.padEnd(80, '.')).join('\n');
    const emulator = createEmulator(size);
    new Canvas({ put: (text) => emulator.write(text), terminal: size, frame: size }).write(tall);
    const screen = (await emulator.screen()).split('\n');
    expect(screen.map((row) => row.slice(0, 2))).toEqual(['0.', '1.', '2.', '3.', '4.', '5.']);
  });

  test('a smaller frame is centred', async () => {
    const emulator = createEmulator(size);
    new Canvas({ put: (text) => emulator.write(text), terminal: size, frame: { columns: 4, rows: 2 } }).write(
      'abcd\nefgh',
    );
    expect((await emulator.screen()).trimEnd()).toBe('\n\n          abcd\n          efgh');
  });

  test('draws everything again after a resize and on request', async () => {
    const emulator = createEmulator(size);
    const canvas = new Canvas({ put: (text) => emulator.write(text), terminal: size, frame: size });
    canvas.write('abc');
    emulator.write('\x1b[2J\x1b[Hspoilt by another program');
    canvas.repaint();
    expect((await emulator.screen()).trimEnd()).toBe('abc');
    emulator.setSize({ columns: 10, rows: 3 });
    canvas.resize({ columns: 10, rows: 3 }, { columns: 10, rows: 3 });
    canvas.write('abc');
    expect((await emulator.screen()).trimEnd()).toBe('abc');
  });
});

describe('tokens for rows', () => {
  /** Two rows side by side, as a chart and a keyboard are, with plain text around them. */
  const anyPair = fc.tuple(anyLine, fc.integer({ min: 1, max: 12 }), anyLine);

  test('draw the same as the rows themselves, even after they wrap around', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyPair, { minLength: 1, maxLength: 15 }), async (pairs) => {
        let frames = 0;
        const tokens = createRowTokens();
        const emulator = createEmulator(size);
        const canvas = new Canvas({
          put: (text) => emulator.write(text),
          terminal: size,
          frame: size,
          tokens,
        });
        for (const [left, gap, right] of pairs) {
          if (tokens.renew()) canvas.forgetTokens();
          for (let row = 0; row < 990; row += 1) tokens.toToken(`${frames} ${row}`);
          frames += 1;
          canvas.write(`${tokens.toToken(left)}${' '.repeat(gap)}${tokens.toToken(right)}`);
        }
        const [left, gap, right] = pairs.at(-1) as (typeof pairs)[number];
        const shown = toCells(left, gap + 1);
        const text = shown.map(({ character, style }) => `\x1b[${style}m${character}\x1b[m`).join('');
        const expected = await drawAll([text + ' '.repeat(gap + 1 - shown.length) + right]);
        expect(await emulator.cells()).toEqual(expected.cells);
      }),
      { numRuns: 40 },
    );
  });

  test('are one column wide and the same for the same row', () => {
    const tokens = createRowTokens();
    const token = tokens.toToken('abc');
    expect([toColumns(token), tokens.toToken('abc')]).toEqual([1, token]);
    expect(tokens.toToken('abd')).not.toBe(token);
    expect(tokens.toCells('x')).toBeUndefined();
  });
});

test('have as many columns as the library says', () => {
  for (let code = 0x20; code < 0x3000; code += 1) {
    const character = String.fromCharCode(code);
    expect(toColumns(character), `U+${code.toString(16)}`).toBe(stringWidth(character));
  }
  fc.assert(
    fc.property(anyLine, (line) => {
      expect(toColumns(line)).toBe(stringWidth(line));
    }),
  );
});

describe('cells', () => {
  test('every style ends what it began', () => {
    for (const name of themeNames) {
      for (const depth of [1, 4, 8]) {
        const theme = createTheme(name, depth);
        for (const style of styles) {
          expect(toCells(`${theme.paint(style, 'a')}b`, 9)[1]).toEqual({ character: 'b', style: '' });
        }
      }
    }
  });

  test('without colours there is no colour in any style', () => {
    const theme = createTheme('ember', 1);
    for (const style of styles) {
      const codes =
        theme
          .paint(style, 'a')
          .match(/\[([\d;]*)m/)?.[1]
          ?.split(';') ?? [];
      for (const code of codes) expect(['1', '2', '4', '7']).toContain(code);
    }
  });
});
