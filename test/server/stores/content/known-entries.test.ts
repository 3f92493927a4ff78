import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHistoryReader, parseHistoryFile } from '../../../../src/server/stores/content/history-file.ts';

/** Few ids and texts, so that entries stay, move, change, break and clash from one file to the next. */
const entry = fc.record(
  {
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 7),
    message: fc.constantFrom('One', 'Two', 'Three', 'Four', ''),
    link: fc.constantFrom('https://example.org', 'javascript:0'),
    published: fc.constantFrom('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z', 'soon'),
    expires: fc.constant('2027-01-01T00:00:00Z'),
    translations: fc.constantFrom({ de: { message: 'Eins' } }, { de: { message: 'Zwei' } }, { de: 1 }),
    unknown: fc.constantFrom([1, [2]], [1, [3]], { a: null }),
  },
  { requiredKeys: ['id', 'message', 'published', 'expires'] },
);
const change = fc.record(
  {
    at: fc.constant('2026-03-01T00:00:00Z'),
    by: fc.constantFrom('anna', 'berta'),
    action: fc.constantFrom('publish', 'edit', 'undo'),
    id: fc.constant('a'),
    before: fc.constant(null),
    after: fc.oneof(fc.constant(null), entry),
    undoes: fc.constantFrom(1, 2),
  },
  { requiredKeys: ['at', 'by', 'action', 'id', 'before', 'after'] },
);
const file = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      announcements: fc.array(entry, { maxLength: 4 }),
      changes: fc.array(change, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ announcements: fc.array(entry, { maxLength: 4 }) }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      {},
      [],
      null,
      { announcements: 7 },
      { announcements: [], changes: 7 },
    ),
  },
);

test('whatever a reader has read before, it reads and refuses what one that never read anything does', () => {
  fc.assert(
    fc.property(fc.array(file, { minLength: 2, maxLength: 6 }), (files) => {
      const read = createHistoryReader();
      for (const each of files) {
        const text = JSON.stringify(each, null, 1);
        expect(read(text)).toEqual(parseHistoryFile(text));
      }
    }),
    { numRuns: 500 },
  );
});

test('an entry that did not change is the same object as before', () => {
  const read = createHistoryReader();
  const note = {
    id: 'a',
    message: 'One',
    published: '2026-01-01T00:00:00Z',
    expires: '2027-01-01T00:00:00Z',
  };
  const announcementsOf = (text: string) => {
    const result = read(text);
    return 'history' in result ? result.history.announcements : [];
  };
  const [first] = announcementsOf(JSON.stringify({ announcements: [note] }));
  const again = announcementsOf(JSON.stringify({ announcements: [{ ...note, id: 'b' }, note] }, null, 2));
  expect(again).toHaveLength(2);
  expect(again[1]).toBe(first);
});
