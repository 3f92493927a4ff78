import { describe, expect, test } from 'vitest';
import {
  emptyHistory,
  inconsistencies,
  type StoredAnnouncement,
} from '../../src/announcements/announcement.ts';
import { parseEditorName } from '../../src/announcements/changes/change-log.ts';
import { knownFields, latestStates, stateAt } from '../../src/announcements/schedule.ts';

const entry = (id: string, more: Partial<StoredAnnouncement> = {}): StoredAnnouncement => ({
  id,
  message: `words of ${id}`,
  link: '',
  published: '2026-01-01T00:00:00Z',
  expires: '2026-02-01T00:00:00Z',
  ...more,
});
const january = Date.parse('2026-01-10T00:00:00Z');

describe('an announcement in a list', () => {
  const history = {
    ...emptyHistory,
    announcements: [entry('a'), entry('b', { published: '2026-01-05T00:00:00Z' })],
  };

  test('has the known fields that are set, in the order of the table, and no others', () => {
    const written = { note: 'internal', severity: 'warning', ...entry('a', { alongside: true }) } as const;
    expect(Object.keys(knownFields(written))).toEqual([
      ...['id', 'message', 'link', 'published', 'expires', 'alongside', 'severity'],
    ]);
  });

  test('has the same state on its own as in the whole list, which is latest first', () => {
    const states = latestStates(history, january);
    expect(states.map(({ entry: { id }, state }) => `${id} ${state}`)).toEqual(['b active', 'a superseded']);
    for (const one of states) expect(stateAt(history, one.entry, january)).toEqual(one);
  });
});

describe('times that contradict each other', () => {
  test.each([
    ['an end after the start', {}, []],
    [
      'an end at the start',
      { expires: '2026-01-01T00:00:00Z' },
      ['expires: expires must be after published'],
    ],
    [
      'an end before the start',
      { expires: '2025-01-01T00:00:00Z' },
      ['expires: expires must be after published'],
    ],
    ['an early end after the start', { expired: '2026-01-02T00:00:00Z' }, []],
    ['an early end at the start', { expired: '2026-01-01T00:00:00Z' }, []],
    [
      'an early end before the start',
      { expired: '2025-12-31T23:59:59Z' },
      ['expired: expired must not be before published'],
    ],
  ])('%s: %j', (_, times, found) => {
    expect(inconsistencies(entry('a', times)).map(({ field, problem }) => `${field}: ${problem}`)).toEqual(
      found,
    );
  });
});

describe('names', () => {
  test.each(['a', 'Ada Lovelace', 'ada@example.org', 'x'.repeat(100), '李'])(
    '%s is a name of an editor',
    (name) => {
      expect(parseEditorName(` ${name}\n`)).toEqual({ name });
    },
  );

  test.each([
    '',
    ' ',
    'x'.repeat(101),
    'a\nb',
    'a\tb',
    'a\u0000',
    'a\u2028b',
    'a\u2029b',
    'a\u202eb',
    'a\u2066b',
    'a\ud800',
  ])('%j is none', (name) => {
    expect(parseEditorName(name)).toEqual({ problem: 'must be 1 to 100 characters on one line' });
  });
});
