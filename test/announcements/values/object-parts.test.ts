import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergePatch, patchOf } from '../../../src/announcements/values/object-parts.ts';

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

  test('law: the patch between two values turns the first into the second', () => {
    fc.assert(
      fc.property(parts, parts, (before, after) => {
        expect(mergePatch(before, patchOf(before, after))).toEqual(after);
      }),
    );
  });
});
