import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isJsonObject,
  mergePatch,
  patchOf,
  readParts,
} from '../../../src/announcements/values/object-parts.ts';

describe('the parts of an object', () => {
  test.each([null, undefined, 1, 'text', true, []])('%j is not an object', (given) => {
    expect(isJsonObject(given)).toBe(false);
    expect(readParts(given, 'thing', ['a'])).toEqual({ problem: 'thing is not an object { … }' });
  });

  test('an unknown part is named, at most 40 characters of it, beside those that there are', () => {
    expect(readParts({ a: 1, c: 2 }, 'thing', ['a', 'b'])).toEqual({
      problem: 'thing has no part "c"; it has a, b',
    });
    expect(readParts({ ['x'.repeat(50)]: 1 }, 'thing', ['a'])).toEqual({
      problem: `thing has no part "${'x'.repeat(40)}"; it has a`,
    });
  });
});

describe('a patch', () => {
  test.each([
    [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    [{ a: 1 }, { a: 2 }, { a: 2 }],
    [{ a: 1, b: 2 }, { a: null }, { b: 2 }],
    [{ a: 1, b: 2 }, { a: false }, { b: 2 }],
    [{ a: 1 }, { a: undefined }, { a: 1 }],
    [{ a: { b: 1, c: 2 } }, { a: { b: null } }, { a: { c: 2 } }],
    [{ a: ['x'] }, { a: ['y'] }, { a: ['y'] }],
    ['text', { a: 1 }, { a: 1 }],
    [undefined, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
    [{ a: 1 }, 'text', 'text'],
  ])('%j with %j becomes %j', (target, patch, expected) => {
    expect(mergePatch(target, patch)).toEqual(expected);
  });

  test('never reaches a prototype', () => {
    const merged = mergePatch({}, JSON.parse('{"__proto__": {"polluted": 1}}'));
    expect(Object.hasOwn(merged as object, '__proto__')).toBe(true);
    expect({}).not.toHaveProperty('polluted');
  });

  const parts = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.string({ maxLength: 3 }),
      fc.integer(),
      fc.array(fc.string({ maxLength: 2 }), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
    ),
  })).value;

  test('law: the patch between two values makes the second of the first', () => {
    fc.assert(
      fc.property(parts, parts, (before, after) => {
        expect(mergePatch(before, patchOf(before, after))).toEqual(after);
      }),
    );
  });

  test('law: a value is patched with itself without a change, and only what is gone is named with null', () => {
    expect(patchOf({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3 } })).toEqual({ a: null, b: { c: null, d: 3 } });
    fc.assert(
      fc.property(parts, (value) => {
        expect(patchOf(value, value)).toEqual(value);
        expect(mergePatch(value, value)).toEqual(value);
      }),
    );
  });
});
