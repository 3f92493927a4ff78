import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMatchHit, isNoneMatchHit } from '../../../../src/server/http/representation.ts';

const etag = '"abc"';

test.each([
  [undefined, false],
  ['', false],
  ['"abc"', true],
  [' "abc"\t', true],
  ['W/"abc"', true],
  ['*', true],
  [' * ', true],
  ['"x", "abc"', true],
  ['"x",W/"abc" , "y"', true],
  [',,"abc",', true],
  ['"x"', false],
  ['"x", "y"', false],
  ['""', false],
  ['abc', false],
  ['"abc', false],
  ['w/"abc"', false],
  ['"abc", nonsense', false],
  ['*, "abc"', false],
  ['"abc" ; "x"', false],
  ['"a"abc"', false],
  ['"a\u0000", "abc"', false],
])('If-None-Match %j names "abc": %s', (header, hit) => {
  expect(isNoneMatchHit(header, etag)).toBe(hit);
});

test('law: a tag is found at any place in a list, weakened or not, and never if it is not in the list', () => {
  const tag = fc.stringMatching(/^"[!#-~]{0,8}"$/);
  const spelled = fc.record({ tag, isWeak: fc.boolean(), comma: fc.constantFrom(',', ', ', ' , ', ',\t,') });
  fc.assert(
    fc.property(fc.array(spelled, { minLength: 1, maxLength: 6 }), tag, (list, wanted) => {
      const header = list.map((one) => `${one.isWeak ? 'W/' : ''}${one.tag}${one.comma}`).join('');
      expect(isNoneMatchHit(header, wanted)).toBe(list.some((one) => one.tag === wanted));
      for (const one of list) expect(isNoneMatchHit(header, one.tag)).toBe(true);
    }),
  );
});

test.each([
  ['"a"', true],
  ['"b", "a"', true],
  [' * ', true],
  ['W/"a"', false],
  ['"b"', false],
  ['"b", "c"', false],
  ['', false],
  ['a', false],
  ['"a" x', false],
])('If-Match: %s names the tag "a" itself: %s', (header, expected) => {
  expect(isMatchHit(header, '"a"')).toBe(expected);
});
