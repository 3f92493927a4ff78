import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPainter, type Size } from '../../../src/tui/terminal/painter.ts';
import { createEmulator } from './emulator.ts';

const anySize = fc.record({
  columns: fc.integer({ min: 20, max: 200 }),
  rows: fc.integer({ min: 5, max: 60 }),
});
const anyCharacter = fc.constantFrom(...'ab █━é漢', '\x1b[31m', '\x1b[7m', '\x1b[4;36m', '\x1b[m');
const anyRow = fc.array(anyCharacter, { maxLength: 40 }).map((parts) => `${parts.join('')}\x1b[m`);
const anyRows = fc.array(anyRow, { maxLength: 12 });

async function cellsAfter(screens: readonly (readonly string[])[], size: Size): Promise<string[]> {
  const emulator = createEmulator(size);
  const painter = createPainter(emulator.write, size);
  for (const rows of screens) painter.paint(rows);
  return emulator.cells();
}

test('after any screens the terminal shows the same as the last one alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRows, { minLength: 1, maxLength: 5 }), anySize, async (screens, size) => {
      expect(await cellsAfter(screens, size)).toEqual(await cellsAfter(screens.slice(-1), size));
    }),
    { numRuns: 150 },
  );
});

test('after a resize the screen is as if it had always had that size', async () => {
  await fc.assert(
    fc.asyncProperty(anyRows, anySize, anySize, async (rows, first, second) => {
      const emulator = createEmulator(first);
      const painter = createPainter(emulator.write, first);
      painter.paint(rows);
      emulator.setSize(second);
      painter.resize(second);
      painter.paint(rows);
      expect(await emulator.cells()).toEqual(await cellsAfter([rows], second));
    }),
    { numRuns: 50 },
  );
});

test('only rows that have changed are written, and none if none has', () => {
  const written: string[] = [];
  const painter = createPainter((text) => written.push(text), { columns: 80, rows: 24 });
  const rows = Array.from({ length: 24 }, (_, row) => `${'x'.repeat(79)}${row % 10}`);
  for (const next of [rows, [...rows], rows.with(7, 'another')]) painter.paint(next);
  expect(written).toHaveLength(2);
  expect(written[1]?.length).toBeLessThan(60);
});

test('a row as wide as the terminal keeps its last character, and a wider one does not wrap', async () => {
  const emulator = createEmulator({ columns: 20, rows: 3 });
  createPainter(emulator.write, { columns: 20, rows: 3 }).paint(['a'.repeat(20), 'b'.repeat(30), 'c']);
  expect(await emulator.screen()).toBe(['a'.repeat(20), 'b'.repeat(20), 'c'].join('\n'));
});
