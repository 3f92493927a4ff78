import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyHistory, type HistoryFile } from '../../../src/announcements/announcement.ts';
import { isContinuation } from '../../../src/announcements/changes/continuation.ts';
import { publish } from '../../../src/announcements/changes/history-edit.ts';

const start = Date.UTC(2026, 0, 1);
const editors = fc.array(fc.constantFrom('ada', 'bob'), { maxLength: 12 });

function publishAs(names: readonly string[], history: HistoryFile = emptyHistory): HistoryFile {
  return names.reduce((before, by, turn) => {
    const at = start + (before.changes.length + turn) * 1000;
    const draft = { message: `by ${by}`, link: '', published: at, expires: at + 1_000_000 };
    const result = publish(before, draft, { by, at });
    if (!('history' in result)) throw new Error(result.problem);
    return result.history;
  }, history);
}

test('changes by editors continue a history, and not the other way round', () => {
  fc.assert(
    fc.property(editors, editors, (one, more) => {
      const before = publishAs(one);
      const after = publishAs(more, before);
      expect(isContinuation(before, after)).toBe(true);
      expect(isContinuation(after, before)).toBe(more.length === 0);
    }),
  );
});

test('a history that was started again is not a continuation, however long it is', () => {
  const lost = publishAs(['ada', 'bob']);
  expect(isContinuation(lost, publishAs(['ada', 'eve', 'bob']))).toBe(false);
  expect(isContinuation(lost, emptyHistory)).toBe(false);
});

test('announcements without a log must still be known', () => {
  const { announcements } = publishAs(['ada']);
  const written = { ...emptyHistory, announcements };
  expect(isContinuation(written, publishAs(['bob'], written))).toBe(true);
  expect(isContinuation(written, emptyHistory)).toBe(false);
});

test.each([
  ['at', '2026-01-01T00:00:01Z'],
  ['by', 'bob'],
  ['action', 'edit'],
  ['id', '2026-002'],
  ['request', 'another request'],
] as const)('a log whose last seen change has another %s is not a continuation', (name, value) => {
  const before = publishAs(['ada']);
  const after = publishAs(['ada', 'ada']);
  const [first, second] = after.changes;
  expect(isContinuation(before, after)).toBe(true);
  const other = { ...after, changes: [{ ...first, [name]: value }, second] } as HistoryFile;
  expect(isContinuation(before, other)).toBe(false);
});

test('only the last seen change counts, and what it did to the announcement does not', () => {
  const before = publishAs(['ada', 'bob']);
  const [first, second] = before.changes;
  const changes = [
    { ...first, by: 'eve' },
    { ...second, after: null },
  ];
  expect(isContinuation(before, { ...before, changes } as HistoryFile)).toBe(true);
});

test('without a log, an announcement that was taken back since is still known, and each one must be', () => {
  const { announcements } = publishAs(['ada', 'bob']);
  const written = { ...emptyHistory, announcements };
  const { changes } = publishAs(['ada', 'bob']);
  expect(isContinuation(written, { ...emptyHistory, changes })).toBe(true);
  expect(isContinuation(written, { ...written, announcements: announcements.slice(1) })).toBe(false);
});
