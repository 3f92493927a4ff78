import { describe, expect, test } from 'vitest';
import { inconsistencies, type StoredAnnouncement } from '../../src/announcements/announcement.ts';
import { parseEditorName } from '../../src/announcements/changes/change-log.ts';
import { isListed } from '../../src/announcements/listed-sites.ts';
import { listedAnnouncement } from '../../src/announcements/schedule.ts';

const entry = (id: string, more: Partial<StoredAnnouncement> = {}): StoredAnnouncement => ({
  id,
  message: `words of ${id}`,
  link: '',
  published: '2026-01-01T00:00:00Z',
  expires: '2026-02-01T00:00:00Z',
  ...more,
});

test('a listed announcement has the known fields that are set, in the order of the table, and no others', () => {
  const written = { note: 'internal', severity: 'warning', ...entry('a', { alongside: true }) } as const;
  expect(Object.keys(listedAnnouncement({ entry: written, state: 'active' }))).toEqual([
    ...['id', 'message', 'link', 'published', 'expires', 'alongside', 'severity', 'state'],
  ]);
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

test('words that their formatted text does not say contradict it', () => {
  expect(inconsistencies(entry('a', { markdown: '*words* of a' }))).toEqual([]);
  expect(inconsistencies(entry('a', { markdown: '*words* of b' }))).toEqual([
    { field: 'message', problem: expect.stringMatching(/^the message is not .*markdown/) },
  ]);
});

test('a site is listed by its own origin, by a pattern, or by being on this computer', () => {
  const list = ['https://example.org', 'https://*.example.net', 'nonsense'];
  for (const site of [
    'https://EXAMPLE.org',
    'https://a.b.example.net',
    'http://localhost:3000',
    'http://127.0.0.1',
  ])
    expect(isListed(site, list), site).toBe(true);
  for (const site of ['http://example.org', 'https://example.net', 'https://a.example.org', 'nonsense', ''])
    expect(isListed(site, list), site).toBe(false);
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
