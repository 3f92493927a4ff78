import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HistoryFile } from '../../../../src/announcements/announcement.ts';
import { parseHistoryFile } from '../../../../src/server/stores/content/history/history-file.ts';
import { createHistoryReader } from '../../../../src/server/stores/content/history/history-reader.ts';
import {
  toHistoryText,
  writeHistoryText,
} from '../../../../src/server/stores/content/history/history-text.ts';

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
    (text) => text.replace('One"', 'One'),
    (text) => text.replaceAll('One', 'O\n\rne'),
    (text) => text.replace('Two', 'T\two').replace('"Three"', 'Three'),
    (text) => text.replaceAll('\n', '\r'),
    (text) => `${text} }`,
    (text) => text.replace('{}', '[}').replace('},', ',},'),
    (text) => text.replace('7', '['.repeat(120)),
    (text) => text.replace('"2026-02', '7, "2026-02'),
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

const note = {
  id: 'a',
  message: 'One',
  link: '',
  published: '2026-01-01T00:00:00Z',
  expires: '2027-01-01T00:00:00Z',
};

test('an entry with unchanged text is the same object as before', async () => {
  const read = createHistoryReader();
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

const stamp = { at: '2026-03-01T00:00:00Z', by: 'anna', id: 'a' };

test('each version of an announcement is one object, wherever it is in the file', async () => {
  const read = createHistoryReader();
  const [first, second, third] = ['One', 'Two', 'Three'].map((message) => ({ ...note, message }));
  const log = [
    { ...stamp, action: 'publish', before: null, after: first },
    { ...stamp, action: 'edit', before: first, after: second },
    { ...stamp, action: 'edit', before: second, after: third },
  ];
  for (const length of [2, 3]) {
    const changes = log.slice(0, length);
    const announcements = [changes.at(-1)?.after];
    const result = await read(JSON.stringify({ announcements, changes }, null, 2));
    if (!('history' in result)) throw new Error('refused');
    const { history } = result;
    expect(history).toEqual({ version: 1, announcements, changes });
    for (const [at, { before, after }] of history.changes.entries()) {
      if (at > 0) expect(before).toBe(history.changes[at - 1]?.after);
      if (at === length - 1) expect(after).toBe(history.announcements[0]);
    }
  }
});

/** So many that no machine is done with them in one slice, which ends by time. */
const manyNotes = Array.from({ length: 60_000 }, (_, at) => ({
  id: `2026-${at}`,
  message: `Message ${at} of many`,
  link: '',
  published: '2026-01-01T00:00:00Z',
  expires: '2027-01-01T00:00:00Z',
}));

test('a file of 60,000 announcements is read, changed and written in slices, between which other work is done', async () => {
  const text = toHistoryText({ version: 1, announcements: manyNotes, changes: [] } as HistoryFile);
  const read = createHistoryReader();
  const turns = countTurns();
  const result = await read(text);
  expect(turns.end()).toBeGreaterThan(3);
  const history = 'history' in result ? result.history : undefined;
  expect(history?.announcements).toHaveLength(60_000);
  const after = countTurns();
  expect(await writeHistoryText(history as HistoryFile)).toBe(toHistoryText(history as HistoryFile));
  expect(after.end()).toBeGreaterThan(0);
});

test.each([
  ['a value that is wrong', (text: string) => text.replace('"2026-01-01T00:00:00Z"', '"soon"')],
  ['a comma that is missing', (text: string) => text.replace('"2026-59000",', '"2026-59000"')],
  ['an end that is missing', (text: string) => text.slice(0, -100)],
  ['a line break inside a text', (text: string) => text.replace('59000 of many', '59000 of\nmany')],
  ['ids that are used twice', (text: string) => text.replaceAll(/"2026-5999\d"/g, '"2026-59990"')],
  ['brackets that are never closed', (text: string) => text.replace('"Message 59000', `${'['.repeat(200)}"`)],
])(
  'a file of 60,000 announcements is refused in slices for %s',
  async (_, spoil) => {
    const text = spoil(toHistoryText({ version: 1, announcements: manyNotes, changes: [] } as HistoryFile));
    const turns = countTurns();
    const result = await createHistoryReader()(text);
    expect(turns.end()).toBeGreaterThan(3);
    expect(result).toEqual(parseHistoryFile(text));
    expect(result).toHaveProperty('problems');
  },
  120_000,
);

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
