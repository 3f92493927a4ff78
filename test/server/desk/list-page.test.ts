import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxPageBytes, pageOf } from '../../../src/server/desk/desk-lists.ts';

const text = (length: number) => 'ü'.repeat(length);
function readPage(items: readonly string[], limit: number, after?: string) {
  const { entries, next } = pageOf(
    items.map((entry, at) => ({ entry, at })),
    ({ at }) => String(at),
    ({ entry }) => entry,
    { limit, ...(after === undefined ? {} : { after }) },
  );
  return { entries, ...next };
}

test('an entry that is longer than a page is alone on its page', () => {
  const items = [text(3), text(maxPageBytes), text(4)];
  expect(readPage(items, 10)).toEqual({ entries: [items[0]], next: '0' });
  expect(readPage(items, 10, '0')).toEqual({ entries: [items[1]], next: '1' });
  expect(readPage(items, 10, '1')).toEqual({ entries: [items[2]] });
});

test('an empty list is one page without a next one', () => {
  expect(readPage([], 10)).toEqual({ entries: [] });
});

test('whatever their lengths, the pages have every entry once and in order, and none is too long', () => {
  const lengths = fc.array(fc.constantFrom(0, 1, 1000, maxPageBytes / 4, maxPageBytes / 2), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 10 }), (list, limit) => {
      const items = list.map(text);
      const found: string[] = [];
      let after: string | undefined;
      do {
        const { entries: part, next } = readPage(items, limit, after);
        expect(part.length).toBeLessThanOrEqual(limit);
        if (part.length !== 1)
          expect(Buffer.byteLength(JSON.stringify(part)) - 2).toBeLessThanOrEqual(maxPageBytes);
        found.push(...part);
        after = next;
      } while (after !== undefined);
      expect(found).toEqual(items);
    }),
    { numRuns: 50 },
  );
});
