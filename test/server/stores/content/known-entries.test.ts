import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HistoryFile } from '../../../../src/announcements/announcement.ts';
import { createHistoryReader, parseHistoryFile } from '../../../../src/server/stores/content/history-file.ts';
import { toHistoryText, writeHistoryText } from '../../../../src/server/stores/content/history-text.ts';

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

/** As programs and people write it; a list may also come twice, or under a name that is spelt with escapes. */
const spelling = fc.record({
  indent: fc.constantFrom(0, 1, 2),
  turn: fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => `\uFEFF${text}`,
    (text) => text.replaceAll('\n', '\r\n'),
    (text) => ` \t${text}\n\n`,
    (text) => text.replace('"announcements"', '"announ\\u0063ements"'),
    (text) => text.replace(/\}\s*$/, ',"announcements":[]}'),
    (text) => text.replace('{', '{"announcements":7,'),
    (text) => text.replace(/\]\s*\}\s*$/, ',]}'),
    (text) => text.replace(/\]\s*\}\s*$/, '}}'),
    (text) => text.replace('},', '}\u00A0,'),
    (text) => text.replace('"a"', '"a\\\\"'),
    (text) => text.replace('"a"', '"\\"a]"'),
  ),
  cut: fc.option(fc.nat({ max: 400 }), { freq: 8 }),
});

test('a reader with any cache accepts and refuses the same as a fresh one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(file, spelling), { minLength: 2, maxLength: 6 }), async (files) => {
      const read = createHistoryReader();
      for (const [each, { indent, turn, cut }] of files) {
        const text = turn(JSON.stringify(each, null, indent)).slice(0, cut ?? undefined);
        expect(await read(text)).toEqual(parseHistoryFile(text));
      }
    }),
    { numRuns: 1_000 },
  );
});

test('an entry with unchanged text is the same object as before', async () => {
  const read = createHistoryReader();
  const note = {
    id: 'a',
    message: 'One',
    published: '2026-01-01T00:00:00Z',
    expires: '2027-01-01T00:00:00Z',
  };
  const announcementsOf = async (text: string) => {
    const result = await read(text);
    return 'history' in result ? result.history.announcements : [];
  };
  const [first] = await announcementsOf(JSON.stringify({ announcements: [note] }, null, 2));
  const again = await announcementsOf(
    JSON.stringify({ announcements: [{ ...note, id: 'b' }, note], changes: [] }, null, 2),
  );
  expect(again).toHaveLength(2);
  expect(again[1]).toBe(first);
});

test('a file of 20,000 announcements is read, changed and written in slices, between which other work is done', async () => {
  const note = (at: number) => ({
    id: `2026-${at}`,
    message: `Message ${at} of many`,
    published: '2026-01-01T00:00:00Z',
    expires: '2027-01-01T00:00:00Z',
  });
  const text = toHistoryText({
    version: 1,
    announcements: Array.from({ length: 20_000 }, (_, at) => note(at)),
    changes: [],
  } as unknown as HistoryFile);
  const read = createHistoryReader();
  const turns = countTurns();
  const result = await read(text);
  expect(turns.end()).toBeGreaterThan(3);
  const history = 'history' in result ? result.history : undefined;
  expect(history?.announcements).toHaveLength(20_000);
  const after = countTurns();
  expect(await writeHistoryText(history as HistoryFile)).toBe(toHistoryText(history as HistoryFile));
  expect(after.end()).toBeGreaterThan(0);
});

/** How often others have had their turn since. */
function countTurns(): { end(): number } {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  return {
    end() {
      clearImmediate(next);
      return turns;
    },
  };
}
