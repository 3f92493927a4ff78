import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLook } from '../../../src/tui/look/look.ts';
import { defaultOptions } from '../../../src/tui/record/options.ts';
import { closeScale, drawChart, scaleWidth } from '../../../src/tui/view/charts.ts';

const values = fc.array(fc.integer({ min: 6, max: 200 }), { minLength: 1, maxLength: 40 });
const rows = fc.integer({ min: 2, max: 12 });

/** The cells of each value, from the foot up. */
function columnsOf(ascii: boolean, ...drawn: [readonly number[], number, ReturnType<typeof closeScale>]) {
  const lines = drawChart(createLook({ ...defaultOptions, ascii }, 1), ...drawn);
  const cells = lines.map((line) => [...stripVTControlCharacters(line)].slice(scaleWidth)).toReversed();
  return drawn[0].map((_, at) => cells.map((row) => row[at] ?? ''));
}

test('a chart that begins at 0 has a column for each value, others a mark, so that no height misleads', () => {
  fc.assert(
    fc.property(values, rows, fc.boolean(), (drawn, height, ascii) => {
      for (const column of columnsOf(ascii, drawn, height, { foot: 0, top: 200 })) {
        const filled = column.findLastIndex((cell) => cell !== ' ');
        expect(new Set(column.slice(0, filled)).size).toBeLessThanOrEqual(1);
        expect(column.slice(0, filled + 1)).not.toContain(' ');
      }
      for (const column of columnsOf(ascii, drawn, height, closeScale(drawn)))
        expect(column.filter((cell) => cell !== ' ')).toHaveLength(1);
    }),
  );
});

test('a higher value is never drawn lower', () => {
  fc.assert(
    fc.property(values, rows, (drawn, height) => {
      const sorted = drawn.toSorted((a, b) => a - b);
      const levels = columnsOf(false, sorted, height, closeScale(sorted)).map((column) => {
        const row = column.findIndex((cell) => cell !== ' ');
        return 4 * row + '⣀⠤⠒⠉'.indexOf(column[row] ?? '');
      });
      expect(levels).toEqual(levels.toSorted((a, b) => a - b));
    }),
  );
});
