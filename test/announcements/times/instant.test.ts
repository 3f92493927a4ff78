import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantText, latestInstant, parseInstant } from '../../../src/announcements/times/instant.ts';

test.each([
  ['2026-12-31T18:00:00Z', '2026-12-31T18:00:00Z'],
  ['2026-12-31T18:00Z', '2026-12-31T18:00:00Z'],
  ['2026-12-31T18:00:59.999Z', '2026-12-31T18:00:59Z'],
  ['2026-12-31T18:00:00+05:30', '2026-12-31T12:30:00Z'],
  ['2026-12-31T18:00-01:00', '2026-12-31T19:00:00Z'],
  ['2027-01-01T00:30+01:00', '2026-12-31T23:30:00Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00Z'],
  ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
])('%s is the instant %s', (text, instant) => {
  expect(instantText(parseInstant(text) as number)).toBe(instant);
});

test.each([
  '',
  'x2026-12-31T18:00:00Z',
  '2026-12-31T18:00:00Zx',
  '2026-12-31T18:00:00',
  '2026-12-31 18:00:00Z',
  '2026-12-31',
  '2026-12-31T18Z',
  '2026-12-31T18:00:00+0100',
  '2026-02-29T00:00:00Z',
  '2026-02-30T00:00:00+01:00',
  '2026-04-31T00:00:00Z',
  '2026-12-31T24:00:00Z',
  '2026-12-31T25:00:00Z',
  '1969-12-31T23:59:59Z',
  '1970-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '+012026-12-31T18:00:00Z',
])('%j is not an instant', (text) => {
  expect(parseInstant(text)).toBeUndefined();
});

test('law: writing and reading gives the same instant, cut to the second, and texts sort like times', () => {
  const instants = fc.integer({ min: 0, max: latestInstant });
  fc.assert(
    fc.property(instants, instants, (a, b) => {
      const [textA, textB] = [instantText(a), instantText(b)];
      expect(textA).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(parseInstant(textA)).toBe(a - (a % 1000));
      expect(textA < textB).toBe(Math.floor(a / 1000) < Math.floor(b / 1000));
    }),
  );
});
