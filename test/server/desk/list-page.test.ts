import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mostPageBytes, toListPage } from '../../../src/server/desk/requests/list-page.ts';

const text = (length: number) => 'ü'.repeat(length);
const pageOf = (items: readonly string[], limit: number, after?: string) =>
  toListPage(
    {
      items: items.map((entry, at) => ({ entry, at })),
      nameOf: ({ at }) => String(at),
      toEntry: ({ entry }) => entry,
    },
    { limit, ...(after === undefined ? {} : { after }) },
  );

test('an entry that is longer than a page is alone on its page', () => {
  const items = [text(3), text(mostPageBytes), text(4)];
  expect(pageOf(items, 10)).toEqual({ entries: '"üüü"', next: '0' });
  expect(pageOf(items, 10, '0')).toEqual({ entries: JSON.stringify(items[1]), next: '1' });
  expect(pageOf(items, 10, '1')).toEqual({ entries: '"üüüü"' });
});

test('an empty list is one page without a next one', () => {
  expect(pageOf([], 10)).toEqual({ entries: '' });
});

test('whatever their lengths, the pages have every entry once and in order, and none is too long', () => {
  const lengths = fc.array(fc.constantFrom(0, 1, 1000, mostPageBytes / 4, mostPageBytes / 2), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 10 }), (list, limit) => {
      const items = list.map(text);
      const found: string[] = [];
      let after: string | undefined;
      do {
        const { entries, next } = pageOf(items, limit, after);
        const part: string[] = JSON.parse(`[${entries}]`);
        expect(part.length).toBeLessThanOrEqual(limit);
        if (part.length !== 1) expect(Buffer.byteLength(entries)).toBeLessThanOrEqual(mostPageBytes);
        found.push(...part);
        after = next;
      } while (after !== undefined);
      expect(found).toEqual(items);
    }),
    { numRuns: 50 },
  );
});
