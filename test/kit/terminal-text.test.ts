import fc from 'fast-check';
import { expect, test } from 'vitest';
import { widthOf, wrapped } from '../../src/kit/terminal-text.ts';

test('law: text is wrapped in a window of any width, and nothing but spaces is lost', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'B', '%', ' ', 'é', '漢', '👍🏽') });
  fc.assert(
    fc.property(text, fc.integer({ min: -5, max: 20 }), (given, width) => {
      const lines = wrapped(given, width);
      expect(lines.join('').replaceAll(' ', '')).toBe(given.replaceAll(' ', ''));
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(Math.max(2, width));
    }),
  );
});
