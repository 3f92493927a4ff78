import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldOptionNames } from '../../src/announcements/field-options.ts';
import { fieldNames, fieldOf } from '../../src/announcements/fields.ts';
import { checkPlainValues, plainNames } from '../../src/announcements/plain-values.ts';
import { isSameValue } from '../../src/announcements/same-value.ts';

test('a rule accepts again what it has accepted, and keeps it', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  );
  fc.assert(
    fc.property(texts, fc.constantFrom(...fieldNames), (text, name) => {
      const { parse } = fieldOf(name);
      const first = parse(text);
      if ('problem' in first || first.value === undefined) return;
      expect(parse(first.value)).toMatchObject({ value: first.value });
    }),
  );
});

test('a plain field that is not given stays as it is, and false empties it', () => {
  expect(checkPlainValues({})).toEqual({ values: {}, warnings: [], problems: [] });
  expect(checkPlainValues({ link: false, alongside: false }).values).toEqual({
    link: '',
    alongside: undefined,
  });
  expect(checkPlainValues({ link: 'x', message: '' }).problems).toHaveLength(2);
});

test('every plain field has an option of the same name that changes it', () => {
  const nested = { audience: ['site', 'path'], translations: ['translation', 'translatedLink'] };
  for (const name of plainNames) {
    const wanted = Object.hasOwn(nested, name) ? nested[name as keyof typeof nested] : [name];
    expect(fieldOptionNames('editOptions')).toEqual(expect.arrayContaining(wanted));
  }
});

test('law: two JSON values are the same exactly when they are written the same, whatever the order of fields', () => {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, part]) => [name, sorted(part)] as const);
    return entries.sort(([a], [b]) => (a < b ? -1 : 1));
  };
  const small = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)));
  fc.assert(
    fc.property(small, small, (a, b) => {
      expect(isSameValue(a, JSON.parse(JSON.stringify(a)))).toBe(true);
      const isObject = (value: unknown) => typeof value === 'object' && !Array.isArray(value);
      if (isObject(a) === isObject(b))
        expect(isSameValue(a, b)).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
    }),
  );
});
