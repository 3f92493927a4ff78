import { describe, expect, test } from 'vitest';
import { toFirstRows } from '../../../src/tui/text/text-layout.ts';

describe('the first rows of a text', () => {
  const text = 'Missed: with, fraction, coke, port, there, hunt.';

  test('are all of it where there is room', () => {
    expect(toFirstRows(text, '…', 20, 3)).toEqual(['Missed: with,', 'fraction, coke,', 'port, there, hunt.']);
  });

  test('end with the sign for what was cut', () => {
    expect(toFirstRows(text, '…', 20, 2)).toEqual(['Missed: with,', 'fraction, coke, por…']);
    expect(toFirstRows(text, '…', 20, 0)).toEqual([]);
  });
});
