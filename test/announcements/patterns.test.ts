import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesAny } from '../../src/announcements/values/patterns.ts';

/** Tries every length for every star: plainly right, and slow. */
function matchesSlowly(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern[0] !== '*')
    return pattern[0] === text[0] && text !== '' && matchesSlowly(pattern.slice(1), text.slice(1));
  return Array.from(`${text}$`).some((_, at) => matchesSlowly(pattern.slice(1), text.slice(at)));
}

test('law: a pattern matches the same as trying every length for every star', () => {
  const letters = fc.constantFrom('a', 'b', '/');
  const pattern = fc.string({ unit: fc.oneof(letters, fc.constant('*')), maxLength: 8 });
  const text = fc.string({ unit: letters, maxLength: 10 });
  fc.assert(
    fc.property(pattern, text, (one, other) => {
      expect(matchesAny([one], other)).toBe(matchesSlowly(one, other));
    }),
    { numRuns: 5000 },
  );
});

test.each([
  ['https://*.example.org', 'https://a.b.example.org', true],
  ['https://*.example.org', 'https://example.org', false],
  ['https://*.example.org', 'https://example.org.evil.example', false],
  ['https://example.org', 'https://example.org:8443', false],
  ['/docs/*', '/docs/', true],
  ['/docs/*', '/docs', false],
  ['/a*a', '/a', false],
  ['*', '', true],
])('%s and %s: %s', (pattern, text, expected) => {
  expect(matchesAny([pattern], text)).toBe(expected);
});

test('a pattern that a backtracking matcher would never finish takes no time', () => {
  const bomb = `/${'*a'.repeat(127)}b`;
  expect(matchesAny(Array(20).fill(bomb), `/${'a'.repeat(8_000)}`)).toBe(false);
});
